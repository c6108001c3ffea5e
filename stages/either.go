package stages

import (
	"context"

	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/engine"
)

// either is a step that a GPU does or the CPU: the GPU, but where nobody insists on it and its memory, or the pinned memory
// that leads there, could never hold what an item takes.
type either struct {
	options stage.Options
	gpu     bool // nothing else keeps a GPU from it (Engines.onDevice)
	device  func(stage.Options, stage.Item) (stage.Footprint, error)
	host    func(stage.Options, stage.Item) (stage.Footprint, error)
	bound   bool // what it works on, or makes, lies on the device
}

// footprint is that of the side that does an item.
func (e either) footprint(item stage.Item) (stage.Footprint, error) {
	if !e.gpu {
		return e.host(e.options, item)
	}
	onDevice, err := e.device(e.options, item)
	if err != nil || e.insists() || e.hasRoom(onDevice) {
		return onDevice, err
	}
	f, err := e.host(e.options, item)
	f.Without, f.Instead = onDevice.Scratch, "on the CPU"
	return f, err
}

// insists says that the GPU does the step, or nobody.
func (e either) insists() bool { return e.bound || e.options.String("backend") != engine.Auto }

// hasRoom reports whether the machine can ever hold what the GPU takes.
func (e either) hasRoom(f stage.Footprint) bool {
	for class, bytes := range f.Scratch {
		if bytes > e.options.Room(class) {
			return false
		}
	}
	return true
}

// body is that of the side that does an item, where each has its own.
func (e either) body(engines *Engines, gpu launcher, cpu stage.Body) (stage.Body, error) {
	if !e.gpu {
		return cpu, nil
	}
	return &eitherBody{e, gpu, cpu}, engines.available()
}

// eitherBody decides for every item as the footprint did.
type eitherBody struct {
	either
	launch launcher
	cpu    stage.Body
}

// Launch implements stage.Launcher.
func (b *eitherBody) Launch(ctx context.Context, t *stage.Task) (wait, error) {
	if b.insists() {
		return b.launch(ctx, t)
	}
	f, err := b.device(b.options, *t.Item)
	switch {
	case err != nil:
		return nil, err
	case b.hasRoom(f):
		return b.launch(ctx, t)
	}
	return func(ctx context.Context) error { return b.cpu.Run(ctx, t) }, nil
}

// Run implements stage.Body.
func (b *eitherBody) Run(ctx context.Context, t *stage.Task) error {
	return launcher(b.Launch).Run(ctx, t)
}
