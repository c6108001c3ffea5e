package cuda

import (
	"fmt"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/proving/engine"
)

// Need is what a step takes beside its operands, in bytes. It follows from sizes alone, so it is known before anything is
// allocated.
type Need struct {
	Device int64 // scratch on the device, aligned to 256
	Pinned int64 // page-locked host memory, aligned to a page: staging, and results on their way back
}

// Scratch is the memory that a Need asked for; either may be larger. It stays its owner's, who may use it again once the
// step's Wait has returned.
type Scratch struct {
	Device *cudabind.Buffer // nil: none
	Pinned []byte
}

// check refuses scratch that is smaller than what the step needs.
func (s Scratch) check(step string, n Need) error {
	var device int64
	if s.Device != nil {
		device = int64(s.Device.Bytes())
	}
	if device < n.Device || int64(len(s.Pinned)) < n.Pinned {
		return fmt.Errorf("%w: %s takes %d bytes of device scratch and %d pinned, and has %d and %d", engine.ErrOperand,
			step, n.Device, n.Pinned, device, len(s.Pinned))
	}
	return nil
}

// carver cuts a buffer into pieces aligned to 256 bytes.
type carver struct {
	from *cudabind.Buffer
	used int
	err  error
}

func (c *carver) take(bytes int) *cudabind.Buffer {
	if c.from == nil {
		c.from = &cudabind.Buffer{}
	}
	piece, ok := c.from.Slice(c.used, bytes)
	if !ok && c.err == nil {
		c.err = fmt.Errorf("%w: %d bytes of a device's memory are too few", engine.ErrOperand, c.from.Bytes())
	}
	c.used += int(aligned(int64(bytes)))
	return piece
}

// aligned rounds up to the alignment that kernels want.
func aligned(bytes int64) int64 { return (bytes + 255) &^ 255 }

// alignedSum is the room of several pieces, each aligned.
func alignedSum(sizes ...int) (sum int64) {
	for _, bytes := range sizes {
		sum += aligned(int64(bytes))
	}
	return sum
}
