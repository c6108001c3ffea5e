package run

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/proofgraph/proofgraph/graph/stage"
)

// Cancel ends everything under way for the given reason, as the end of the context does.
func (p *Pipeline) Cancel(cause error) {
	p.cancel(cause)
	p.cancelAll()
}

// cancelAll ends every job when the context does.
func (p *Pipeline) cancelAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cancelJobs()
}

// cancelJobs ends every job, the last first, so that none makes room for another. The lock is held.
func (p *Pipeline) cancelJobs() {
	for _, id := range slices.Backward(slices.Sorted(maps.Keys(p.jobs))) {
		if j := p.jobs[id]; j != nil {
			j.fail(context.Cause(p.ctx))
			p.carryOut(p.core.CancelJob(id))
		}
	}
}

// Drain lets what has begun end well and ends the rest: jobs of which no body has started yet, and all that still come in,
// get cause as their error.
func (p *Pipeline) Drain(cause error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.draining = cause
	for _, j := range p.idleJobs() {
		j.fail(cause)
		p.carryOut(p.core.CancelJob(j.id))
	}
}

// idleJobs lists the jobs of which no body has started, the last first: ended in this order, none makes room for another.
func (p *Pipeline) idleJobs() []*jobRun {
	var idle []*jobRun
	for _, id := range slices.Backward(slices.Sorted(maps.Keys(p.jobs))) {
		if j := p.jobs[id]; !j.begun {
			idle = append(idle, j)
		}
	}
	return idle
}

// ErrClosed is the error of jobs that were under way when the pipeline was closed.
var ErrClosed = errors.New("the pipeline is closed")

// Close ends the pipeline: it cancels what is under way, waits until every body has ended, and gives back what outlives
// jobs, which is idle cache entries and what bodies hold. It reports what went wrong with that. Usually Out is closed by
// then; if not, results that nobody has taken are lost, and nothing takes what is still sent to In.
func (p *Pipeline) Close() error {
	p.closed.Do(func() {
		p.cancel(ErrClosed)
		close(p.closing)
		p.wake()
		p.running.Wait()
		p.closeErr = errors.Join(p.cache.Close(), p.closeBodies())
	})
	return p.closeErr
}

// wake lets those look again who wait for something to end.
func (p *Pipeline) wake() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.progress.Broadcast()
}

// isClosing reports whether Close has been called.
func (p *Pipeline) isClosing() bool {
	select {
	case <-p.closing:
		return true
	default:
		return false
	}
}

func (p *Pipeline) closeBodies() error {
	var err error
	for _, s := range p.stages {
		if c, ok := s.body.(stage.Closer); ok {
			err = errors.Join(err, guard(c.Close))
		}
	}
	return err
}
