package run

import (
	"context"
	"errors"
	"io"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/cache"
	"github.com/proofgraph/proofgraph/graph/stage"
)

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
	key := p.program.Graph.EntryOn(t.flight.shape.Sched.Cache[b], b, t.Device)
	return p.cache.Get(&t.flight.ctx, key, func(ctx context.Context) (any, *budget.Lease, error) {
		if !own.begin() {
			return nil, nil, errLoadAbandoned
		}
		defer own.end()
		return p.load(ctx, t, b)
	})
}

// load runs the body of a stage for the cache: its output lies in a buffer of the entry's own.
func (p *Pipeline) load(ctx context.Context, t *task, b int) (any, *budget.Lease, error) {
	lease, err := p.lease(t, b)
	if err != nil {
		return nil, nil, err
	}
	made := &cached{stage.Buffer{Lease: lease}}
	own := t.Task
	own.Outputs = []stage.Bound{{Port: t.Outputs[0].Port, Buffer: &made.Buffer}}
	err = guard(func() error { return p.stages[t.stage].body.Run(ctx, &own) })
	if err != nil {
		return nil, nil, errors.Join(err, made.Close(), release(lease))
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
