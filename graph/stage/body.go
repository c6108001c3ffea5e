package stage

import (
	"context"
)

// A Body does the work of a stage, one Task at a time; workers call it concurrently.
type Body interface {
	// Run works on one item. It must return soon after ctx ends, and may run twice for one item and give one result. An
	// error that the task's device is the cause of is a DeviceFault: the item may then begin anew on another.
	// Bytes beyond its outputs and its scratch it does not have.
	Run(ctx context.Context, t *Task) error
}

// BodyFunc is a function as a Body.
type BodyFunc func(ctx context.Context, t *Task) error

// Run calls f.
func (f BodyFunc) Run(ctx context.Context, t *Task) error { return f(ctx, t) }

// A Launcher is a Body with work that goes on beside the worker that began it, as on a GPU. An async stage calls Launch
// on a worker, frees the worker, and then calls wait; every other stage calls Run.
type Launcher interface {
	Body
	// Launch begins the work. After an error nothing goes on; otherwise wait returns when the work has ended, soon after
	// its context does, and is called exactly once.
	Launch(ctx context.Context, t *Task) (wait func(context.Context) error, err error)
}

// A Closer is a Body that holds something until the run ends.
type Closer interface {
	Close() error
}
