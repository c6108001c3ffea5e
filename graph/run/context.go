package run

import (
	"context"
	"sync"
	"time"
)

// itemContext is the context of an item's bodies. The driver cancels items one by one, so it need not be registered with
// the run's context, which would cost more than a small body; its channel exists only if a body asks for it.
type itemContext struct {
	run context.Context

	mu   sync.Mutex
	done chan struct{}
	err  error
}

var closed = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

func (c *itemContext) cancel() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	c.err = context.Canceled
	if c.done != nil {
		close(c.done)
	}
}

// Done implements context.Context.
func (c *itemContext) Done() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done == nil && c.err != nil {
		c.done = closed
	} else if c.done == nil {
		c.done = make(chan struct{})
	}
	return c.done
}

// Err implements context.Context.
func (c *itemContext) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Deadline implements context.Context.
func (c *itemContext) Deadline() (time.Time, bool) { return c.run.Deadline() }

// Value implements context.Context.
func (c *itemContext) Value(key any) any { return c.run.Value(key) }
