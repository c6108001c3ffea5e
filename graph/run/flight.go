package run

import (
	"fmt"
	"sync/atomic"

	"github.com/proofgraph/proofgraph/graph/cache"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/sched"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// flight is an item on its way: the buffers it holds, and how many bodies each is still wanted by.
type flight struct {
	id      sched.ItemID
	item    *stage.Item
	index   int // among the items of its job
	job     *jobRun
	shape   *program.Shape
	ctx     itemContext
	buffers []stage.Buffer
	holders []atomic.Int32 // per buffer: its producer and its consumers, until they end
	refs    []*cache.Ref   // per buffer: the cache entry that it is
}

func (p *Pipeline) newFlight(id sched.ItemID, job *jobRun, index int, shape *program.Shape) *flight {
	g := p.program.Graph
	f := &flight{
		id: id, item: &job.Job.Items[index], index: index, job: job, shape: shape,
		buffers: make([]stage.Buffer, len(g.Buffers)), holders: make([]atomic.Int32, len(g.Buffers)),
	}
	f.ctx.run = p.ctx
	for b := range g.Buffers {
		f.holders[b].Store(int32(1 + len(g.Buffers[b].Edges)))
	}
	return f
}

// keep holds a cache entry as a buffer of the item.
func (f *flight) keep(buffer int, ref *cache.Ref) error {
	entry, ok := ref.Value().(*stage.Buffer)
	if !ok {
		ref.Release()
		return fmt.Errorf("a cache entry is a %T", ref.Value())
	}
	if f.refs == nil {
		f.refs = make([]*cache.Ref, len(f.buffers))
	}
	f.refs[buffer], f.buffers[buffer] = ref, *entry
	return nil
}

// let says that one holder of a buffer has ended; the last one frees it.
func (f *flight) let(buffer int) error {
	if f.holders[buffer].Add(-1) > 0 {
		return nil
	}
	return f.free(buffer)
}

func (f *flight) free(buffer int) error {
	if f.refs != nil && f.refs[buffer] != nil {
		f.refs[buffer].Release()
		f.refs[buffer] = nil
		f.buffers[buffer] = stage.Buffer{}
		return nil
	}
	lease := f.buffers[buffer].Lease
	f.buffers[buffer] = stage.Buffer{}
	if lease == nil {
		return nil
	}
	return lease.Release()
}

// freeAll frees whatever a failed item still holds.
func (f *flight) freeAll() error {
	var first error
	for b := range f.buffers {
		if err := f.free(b); err != nil && first == nil {
			first = err
		}
	}
	return first
}
