package cuda

import (
	"context"
	"fmt"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/internal/parallel"
)

// StagingBytes is a good size for the pinned memory that host memory crosses the bus through: two halves, one of which
// the CPU fills while the other is copied.
const StagingBytes = 16 << 20

// A stager copies pageable host memory to the device through pinned memory. Copied straight, it would go at a ninth of
// the bus's speed, since the driver does the same with one small buffer and one thread.
type stager struct {
	stream  *cudabind.Stream
	halves  [2][]byte
	copied  [2]*cudabind.Event // passed when a half may be filled again
	next    int
	threads int
}

func newStager(s *cudabind.Stream, staging []byte, threads int) (*stager, error) {
	half := len(staging) / 2 &^ 63
	st := &stager{stream: s, halves: [2][]byte{staging[:half], staging[half : 2*half]}, threads: threads}
	for i := range st.copied {
		event, err := s.Device().NewEvent()
		if err != nil {
			st.close()
			return nil, err
		}
		st.copied[i] = event
	}
	return st, nil
}

// upload queues the copy of from to the start of to, and returns when the last piece is queued; staging is in use until
// the stream has passed. When ctx ends, the rest is left out.
func (st *stager) upload(ctx context.Context, to *cudabind.Buffer, from []byte) error {
	const grain = 1 << 20
	return st.feed(ctx, to, len(from), func(piece []byte, offset int) error {
		return parallel.Ranges(ctx, len(piece), grain, st.threads, func(first, end int) error {
			copy(piece[first:end], from[offset+first:offset+end])
			return nil
		})
	})
}

// feed is upload for bytes that fill makes, piece by piece and in order, each at an offset that is a multiple of 64.
func (st *stager) feed(ctx context.Context, to *cudabind.Buffer, bytes int, fill func(piece []byte, offset int) error) error {
	for done := 0; done < bytes; {
		if err := ctx.Err(); err != nil {
			return err
		}
		size := min(len(st.halves[0]), bytes-done)
		view, ok := to.Slice(done, size)
		if !ok {
			return fmt.Errorf("%w: %d bytes for a buffer of %d", engine.ErrOperand, bytes, to.Bytes())
		}
		if err := st.feedPiece(view, size, func(piece []byte) error { return fill(piece, done) }); err != nil {
			return err
		}
		done += size
	}
	return nil
}

func (st *stager) feedPiece(to *cudabind.Buffer, size int, fill func([]byte) error) error {
	half, event := st.halves[st.next][:size], st.copied[st.next]
	st.next = 1 - st.next
	if err := event.Synchronize(); err != nil { // one that was never recorded is passed
		return err
	}
	if err := fill(half); err != nil {
		return err
	}
	if err := st.stream.Upload(to, half); err != nil {
		return err
	}
	return st.stream.Record(event)
}

// close ends the events; the stream must have passed them or be drained before staging is used again.
func (st *stager) close() {
	for _, event := range st.copied {
		if event != nil {
			event.Close() // destroying an event fails only where the device already has
		}
	}
}

// UploadNeed says what Upload takes at best.
func UploadNeed(bytes int64, from Place) Need { return Need{Pinned: stagingFor(bytes, from)} }

// Upload copies host memory to the start of to. Pinned memory goes as it is (staging nil); any other through staging, at
// least 128 bytes of pinned memory. from and staging are in use until Wait has returned.
func (d *Device) Upload(to *cudabind.Buffer, from, staging []byte, threads int) (*Pending, error) {
	if staging == nil {
		return d.launch(func(s *cudabind.Stream) error { return s.Upload(to, from) })
	}
	p, err := d.launch(func(*cudabind.Stream) error { return nil })
	if err != nil {
		return nil, err
	}
	p.drive = func(ctx context.Context) error { return stage(ctx, p.stream, to, from, staging, threads) }
	return p, nil
}

// stage copies pageable memory through staging.
func stage(ctx context.Context, s *cudabind.Stream, to *cudabind.Buffer, from, staging []byte, threads int) error {
	st, err := newStager(s, staging, threads)
	if err != nil {
		return err
	}
	defer st.close()
	return st.upload(ctx, to, from)
}
