package run

import (
	"context"
	"runtime/debug"
	"time"

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

// launch begins what is finished beside the worker: all of it, where the body is no Launcher or may not have to run.
func (p *Pipeline) launch(t *task) (func(context.Context) error, error) {
	_, cached := p.cachedOutput(t.stage)
	if l, ok := p.stages[t.stage].body.(stage.Launcher); ok && !cached {
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
	if b, cached := p.cachedOutput(t.stage); cached {
		return p.findCached(t, b)
	}
	return guard(func() error { return p.stages[t.stage].body.Run(&t.flight.ctx, &t.Task) })
}

// cachedOutput gives the buffer of a stage that lies in the cache, if one does.
func (p *Pipeline) cachedOutput(stage int) (buffer int, found bool) {
	for _, b := range p.program.BufferAt[stage] {
		if p.program.Graph.Buffers[b].Cached {
			return b, true
		}
	}
	return 0, false
}

// guard turns a panic into an error, and with it a fault: memory of a mapped file that has been cut short. In other goroutines
// than this one a fault still ends the process, unless they guard themselves.
func guard(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	return f()
}
