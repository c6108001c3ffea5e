package cuda

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/internal/parallel"
)

// A deal hands out the pieces of a copy to lanes: each piece goes to the lane that asks first, so that none waits for
// another, as they would for the slowest of several that share a piece.
type deal struct {
	bytes, piece int
	next         atomic.Int64
	failed       atomic.Bool // a lane has, and the rest is left out
}

// take gives the next piece.
func (d *deal) take() (first, end int, more bool) {
	end = int(d.next.Add(int64(d.piece)))
	first = end - d.piece
	if first >= d.bytes || d.failed.Load() {
		return 0, 0, false
	}
	return first, min(end, d.bytes), true
}

// inLanes copies so many bytes in lanes, each of which takes pieces of the deal until there are no more.
func (st *stager) inLanes(ctx context.Context, bytes int, copyAll func(d *deal, lane int) error) error {
	d := &deal{bytes: bytes, piece: len(st.slots[0])}
	return parallel.Ranges(ctx, st.lanes, 1, st.lanes, func(first, end int) error {
		for lane := first; lane < end; lane++ {
			if err := copyAll(d, lane); err != nil {
				d.failed.Store(true)
				return err
			}
		}
		return nil
	})
}

// slotOf gives the slot of a lane's next piece, the number of those before it being count.
func (st *stager) slotOf(lane, count int) int { return (lane + count*st.lanes) % len(st.slots) }

// upload queues the copy of from to the start of to, and returns when the last piece is queued; staging is in use until
// the stream has passed. When ctx ends, the rest is left out.
func (st *stager) upload(ctx context.Context, to *cudabind.Buffer, from []byte) error {
	if to.Bytes() < len(from) {
		return fmt.Errorf("%w: %d bytes for a buffer of %d", engine.ErrOperand, len(from), to.Bytes())
	}
	return st.inLanes(ctx, len(from), func(d *deal, lane int) error {
		for count := 0; ; count++ {
			first, end, more := d.take()
			if !more || ctx.Err() != nil {
				return ctx.Err()
			}
			view, _ := to.Slice(first, end-first)
			err := st.send(st.slotOf(lane, count), view, end-first, func(piece []byte) error {
				copy(piece, from[first:end])
				return nil
			})
			if err != nil {
				return err
			}
		}
	})
}

// download copies the start of from to pageable host memory, and returns when it is there. A lane empties one slot while
// the next is filled. When ctx ends, the rest is left out.
func (st *stager) download(ctx context.Context, to []byte, from *cudabind.Buffer) error {
	return st.inLanes(ctx, len(to), func(d *deal, lane int) error {
		arriving := func() error { return nil } // empties the slot that is being filled
		for count := 0; ; count++ {
			first, end, more := d.take()
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if !more {
				return arriving()
			}
			view, _ := from.Slice(first, end-first)
			arrived, err := st.fetch(st.slotOf(lane, count), to[first:end], view)
			if err == nil {
				err = arriving()
			}
			if err != nil {
				return err
			}
			arriving = arrived
		}
	})
}

// fetch queues the copy of a piece into a slot, and gives what takes it from there.
func (st *stager) fetch(slot int, to []byte, from *cudabind.Buffer) (arrived func() error, err error) {
	piece := st.slots[slot][:len(to)]
	if err := st.stream.Download(piece, from); err != nil {
		return nil, err
	}
	if err := st.stream.Record(st.copied[slot]); err != nil {
		return nil, err
	}
	return func() error {
		if err := st.copied[slot].Synchronize(); err != nil {
			return err
		}
		copy(to, piece)
		return nil
	}, nil
}
