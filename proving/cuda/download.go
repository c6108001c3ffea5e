package cuda

import (
	"context"

	"github.com/proofgraph/proofgraph/cudabind"
)

// download copies the start of from to pageable host memory, and returns when it is there. One slot of staging is
// emptied while the next is filled. When ctx ends, the rest is left out.
func (st *stager) download(ctx context.Context, to []byte, from *cudabind.Buffer) error {
	var arriving func() error // empties the slot that is being filled
	for done := 0; done < len(to); {
		if err := ctx.Err(); err != nil {
			return err
		}
		piece := to[done:min(done+len(st.slots[0]), len(to))]
		view, _ := from.Slice(done, len(piece))
		arrived, err := st.fetchPiece(ctx, piece, view)
		if err != nil {
			return err
		}
		if arriving != nil {
			if err := arriving(); err != nil {
				return err
			}
		}
		arriving, done = arrived, done+len(piece)
	}
	if arriving == nil {
		return nil
	}
	return arriving()
}

// fetchPiece queues the copy of a piece into the next slot, and gives what takes it from there.
func (st *stager) fetchPiece(ctx context.Context, to []byte, from *cudabind.Buffer) (arrived func() error, err error) {
	slot, event := st.nextSlot(len(to))
	if err := st.stream.Download(slot, from); err != nil {
		return nil, err
	}
	if err := st.stream.Record(event); err != nil {
		return nil, err
	}
	return func() error {
		if err := event.Synchronize(); err != nil {
			return err
		}
		return st.copy(ctx, to, slot)
	}, nil
}
