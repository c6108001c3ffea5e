package run

import (
	"cmp"
	"context"
	"fmt"

	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/sched"
)

// takeJobs reads jobs until In is closed, or the pipeline, then waits for the last to end and stops the workers.
func (p *Pipeline) takeJobs() {
	for p.takeJob() {
	}
	p.mu.Lock()
	for len(p.jobs) > 0 {
		p.progress.Wait()
	}
	p.emitted = true
	p.mu.Unlock()
	for s := range p.stages {
		close(p.stages[s].flow.In())
	}
	p.progress.Broadcast()
}

// takeJob reads one job and reports whether to go on.
func (p *Pipeline) takeJob() bool {
	select {
	case <-p.closing:
		return false
	case element, more := <-p.in:
		if !more {
			return false
		}
		p.awaitRoom()
		if job, ok := element.(*Job); ok && job != nil {
			p.submit(job)
		} else {
			p.refuse(&Job{}, fmt.Errorf("a pipeline takes *run.Job values that are not nil, not %T", element))
		}
		return true
	}
}

// awaitRoom waits while as many jobs are about as may be, those included whose results nobody has taken yet.
func (p *Pipeline) awaitRoom() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.jobs)+len(p.results) >= p.options.Backlog && !p.isClosing() {
		p.progress.Wait()
	}
}

func (p *Pipeline) refuse(job *Job, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.results = append(p.results, &Result{Job: job, Err: err})
	p.progress.Broadcast()
}

// submit hands the items of a job to the core. What can never fit is refused before anything is done for the job.
func (p *Pipeline) submit(job *Job) {
	shapes, err := p.shapesOf(job)
	if err != nil {
		p.refuse(job, err)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ctx.Err() != nil || p.draining != nil || len(job.Items) == 0 {
		p.results = append(p.results, &Result{Job: job, Err: cmp.Or(context.Cause(p.ctx), p.draining)})
		p.progress.Broadcast()
		return
	}
	run := &jobRun{
		Result: &Result{Job: job, Values: make([]map[string]any, len(job.Items))}, id: p.nextJob, left: len(job.Items),
	}
	p.nextJob++
	p.jobs[run.id] = run
	p.lastEnd = max(p.lastEnd, p.clock())
	for i := range job.Items {
		p.submitItem(run, i, shapes[i])
	}
}

func (p *Pipeline) shapesOf(job *Job) ([]*program.Shape, error) {
	shapes := make([]*program.Shape, len(job.Items))
	for i := range job.Items {
		var shape *program.Shape
		err := guard(func() (err error) {
			shape, err = p.program.Shape(&job.Items[i])
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("job %s: %w", job.ID, err)
		}
		if shape.Refusal != nil {
			return nil, fmt.Errorf("job %s: %w", job.ID, shape.Refusal)
		}
		shapes[i] = shape
	}
	return shapes, nil
}

func (p *Pipeline) submitItem(run *jobRun, index int, shape *program.Shape) {
	id := p.nextItem
	p.nextItem++
	p.flights[id] = p.newFlight(id, run, index, shape)
	decisions, err := p.core.Submit(sched.Item{ID: id, Job: run.id, Priority: run.Job.Priority, Shape: shape.Sched})
	if err != nil {
		run.fail(err)
		p.endItem(sched.Decision{Item: id})
		return
	}
	p.carryOut(decisions)
}

// giveResults passes results on as they come, and closes Out after the last.
func (p *Pipeline) giveResults() {
	defer close(p.out)
	for r := p.awaitResult(); r != nil; r = p.awaitResult() {
		p.give(r)
		p.given()
	}
}

// awaitResult waits for the next result, nil after the last. It stays among the results until it is given.
func (p *Pipeline) awaitResult() *Result {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.results) == 0 && !p.emitted {
		p.progress.Wait()
	}
	if len(p.results) == 0 {
		return nil
	}
	return p.results[0]
}

// given makes room for another job.
func (p *Pipeline) given() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.results[0] = nil
	p.results = p.results[1:]
	p.progress.Broadcast()
}

// give passes a result on, unless the pipeline is closed before anybody takes it.
func (p *Pipeline) give(r *Result) {
	select {
	case p.out <- r:
	case <-p.closing:
	}
}
