//go:build unix

package budget

import (
	"math"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	hugePage     = 2 << 20
	hugePageFrom = 4 << 20 // smaller leases are not worth the alignment
)

var pageSize = int64(os.Getpagesize())

// wholePages rounds a size up to whole pages.
func wholePages(bytes int64) int64 { return (bytes + pageSize - 1) &^ (pageSize - 1) }

// System is anonymous private memory of the operating system.
type System struct {
	// HugePages aligns mappings of 4 MiB and more to 2 MiB and advises huge pages for those that lie wholly in them, so
	// that a mapping's resident size never exceeds it.
	HugePages bool
}

// Map implements Allocator. Where the process's addresses are limited it refuses what would leave too few for the runtime.
func (s System) Map(bytes int64) ([]byte, error) {
	if bytes <= 0 || bytes > math.MaxInt-hugePage {
		return nil, unix.ENOMEM
	}
	size := wholePages(bytes)
	if err := leavesHeadroom(size); err != nil {
		return nil, err
	}
	if !s.HugePages || size < hugePageFrom {
		mem, err := mapAnonymous(size)
		avoidHugePages(mem)
		return mem, err
	}
	mem, err := mapAligned(size)
	if err != nil {
		return nil, err
	}
	whole := size &^ (hugePage - 1)
	adviseHugePages(mem[:whole])
	avoidHugePages(mem[whole:])
	return mem, nil
}

// Unmap implements Allocator. Where the system cannot unmap, because that would split one mapping too many, the
// contents go back all the same and only addresses are lost.
func (System) Unmap(mem []byte) error {
	err := unix.MunmapPtr(unsafe.Pointer(unsafe.SliceData(mem)), uintptr(len(mem)))
	if err == nil || unix.Madvise(mem, unix.MADV_DONTNEED) == nil {
		return nil
	}
	return err
}

func mapAnonymous(size int64) ([]byte, error) {
	const flags = unix.MAP_ANON | unix.MAP_PRIVATE
	start, err := unix.MmapPtr(-1, 0, nil, uintptr(size), unix.PROT_READ|unix.PROT_WRITE, flags)
	if err != nil {
		return nil, err
	}
	return unsafe.Slice((*byte)(start), size), nil
}

// mapAligned maps one huge page more than asked, and cuts what lies before and after the aligned part.
func mapAligned(size int64) ([]byte, error) {
	mem, err := mapAnonymous(size + hugePage)
	if err != nil {
		return nil, err
	}
	start := uintptr(unsafe.Pointer(unsafe.SliceData(mem)))
	before := int64(-start & (hugePage - 1))
	for _, excess := range [][]byte{mem[:before], mem[before+size:]} {
		if len(excess) > 0 {
			// An excess that stays mapped is never touched, so it costs addresses and no memory.
			_ = System{}.Unmap(excess)
		}
	}
	return mem[before : before+size : before+size], nil
}
