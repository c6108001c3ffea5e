package cuda

import (
	"context"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/proving/internal/parallel"
)

// download copies the start of from to pageable host memory, and returns when it is there. One part of staging is
// emptied while the next is filled. When ctx ends, the rest is left out.
func (st *stager) download(ctx context.Context, to []byte, from *cudabind.Buffer) error {
	var arriving func() error // empties the part that is being filled
	for done := 0; done < len(to); {
		if err := ctx.Err(); err != nil {
			return err
		}
		piece := to[done:min(done+len(st.parts[0]), len(to))]
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

// fetchPiece queues the copy of a piece into the next part, and gives what takes it from there.
func (st *stager) fetchPiece(ctx context.Context, to []byte, from *cudabind.Buffer) (arrived func() error, err error) {
	part, event := st.nextPart(len(to))
	if err := st.stream.Download(part, from); err != nil {
		return nil, err
	}
	if err := st.stream.Record(event); err != nil {
		return nil, err
	}
	return func() error {
		if err := event.Synchronize(); err != nil {
			return err
		}
		return st.copyOut(ctx, to, part)
	}, nil
}

func (st *stager) copyOut(ctx context.Context, to, from []byte) error {
	return parallel.Ranges(ctx, len(to), copyGrain, st.threads, func(first, end int) error {
		copy(to[first:end], from[first:end])
		return nil
	})
}
