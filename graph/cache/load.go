package cache

import (
	"context"
	"errors"
	"fmt"

	"github.com/proofgraph/proofgraph/graph/budget"
)

// A Load makes the value of an entry. It leases the entry's bytes before it fills them (Reserve makes room for them),
// gives the lease with the value, or nil if it needs none, and keeps nothing on an error. Where the value is an
// io.Closer, it is closed before the lease is released. A Load must end soon after ctx does.
type Load func(ctx context.Context) (value any, lease *budget.Lease, err error)

// Get gives a hold on the entry of that key, which load makes if there is none. However many ask at once, one load
// runs, and its error is everyone's. It goes on while anyone waits for it: ctx ends this caller's wait, and the load
// with the last of them.
func (t *Table) Get(ctx context.Context, key string, load Load) (*Ref, error) {
	for {
		w, err := t.join(ctx, key, load)
		if err != nil {
			return nil, fmt.Errorf("cache entry %q: %w", key, err)
		}
		select {
		case <-w.done:
		case <-ctx.Done():
			err := fmt.Errorf("cache entry %q: %w", key, context.Cause(ctx))
			return nil, errors.Join(err, t.leave(w))
		}
		if w.refers {
			return t.take(w.entry)
		}
	}
}

// A wait is one caller's wait for an entry.
type wait struct {
	entry  *entry
	done   chan struct{}
	refers bool // the caller is counted in the entry's refs
}

// join finds or begins the entry and refers to it. A doomed entry has to end before another can begin, so for that it
// only waits.
func (t *Table) join(ctx context.Context, key string, load Load) (wait, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return wait{}, ErrClosed
	}
	if ctx.Err() != nil {
		return wait{}, context.Cause(ctx)
	}
	e := t.entries[key]
	if e == nil {
		e = t.begin(ctx, key, load)
	}
	if e.state == doomed {
		return wait{entry: e, done: e.done}, nil
	}
	e.refs++
	t.rank.Use(key)
	return wait{entry: e, done: e.done, refers: true}, nil
}

// begin makes the entry and starts its load, which does not end with the ctx of the caller who happened to be first.
func (t *Table) begin(ctx context.Context, key string, load Load) *entry {
	e := &entry{key: key, done: make(chan struct{})}
	ctx, e.cancel = context.WithCancel(context.WithoutCancel(ctx))
	t.entries[key] = e
	t.loads.Go(func() {
		defer e.cancel()
		value, lease, err := runLoad(ctx, load)
		t.finish(e, value, lease, err)
	})
	return e
}

// runLoad makes an error of a panic, and of a load that breaks its contract.
func runLoad(ctx context.Context, load Load) (value any, lease *budget.Lease, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	value, lease, err = load(ctx)
	if err != nil && lease != nil {
		return nil, nil, errors.Join(err, lease.Release())
	}
	return value, lease, err
}

// finish makes a loaded entry ready, for those who wait or idle, and takes a failed one from the table.
func (t *Table) finish(e *entry, value any, lease *budget.Lease, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	defer close(e.done)
	if err != nil {
		e.state, e.err = failed, err
		delete(t.entries, e.key)
		t.rank.Forget(e.key)
		return
	}
	e.state, e.value, e.lease = ready, value, lease
	if lease != nil {
		e.bytes = lease.Size()
	}
	if e.refs == 0 {
		t.rank.Idle(e.key, e.bytes)
	}
}

// take turns a wait that is over into a hold.
func (t *Table) take(e *entry) (*Ref, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e.state == failed {
		return nil, fmt.Errorf("load cache entry %q: %w", e.key, e.err)
	}
	return &Ref{table: t, entry: e}, nil
}

// leave ends a wait without a hold. The last to leave a load ends it.
func (t *Table) leave(w wait) error {
	if !w.refers {
		return nil
	}
	t.mu.Lock()
	if w.entry.state == ready {
		ended := t.drop(w.entry)
		t.mu.Unlock()
		return ended.free()
	}
	defer t.mu.Unlock()
	if w.entry.refs--; w.entry.refs == 0 && w.entry.state == loading {
		w.entry.state = doomed
		w.entry.cancel()
	}
	return nil
}
