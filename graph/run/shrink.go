package run

import (
	"fmt"

	"github.com/proofgraph/proofgraph/graph/budget"
)

// ShrinkPort frees the tail of an input or output early, unless another stage still holds the buffer, the cache owns it, or
// it lies in device or pinned memory, of which only all can be freed.
func (t *task) ShrinkPort(port string, bytes int64) error {
	p, f := t.pipeline, t.flight
	b, input := t.bufferOf(port)
	if b < 0 {
		return fmt.Errorf("there is no port %q", port)
	}
	if p.program.Graph.Buffers[b].Cached {
		return nil
	}
	lease := f.buffers[b].Lease
	switch {
	case lease == nil || lease.Size() <= bytes:
		return nil
	case input && f.holders[b].Load() > 1:
		return nil
	case lease.Memory() != budget.Host && bytes > 0: // it comes back whole or not at all
		return nil
	}
	if err := lease.Shrink(bytes); err != nil {
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
