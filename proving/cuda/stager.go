package cuda

import (
	"context"
	"fmt"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/internal/parallel"
)

// StagingBytes is the most pinned memory that host memory crosses the bus through: more takes longer to pin than it saves.
const StagingBytes = 16 << 20

// stagingSlots is how many slots staging is cut into: the CPU fills one while the bus empties those before it. With two,
// the CPU would wait for the bus at every slot, and waking up takes as long as copying one.
const stagingSlots = 4

// leastStaging is a cache line a slot, bytes.
const leastStaging = stagingSlots * 64

// stagingFor is the pinned memory that so many bytes of an operand in a place cross the bus through.
func stagingFor(bytes int64, from Place) int64 {
	if from != OnHost || bytes == 0 {
		return 0
	}
	return min(StagingBytes, (bytes+leastStaging-1)/leastStaging*leastStaging)
}

// A stager copies pageable host memory to the device and back through pinned memory. Copied straight, it would go at a
// ninth of the bus's speed, since the driver does the same with one small buffer and one thread.
type stager struct {
	stream  *cudabind.Stream
	slots   [stagingSlots][]byte
	copied  [stagingSlots]*cudabind.Event // passed when the last copy from or to a slot is over
	next    int
	threads int
}

func newStager(s *cudabind.Stream, staging []byte, threads int) (*stager, error) {
	if len(staging) < leastStaging {
		return nil, fmt.Errorf("%w: %d bytes of staging", engine.ErrOperand, len(staging))
	}
	size := len(staging) / stagingSlots &^ 63
	st := &stager{stream: s, threads: threads}
	for i := range st.slots {
		st.slots[i] = staging[i*size : (i+1)*size]
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
	return st.fill(ctx, to, len(from), func(piece []byte, offset int) error {
		return st.copy(ctx, piece, from[offset:offset+len(piece)])
	})
}

// copy copies host memory, with the stager's threads.
func (st *stager) copy(ctx context.Context, to, from []byte) error {
	const grain = 1 << 18 // bytes
	return parallel.Ranges(ctx, len(to), grain, st.threads, func(first, end int) error {
		copy(to[first:end], from[first:end])
		return nil
	})
}

// fill is upload for bytes that write makes, piece by piece and in order, each at an offset that is a multiple of 64.
func (st *stager) fill(
	ctx context.Context, to *cudabind.Buffer, bytes int, write func(piece []byte, offset int) error,
) error {
	for done := 0; done < bytes; {
		if err := ctx.Err(); err != nil {
			return err
		}
		size := min(len(st.slots[0]), bytes-done)
		view, ok := to.Slice(done, size)
		if !ok {
			return fmt.Errorf("%w: %d bytes for a buffer of %d", engine.ErrOperand, bytes, to.Bytes())
		}
		if err := st.fillPiece(view, size, func(piece []byte) error { return write(piece, done) }); err != nil {
			return err
		}
		done += size
	}
	return nil
}

func (st *stager) fillPiece(to *cudabind.Buffer, size int, write func([]byte) error) error {
	slot, event := st.nextSlot(size)
	if err := event.Synchronize(); err != nil { // one that was never recorded is passed
		return err
	}
	if err := write(slot); err != nil {
		return err
	}
	if err := st.stream.Upload(to, slot); err != nil {
		return err
	}
	return st.stream.Record(event)
}

// nextSlot gives the first bytes of the slot whose turn it is, and its event.
func (st *stager) nextSlot(bytes int) ([]byte, *cudabind.Event) {
	slot, event := st.slots[st.next][:bytes], st.copied[st.next]
	st.next = (st.next + 1) % stagingSlots
	return slot, event
}

// close ends the events; the stream must have passed them or be drained before staging is used again.
func (st *stager) close() {
	for _, event := range st.copied {
		if event != nil {
			event.Close() // destroying an event fails only where the device already has
		}
	}
}
