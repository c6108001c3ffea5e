package budget

import (
	"fmt"
	"slices"
)

// Memory says whose memory a pool's is.
type Memory uint8

// The memories. A pool is of Host memory unless it says otherwise.
const (
	Host   Memory = iota // anonymous memory of the process
	Pinned               // page-locked host memory, which a device can copy from and to by itself
	Device               // a device's own memory, which the host can neither read nor write
)

var memoryNames = [...]string{"host", "pinned", "device"}

// String gives the name that a pipeline writes: "host", "pinned" or "device".
func (m Memory) String() string {
	if int(m) < len(memoryNames) {
		return memoryNames[m]
	}
	return fmt.Sprintf("memory(%d)", uint8(m))
}

// Memories lists the names of all memories, in the order of their values.
func Memories() []string { return slices.Clone(memoryNames[:]) }

// An Allocator gives memory off Go's heap.
type Allocator interface {
	// Map gives at least bytes (> 0) of memory: so many whole pages, aligned to a page. That of a Host pool is zeroed. That
	// of a Device pool is named by its address and its length alone: nobody reads or writes the slice.
	Map(bytes int64) ([]byte, error)
	// Unmap takes back memory that Map gave; of Host and Pinned memory also whole pages at its end.
	Unmap(mem []byte) error
}
