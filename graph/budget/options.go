package budget

import (
	"math"
	"runtime"
)

// An Option changes how a tracker behaves.
type Option func(*settings)

type settings struct {
	allocators map[int]Allocator
	host       Allocator
	freeList   int64
	idle       map[int]int64 // by pool: instead of freeList
	observer   func(Event)
	originFrom int64 // the size from which a lease remembers where it was asked for
}

func defaults() settings {
	return settings{host: System{}, originFrom: 1 << 20}
}

// WithHugePages advises huge pages for leases of 4 MiB and more, which are then aligned to 2 MiB.
func WithHugePages() Option {
	return func(s *settings) { s.host = System{HugePages: true} }
}

// WithAllocator makes the leases of one pool (an index) of memory that a gives. A pool of Pinned or Device memory needs
// one: without it no lease of bytes is given (ErrNoMemory).
func WithAllocator(pool int, a Allocator) Option {
	return func(s *settings) {
		if s.allocators == nil {
			s.allocators = map[int]Allocator{}
		}
		s.allocators[pool] = a
	}
}

// WithFreeList keeps up to that many bytes of released memory in each pool for later leases of the same size, which
// then need no page faults. They count in their pool, as class "idle", and are given up before a lease is refused.
func WithFreeList(bytes int64) Option {
	return func(s *settings) { s.freeList = bytes }
}

// WithIdle keeps up to that many bytes of released memory in one pool (an index), whatever WithFreeList says of all. It is
// for memory that is slow to get, as a device's is.
func WithIdle(pool int, bytes int64) Option {
	return func(s *settings) {
		if s.idle == nil {
			s.idle = map[int]int64{}
		}
		s.idle[pool] = bytes
	}
}

// WithObserver calls observe for every event of the tracker, in order within a pool and with that pool locked: it must
// be quick and must not call the tracker or a lease.
func WithObserver(observe func(Event)) Option {
	return func(s *settings) { s.observer = observe }
}

// WithOrigins makes every lease remember where it was asked for; without it those of 1 MiB and more do.
func WithOrigins() Option {
	return func(s *settings) { s.originFrom = math.MinInt64 }
}

// originOf captures the callers of Lease or Charge, if a lease of that size is to remember them.
func (s *settings) originOf(bytes int64) []uintptr {
	if bytes < s.originFrom {
		return nil
	}
	const skip = 4 // runtime.Callers, originOf, open, and Lease or Charge
	frames := make([]uintptr, 4)
	return frames[:runtime.Callers(skip, frames)]
}
