package run

import (
	"errors"
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
	refs    []*cache.Ref   // per buffer: the cache entry that it is; nil where no buffer is cached
	moving  bool           // its device failed it, and it will begin anew on another
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
		if g.Buffers[b].Cached && f.refs == nil { // here, since bodies of several cached outputs run at once
			f.refs = make([]*cache.Ref, len(g.Buffers))
		}
	}
	return f
}

// keep holds a cache entry as a buffer of the item.
func (f *flight) keep(buffer int, ref *cache.Ref) error {
	entry, ok := ref.Value().(*cached)
	if !ok {
		return errors.Join(fmt.Errorf("a cache entry is a %T", ref.Value()), ref.Release())
	}
	f.refs[buffer], f.buffers[buffer] = ref, entry.Buffer
	return nil
}

// let says that one holder of a buffer has ended; the last one frees it.
func (f *flight) let(buffer int) error {
	if f.holders[buffer].Add(-1) > 0 {
		return nil
	}
	return f.free(buffer)
}

// free ends a buffer: its value, if that is something to close, and then its lease. A cached one goes back to the cache.
func (f *flight) free(buffer int) error {
	b := f.buffers[buffer]
	f.buffers[buffer] = stage.Buffer{}
	if f.refs != nil && f.refs[buffer] != nil {
		ref := f.refs[buffer]
		f.refs[buffer] = nil
		return ref.Release()
	}
	return errors.Join(closeValue(b.Value), release(b.Lease))
}

// freeAll frees whatever a failed item still holds.
func (f *flight) freeAll() error {
	var err error
	for b := range f.buffers {
		err = errors.Join(err, f.free(b))
	}
	return err
}
