//go:build unix

package budget

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Guarded is an allocator for tests: a page that cannot be touched follows each mapping, and unmapped memory stays
// untouchable for ever, so that an overrun or a use after release ends the process where it happens. It never gives
// addresses back.
type Guarded struct{}

// Map implements Allocator.
func (Guarded) Map(bytes int64) ([]byte, error) {
	mem, err := System{}.Map(wholePages(bytes) + pageSize)
	if err != nil {
		return nil, err
	}
	usable := int64(len(mem)) - pageSize
	if err := unix.Mprotect(mem[usable:], unix.PROT_NONE); err != nil {
		_ = System{}.Unmap(mem)
		return nil, err
	}
	return mem[:usable:usable], nil
}

// Unmap implements Allocator: a new mapping that cannot be touched takes the place of the old one.
func (Guarded) Unmap(mem []byte) error {
	const flags = unix.MAP_ANON | unix.MAP_PRIVATE | unix.MAP_FIXED
	start := unsafe.Pointer(unsafe.SliceData(mem))
	_, err := unix.MmapPtr(-1, 0, start, uintptr(len(mem)), unix.PROT_NONE, flags)
	return err
}
