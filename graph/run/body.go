package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/cache"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// task is one body that the core has started.
type task struct {
	stage.Task
	pipeline *Pipeline
	flight   *flight
	stage    int
	worker   int
	began    time.Duration
	wait     func(context.Context) error // of a launched body
}

// runBody is what a worker of a stage does: memory, body, memory back, and the event.
func (p *Pipeline) runBody(element any) any {
	t := element.(*task)
	p.began(t)
	err := p.prepare(t)
	if err == nil {
		err = p.makeOutputs(t)
	}
	p.ended(t, err)
	return nil
}

// launchBody is what a worker of an async stage does: it begins the work and is free again.
func (p *Pipeline) launchBody(element any) any {
	t := element.(*task)
	p.began(t)
	err := p.prepare(t)
	if err == nil {
		err = guard(func() (err error) {
			t.wait, err = p.launch(t)
			return err
		})
	}
	if err != nil {
		p.ended(t, err)
		return nil
	}
	p.launched(t)
	return t
}

func (p *Pipeline) launch(t *task) (func(context.Context) error, error) {
	if l, ok := p.stages[t.stage].body.(stage.Launcher); ok {
		return l.Launch(&t.flight.ctx, &t.Task)
	}
	return func(context.Context) error { return p.makeOutputs(t) }, nil
}

// awaitBody waits for launched work beside the stage's workers.
func (p *Pipeline) awaitBody(element any) any {
	t := element.(*task)
	p.ended(t, guard(func() error { return t.wait(&t.flight.ctx) }))
	return nil
}

// makeOutputs runs the body, or finds what it would make in the cache.
func (p *Pipeline) makeOutputs(t *task) error {
	for _, b := range p.program.BufferAt[t.stage] {
		if p.program.Graph.Buffers[b].Cached {
			return p.findCached(t, b)
		}
	}
	return guard(func() error { return p.stages[t.stage].body.Run(&t.flight.ctx, &t.Task) })
}

// findCached gets a cached output: from the cache, or by running the body once for all who want it. A load that this
// call began is waited for even when the item is cancelled, so that its bytes are never held unseen.
func (p *Pipeline) findCached(t *task, b int) error {
	for {
		ref, err := p.getCached(t, b)
		if err == nil {
			return t.flight.keep(b, ref)
		}
		if !errors.Is(err, errLoadAbandoned) || t.flight.ctx.Err() != nil {
			return err
		}
	}
}

func (p *Pipeline) getCached(t *task, b int) (*cache.Ref, error) {
	var own load
	defer own.await()
	return p.cache.Get(&t.flight.ctx, t.flight.shape.Sched.Cache[b], func(ctx context.Context) (any, *budget.Lease, error) {
		if !own.begin() {
			return nil, nil, errLoadAbandoned
		}
		defer own.end()
		return p.load(ctx, t, b)
	})
}

// load runs the body of a stage for the cache: its output lies in a buffer of the entry's own.
func (p *Pipeline) load(ctx context.Context, t *task, b int) (any, *budget.Lease, error) {
	lease, err := p.lease(t.stage, b, t.flight)
	if err != nil {
		return nil, nil, err
	}
	made := &cached{stage.Buffer{Lease: lease}}
	own := t.Task
	own.Outputs = []stage.Bound{{Port: t.Outputs[0].Port, Buffer: &made.Buffer}}
	err = guard(func() error { return p.stages[t.stage].body.Run(ctx, &own) })
	if err != nil {
		return nil, nil, errors.Join(err, release(lease))
	}
	return made, lease, nil
}

// cached is a buffer that the cache owns.
type cached struct{ stage.Buffer }

// Close ends the buffer's value, if it is something to close; the cache releases the lease.
func (c *cached) Close() error { return closeValue(c.Value) }

func closeValue(value any) error {
	if c, ok := value.(io.Closer); ok {
		return guard(c.Close)
	}
	return nil
}

// prepare leases the outputs and the scratch of a body. The core has seen to it that there is room, so a refusal here is
// the system's or a fault.
func (p *Pipeline) prepare(t *task) error {
	if err := t.flight.ctx.Err(); err != nil {
		return err
	}
	for _, b := range p.program.BufferAt[t.stage] {
		if buffer := &p.program.Graph.Buffers[b]; buffer.Takes >= 0 || buffer.Cached {
			continue
		}
		lease, err := p.lease(t.stage, b, t.flight)
		if err != nil {
			return err
		}
		t.flight.buffers[b].Lease = lease
	}
	return p.leaseScratch(t)
}

// lease makes the lease of an output, nil where it has no bytes.
func (p *Pipeline) lease(s, b int, f *flight) (*budget.Lease, error) {
	bytes := f.shape.Sched.Carried[b]
	if bytes == 0 {
		return nil, nil
	}
	class := p.program.ClassOf[b]
	if p.stages[s].charged[b-p.program.BufferAt[s][0]] {
		return p.tracker.Charge(class, bytes, f.holder(p, s))
	}
	return p.tracker.Lease(class, bytes, f.holder(p, s))
}

func (f *flight) holder(p *Pipeline, s int) string {
	return fmt.Sprintf("%s[%d] at %s", f.item.Job, f.item.Index, p.program.Spec.Stages[s].Name)
}

func (p *Pipeline) leaseScratch(t *task) error {
	for _, amount := range t.flight.shape.Scratch[t.stage] {
		make := p.tracker.Lease
		if amount.Heap {
			make = p.tracker.Charge
		}
		lease, err := make(amount.Class, amount.Bytes, t.flight.holder(p, t.stage))
		if err != nil {
			return err
		}
		t.Scratches = append(t.Scratches, stage.Scratch{Class: amount.Name, Lease: lease})
	}
	return nil
}

// settle gives back what the body held, before the core hears of its end: scratch, inputs that it was the last to hold,
// outputs that nobody takes. After an error the item's buffers stay until it is dropped.
func (p *Pipeline) settle(t *task, err error) error {
	for _, scratch := range t.Scratches {
		err = errors.Join(err, release(scratch.Lease))
	}
	t.Scratches = nil
	if err != nil {
		return err
	}
	if err := p.takeOver(t); err != nil {
		return err
	}
	p.keepValues(t)
	for _, e := range p.program.Graph.Stages[t.stage].In {
		err = errors.Join(err, t.flight.let(p.program.Graph.Edges[e].Buffer))
	}
	for _, b := range p.program.BufferAt[t.stage] {
		err = errors.Join(err, t.flight.let(b))
	}
	return err
}

// takeOver turns the lease of an input into that of the output which takes it over.
func (p *Pipeline) takeOver(t *task) error {
	for _, b := range p.program.BufferAt[t.stage] {
		from := p.program.Graph.Buffers[b].Takes
		if from < 0 {
			continue
		}
		lease := t.flight.buffers[from].Lease
		t.flight.buffers[from].Lease = nil
		t.flight.buffers[b].Lease = lease
		if lease == nil {
			continue
		}
		if err := lease.Shrink(t.flight.shape.Sched.Carried[b]); err != nil {
			return err
		}
		if err := lease.Recast(p.program.ClassOf[b]); err != nil {
			return err
		}
		if err := lease.HandOver(t.flight.holder(p, t.stage)); err != nil {
			return err
		}
	}
	return nil
}

// keepValues keeps the small outputs that no edge takes for the job's result.
func (p *Pipeline) keepValues(t *task) {
	for o, b := range p.program.BufferAt[t.stage] {
		if p.program.ClassOf[b] >= 0 || len(p.program.Graph.Buffers[b].Edges) > 0 {
			continue
		}
		port := p.program.Spec.Stages[t.stage].Outputs[o].Port.Name
		p.keepValue(t.flight, p.program.Spec.Stages[t.stage].Name+"."+port, t.flight.buffers[b].Value)
	}
}

func release(l *budget.Lease) error {
	if l == nil {
		return nil
	}
	return l.Release()
}

// guard turns a panic into an error.
func guard(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	return f()
}

// ShrinkPort frees the tail of an input or output early, unless another stage still holds the buffer.
func (t *task) ShrinkPort(port string, bytes int64) error {
	p, f := t.pipeline, t.flight
	b, input := t.bufferOf(port)
	if b < 0 {
		return fmt.Errorf("there is no port %q", port)
	}
	if lease := f.buffers[b].Lease; lease == nil || lease.Size() <= bytes || input && f.holders[b].Load() > 1 {
		return nil
	}
	if err := f.buffers[b].Lease.Shrink(bytes); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.carryOut(p.core.Shrunk(f.id, b, bytes))
	return nil
}

// bufferOf finds the buffer of a port, and whether it is an input's; -1 where there is none.
func (t *task) bufferOf(port string) (buffer int, input bool) {
	p := t.pipeline
	for _, in := range p.stages[t.stage].inputs {
		if in.name == port {
			return in.buffer, true
		}
	}
	for _, out := range p.stages[t.stage].outputs {
		if out.name == port {
			return out.buffer, false
		}
	}
	return -1, false
}
