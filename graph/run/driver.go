package run

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/proofgraph/proofgraph/graph/sched"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// What follows is the way of an event: a worker comes with it, takes the lock, tells the core, carries out what the core
// decides, and goes back to work. Nothing under the lock waits: a stage's channel has room for all its workers.

func (p *Pipeline) began(t *task) {
	p.observe(Event{Kind: BodyStarted, At: p.clock(), Stage: t.stage, Worker: t.worker, Device: t.Device, Item: t.flight.item})
}

// ended tells the core that a body has ended, once what it held is given back.
func (p *Pipeline) ended(t *task, err error) {
	err = p.settle(t, err)
	at := p.clock()
	p.observe(Event{Kind: BodyEnded, At: at, Stage: t.stage, Worker: t.worker, Device: t.Device, Item: t.flight.item, Err: err})
	if failure := p.tellEnd(t, at, err); failure != nil && p.options.DeviceFailed != nil {
		p.options.DeviceFailed(*failure)
	}
}

// tellEnd books the end of a body and tells the core. It gives what is to be told of a device that failed an item.
func (p *Pipeline) tellEnd(t *task, at time.Duration, err error) *DeviceFailure {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.times[t.stage].busy += at - t.began
	p.lastEnd = at
	p.underWay = slices.DeleteFunc(p.underWay, func(other *task) bool { return other == t })
	switch {
	case err == nil:
		p.carryOut(p.core.Finished(t.flight.id, t.stage))
	case stage.IsDeviceFault(err):
		return p.failedByDevice(t, err)
	default:
		p.failed(t, err, p.core.Failed(t.flight.id, t.stage))
	}
	return nil
}

// failed ends the job of an item, unless the item begins anew: what fails it until then is of no account.
func (p *Pipeline) failed(t *task, err error, decisions []sched.Decision) {
	if t.flight.moving {
		p.carryOut(decisions)
		return
	}
	if cause := context.Cause(p.ctx); cause != nil && errors.Is(err, context.Canceled) {
		err = cause
	}
	t.flight.job.fail(&StageError{
		Stage: p.program.Spec.Stages[t.stage].Name, Job: t.flight.job.Job.ID, Item: t.flight.item.Index, Err: err,
	})
	p.carryOut(decisions)
	if p.failAll {
		p.cancel(err)
		p.cancelJobs()
	}
}

func (p *Pipeline) launched(t *task) {
	p.observe(Event{Kind: BodyLaunched, At: p.clock(), Stage: t.stage, Worker: t.worker, Device: t.Device, Item: t.flight.item})
	p.mu.Lock()
	defer p.mu.Unlock()
	p.carryOut(p.core.Launched(t.flight.id, t.stage))
}

// carryOut does what the core decided. Answers to it may bring more decisions; the core reuses its list, so they are
// queued. The lock is held.
func (p *Pipeline) carryOut(decisions []sched.Decision) {
	queue := append(p.queue[:0], decisions...)
	for i := 0; i < len(queue); i++ {
		queue = append(queue, p.carryOutOne(queue[i])...)
	}
	p.queue = queue
	p.account()
	p.progress.Broadcast()
}

func (p *Pipeline) carryOutOne(d sched.Decision) []sched.Decision {
	switch d.Op {
	case sched.Start:
		t := p.newTask(d)
		p.underWay = append(p.underWay, t)
		p.stages[d.Stage].flow.In() <- t
	case sched.Cancel:
		p.flights[d.Item].ctx.cancel()
	case sched.Drop:
		p.drop(p.flights[d.Item])
		return p.core.Dropped(d.Item)
	case sched.Again:
		p.beginAnew(p.flights[d.Item])
	case sched.Ended:
		p.endItem(d)
	case sched.Evict:
		p.cache.Evict(d.Key)
		return p.core.Evicted(d.Key)
	}
	return nil
}

func (p *Pipeline) newTask(d sched.Decision) *task {
	f, st := p.flights[d.Item], &p.stages[d.Stage]
	f.job.begun = true
	t := &task{pipeline: p, flight: f, stage: d.Stage, worker: d.Worker, began: p.clock()}
	t.Item, t.Threads, t.Shrinker, t.Device = f.item, st.threads, t, d.Device
	t.Inputs = make([]stage.Bound, len(st.inputs), len(st.inputs)+len(st.outputs))
	for i, in := range st.inputs {
		t.Inputs[i] = stage.Bound{Port: in.name, Buffer: &f.buffers[in.buffer]}
	}
	t.Outputs = t.Inputs[len(st.inputs):cap(t.Inputs)]
	for i, out := range st.outputs {
		t.Outputs[i] = stage.Bound{Port: out.name, Buffer: &f.buffers[out.buffer]}
	}
	return t
}

// drop frees what a failed item holds. What a broken device does not take back is lost with it, and no reason for an item
// that goes elsewhere to fail; the tracker counts it.
func (p *Pipeline) drop(f *flight) {
	if err := f.freeAll(); !f.moving {
		f.job.fail(err)
	}
}

// endItem takes an item off the books, and its job with the last of its items.
func (p *Pipeline) endItem(d sched.Decision) {
	f := p.flights[d.Item]
	delete(p.flights, d.Item)
	f.ctx.cancel()
	if !d.OK && f.job.Err == nil {
		f.job.fail(context.Cause(p.ctx))
	}
	if f.job.left--; f.job.left == 0 {
		p.endJob(f.job)
	}
}

func (p *Pipeline) endJob(j *jobRun) {
	delete(p.jobs, j.id)
	if j.Err != nil {
		j.Values = nil
	}
	p.results = append(p.results, j.Result)
	p.progress.Broadcast()
}

func (p *Pipeline) keepValue(f *flight, name string, value any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f.job.Values[f.index] == nil {
		f.job.Values[f.index] = map[string]any{}
	}
	f.job.Values[f.index][name] = value
}
