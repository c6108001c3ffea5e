package run

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/sched"
)

// ErrStalled is wrapped by a *StallError.
var ErrStalled = errors.New("the pipeline is stalled")

// A StallError says that no body ended for too long, which bodies are under way, and who holds memory.
type StallError struct {
	After   time.Duration
	Running []string // "job[index] at stage, for 10m0s"
	Waiting []string // "stage waits for memory host"
	Holders []budget.Holder
}

// Error lists the bodies, what waits, and the holders of memory, one a line.
func (e *StallError) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%v: no stage body ended for %v", ErrStalled, e.After)
	for _, r := range e.Running {
		fmt.Fprintf(&text, "\n  under way: %s", r)
	}
	for _, w := range e.Waiting {
		fmt.Fprintf(&text, "\n  waits:     %s", w)
	}
	for _, h := range e.Holders {
		fmt.Fprintf(&text, "\n  holds:     %s, %s", h.Name, budget.FormatBytes(h.Bytes))
	}
	return text.String()
}

// Unwrap gives ErrStalled.
func (e *StallError) Unwrap() error { return ErrStalled }

// Stalled gives a channel that brings one *StallError if no body ends for Options.StallAfter while some are under way. By
// then the run is cancelled; a body that heeds no context keeps Out from closing for as long as it hangs.
func (p *Pipeline) Stalled() <-chan error { return p.stalled }

// watch looks for a stall until the run's context ends.
func (p *Pipeline) watch() {
	tick := time.NewTicker(max(p.options.StallAfter/10, time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-p.ctx.Done():
			return
		case <-tick.C:
			if err := p.stall(); err != nil {
				p.cancel(err)
				p.cancelAll()
				p.stalled <- err
				return
			}
		}
	}
}

// stall gives a *StallError, or nil.
func (p *Pipeline) stall() error {
	memory := p.tracker.Snapshot() // which asks for waiters, and so wants the lock
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.flights) == 0 || p.clock()-p.lastEnd < p.options.StallAfter {
		return nil
	}
	e := &StallError{After: p.options.StallAfter}
	for _, t := range p.underWay {
		e.Running = append(e.Running, fmt.Sprintf("%s, for %v", t.flight.holder(p, t.stage), (p.clock()-t.began).Round(time.Millisecond)))
	}
	for s := range p.times {
		if r := p.stageReport(s, p.clock()); r.Now.Kind > sched.BlockedInput { // without input a stage is idle
			e.Waiting = append(e.Waiting, strings.TrimSpace(fmt.Sprintf("%s for %v %s", r.Name, r.Now.Kind, r.Now.On)))
		}
	}
	for _, w := range memory.Waiters {
		e.Waiting = append(e.Waiting, fmt.Sprintf("%s for %s", w.Holder, budget.FormatBytes(w.Bytes)))
	}
	for _, pool := range memory.Pools {
		e.Holders = append(e.Holders, pool.Holders...)
	}
	return e
}
