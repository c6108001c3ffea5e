//go:build unix

package budget

import (
	"fmt"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Sealed is an allocator for tests that stands for a device's memory: it gives addresses that nothing may touch, so that a
// host that reads or writes there ends the process. Like a device it takes back only whole what it gave. Its zero value is
// ready, and a Sealed must not be copied once it is used.
type Sealed struct {
	mu    sync.Mutex
	given map[unsafe.Pointer]int // bytes by address
}

// Map implements Allocator.
func (s *Sealed) Map(bytes int64) ([]byte, error) {
	size := wholePages(bytes)
	start, err := unix.MmapPtr(-1, 0, nil, uintptr(size), unix.PROT_NONE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.given == nil {
		s.given = map[unsafe.Pointer]int{}
	}
	s.given[start] = int(size)
	return unsafe.Slice((*byte)(start), size), nil
}

// Unmap implements Allocator.
func (s *Sealed) Unmap(mem []byte) error {
	start := unsafe.Pointer(unsafe.SliceData(mem))
	s.mu.Lock()
	defer s.mu.Unlock()
	if size := s.given[start]; size != len(mem) {
		return fmt.Errorf("%d bytes at %p came back of %d", len(mem), start, size)
	}
	delete(s.given, start)
	return unix.MunmapPtr(start, uintptr(len(mem)))
}

// Given says how many blocks have not come back.
func (s *Sealed) Given() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.given)
}
