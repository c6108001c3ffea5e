package cuda

import (
	"context"
	"fmt"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/proving/engine"
)

// StagingBytes is the most pinned memory that host memory crosses the bus through: more takes longer to pin than it saves.
const StagingBytes = 16 << 20

// A lane is a thread that copies, with slots of staging of its own: it fills one while the bus empties those before it.
// Eight of them feed any bus there is. With fewer than four slots in all the CPU would wait for the bus at every one.
const (
	mostLanes  = 8
	leastSlots = 4
	leastLane  = 1 << 18 // bytes of staging that are worth a lane
)

// leastStaging is a cache line a slot, bytes.
const leastStaging = leastSlots * 64

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
	stream *cudabind.Stream
	slots  [][]byte
	copied []*cudabind.Event // by slot: passed when the last copy from or to it is over
	next   int               // the slot whose turn it is in fill
	lanes  int
}

func newStager(s *cudabind.Stream, staging []byte, threads int) (*stager, error) {
	if len(staging) < leastStaging {
		return nil, fmt.Errorf("%w: %d bytes of staging", engine.ErrOperand, len(staging))
	}
	st := &stager{stream: s, lanes: max(1, min(threads, mostLanes, len(staging)/leastLane))}
	slots := max(2*st.lanes, leastSlots)
	size := len(staging) / slots &^ 63
	for i := range slots {
		event, err := s.Device().NewEvent()
		if err != nil {
			st.close()
			return nil, err
		}
		st.slots, st.copied = append(st.slots, staging[i*size:(i+1)*size]), append(st.copied, event)
	}
	return st, nil
}

// fill queues the copy of bytes that write makes, piece by piece and in order, each at an offset that is a multiple of 64,
// and returns when the last piece is queued; staging is in use until the stream has passed. When ctx ends, the rest is left
// out.
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
	slot := st.next
	st.next = (st.next + 1) % len(st.slots)
	return st.send(slot, to, size, write)
}

// send fills a slot, once it is empty, and queues its copy to the device.
func (st *stager) send(slot int, to *cudabind.Buffer, size int, write func([]byte) error) error {
	if err := st.copied[slot].Synchronize(); err != nil { // one that was never recorded is passed
		return err
	}
	piece := st.slots[slot][:size]
	if err := write(piece); err != nil {
		return err
	}
	if err := st.stream.Upload(to, piece); err != nil {
		return err
	}
	return st.stream.Record(st.copied[slot])
}

// close ends the events; the stream must have passed them or be drained before staging is used again.
func (st *stager) close() {
	for _, event := range st.copied {
		event.Close() // destroying an event fails only where the device already has
	}
}
