package cuda

import (
	"unsafe"

	"github.com/proofgraph/proofgraph/cudabind"
)

// DeviceMemory gives memory of a device as ranges of addresses that the host must not touch: an allocator for whoever
// counts the bytes. Memory goes back whole, once no step uses it.
type DeviceMemory struct{ Device *Device }

// Map allocates bytes on the device, whole pages of them, not zeroed.
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

// PinnedMemory gives page-locked host memory, as DeviceMemory does that of a device.
type PinnedMemory struct{}

// Map allocates page-locked bytes, whole pages of them, not zeroed.
func (PinnedMemory) Map(bytes int64) ([]byte, error) {
	return cudabind.AllocPinned(int(wholePages(bytes)))
}

// Unmap frees what Map gave.
func (PinnedMemory) Unmap(memory []byte) error { return cudabind.FreePinned(memory) }

const page = 4096

func wholePages(bytes int64) int64 { return (bytes + page - 1) &^ (page - 1) }
