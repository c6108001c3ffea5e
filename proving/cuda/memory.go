package cuda

import (
	"fmt"
	"unsafe"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
)

// Need is what a step takes beside its operands, in bytes.
type Need struct {
	Device int64 // scratch on the device, aligned to 256
	Pinned int64 // page-locked host memory, aligned to a page: staging, and results on their way back
}

// Scratch is the memory that a Need asked for; either may be larger.
type Scratch struct {
	Device *cudabind.Buffer
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

// DeviceMemory gives memory of a device as ranges of addresses that the host must not touch; it fits the buffer
// tracker's Allocator. Memory goes back whole.
type DeviceMemory struct{ Device *Device }

// Map allocates bytes on the device, not zeroed.
func (m DeviceMemory) Map(bytes int64) ([]byte, error) {
	b, err := m.Device.Alloc(int(wholePages(bytes)))
	if err != nil {
		return nil, err
	}
	return unsafe.Slice((*byte)(b.Address()), b.Bytes()), nil
}

// Unmap frees what Map gave.
func (m DeviceMemory) Unmap(memory []byte) error {
	return m.Device.At(unsafe.Pointer(unsafe.SliceData(memory)), len(memory)).Free()
}

// PinnedMemory gives page-locked host memory, for the buffer tracker's Allocator. Memory goes back whole.
type PinnedMemory struct{}

// Map allocates page-locked bytes, not zeroed.
func (PinnedMemory) Map(bytes int64) ([]byte, error) {
	return cudabind.AllocPinned(int(wholePages(bytes)))
}

// Unmap frees what Map gave.
func (PinnedMemory) Unmap(memory []byte) error { return cudabind.FreePinned(memory) }

const page = 4096

func wholePages(bytes int64) int64 { return (bytes + page - 1) &^ (page - 1) }

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

// curveOf gives cudabind's name of a curve.
func curveOf(id curve.ID) cudabind.Curve {
	return map[curve.ID]cudabind.Curve{curve.BN254: cudabind.BN254, curve.BLS12381: cudabind.BLS12381}[id]
}

// groupOf gives cudabind's name of a group of points.
func groupOf(id curve.ID, g curve.Group) cudabind.Group {
	switch {
	case id == curve.BN254 && g == curve.G1:
		return cudabind.BN254G1
	case id == curve.BN254:
		return cudabind.BN254G2
	case g == curve.G1:
		return cudabind.BLS12381G1
	}
	return cudabind.BLS12381G2
}
