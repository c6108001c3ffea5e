// Package budget is the global buffer tracker: every large buffer of a pipeline is leased here before it exists.
//
// A Tracker has Pools (hard numbers of bytes) and Classes (what a buffer is; each lies in one pool). Lease gives memory
// off Go's heap, Charge counts memory that something else allocates; both are refused at once, with a typed error, when
// the pool would be exceeded. The tracker never waits: who may ask when is the scheduling core's business, and this is
// the backstop that makes its arithmetic real. Its counts are exact: a byte is counted from before it is mapped until
// after it is unmapped, so the process's anonymous resident size never exceeds what is counted by more than the part
// of a page that each lease leaves unused.
//
// Reading order: Tracker (tracker.go), Lease (lease.go), pool and counters (pool.go, counts.go), whose memory it is
// (memory.go, system.go, freelist.go), what is shown (snapshot.go, leaks.go, event.go, resident.go), what the machine
// offers (limit.go, cgroup.go, rlimit.go). Guarded (guard.go) and Sealed (sealed.go) are memory for tests.
package budget

import (
	"errors"
	"fmt"
	"math"
	"sync/atomic"
)

// A Pool is a number of bytes that leases come from.
type Pool struct {
	Name string
	// Limit is the most bytes that may be leased from the pool at once; below zero they are counted, never refused.
	Limit int64
	// Memory says whose memory it is.
	Memory Memory
}

// A Class is what a buffer is ("witness", "key"); its leases come from one pool.
type Class struct {
	Name string
	Pool int // index into the tracker's pools
}

// A Tracker makes leases and counts them. All its methods, and those of its leases, may be called concurrently.
type Tracker struct {
	pools    []*pool
	classes  []*class
	settings settings
	// mapped counts bytes of address space that the tracker's own allocators have given and not got back.
	mapped  atomic.Int64
	doubles atomic.Int64
	closed  atomic.Bool
	waiters atomic.Pointer[func() []Waiter]
}

type class struct {
	Class
	counts counter
}

// New makes a tracker of the given pools and classes. Names must be present and distinct, a class's pool must exist,
// and the class name "idle" belongs to the tracker.
func New(pools []Pool, classes []Class, opts ...Option) (*Tracker, error) {
	t := &Tracker{settings: defaults()}
	for _, opt := range opts {
		opt(&t.settings)
	}
	if err := checkNames(pools, classes); err != nil {
		return nil, fmt.Errorf("budget: %w", err)
	}
	for i, p := range pools {
		t.pools = append(t.pools, newPool(t, i, p))
	}
	for _, c := range classes {
		t.classes = append(t.classes, &class{Class: c})
	}
	return t, nil
}

func checkNames(pools []Pool, classes []Class) error {
	seen := map[string]bool{"pool ": true, "class ": true, "class " + idleName: true}
	for _, p := range pools {
		if seen["pool "+p.Name] {
			return fmt.Errorf("pool name %q is empty or taken", p.Name)
		}
		seen["pool "+p.Name] = true
	}
	for _, c := range classes {
		if seen["class "+c.Name] {
			return fmt.Errorf("class name %q is empty, reserved or taken", c.Name)
		}
		if c.Pool < 0 || c.Pool >= len(pools) {
			return fmt.Errorf("class %q: there is no pool %d", c.Name, c.Pool)
		}
		seen["class "+c.Name] = true
	}
	return nil
}

// Lease gives bytes of memory off Go's heap, aligned to a page, counted to class and held by holder until the lease is
// released. Host memory is zeroed; Pinned and Device memory has whatever its allocator or an earlier lease left in it. It
// is refused with an *OverBudgetError where the pool has not as much left, and with a *SystemError where the system does
// not give the memory, or nobody told where to get it (ErrNoMemory); nothing stays counted then.
func (t *Tracker) Lease(class int, bytes int64, holder string) (*Lease, error) {
	l, err := t.open(class, bytes, holder)
	if err != nil {
		return nil, err
	}
	if l.block.pool.memory == nil && bytes > 0 {
		return nil, l.block.noMemory()
	}
	l.block.backed = true
	recycled, err := l.block.pool.enter(l)
	if err != nil {
		return nil, err
	}
	if err := l.block.back(recycled); err != nil {
		return nil, err
	}
	return l, nil
}

// Charge counts bytes that something else allocates (a mapped file, what a library puts on Go's heap) to class, held
// by holder until the lease is released. Its lease has no memory: Bytes gives nil.
func (t *Tracker) Charge(class int, bytes int64, holder string) (*Lease, error) {
	l, err := t.open(class, bytes, holder)
	if err != nil {
		return nil, err
	}
	if _, err := l.block.pool.enter(l); err != nil {
		return nil, err
	}
	return l, nil
}

// open makes a lease that is not counted yet.
func (t *Tracker) open(class int, bytes int64, holder string) (*Lease, error) {
	if class < 0 || class >= len(t.classes) {
		return nil, fmt.Errorf("lease for %s: class %d: %w", holder, class, ErrClass)
	}
	c := t.classes[class]
	if bytes < 0 || bytes > math.MaxInt-hugePage {
		return nil, fmt.Errorf("lease %d bytes of %s for %s: %w", bytes, c.Name, holder, ErrSize)
	}
	b := &block{pool: t.pools[c.Pool], class: class, size: bytes, refs: 1}
	b.first.block, b.first.holder, b.first.origin = b, holder, t.settings.originOf(bytes)
	return &b.first, nil
}

// Pools gives the tracker's pools in the order New was given them.
func (t *Tracker) Pools() []Pool {
	pools := make([]Pool, len(t.pools))
	for i, p := range t.pools {
		pools[i] = p.Pool
	}
	return pools
}

// Classes gives the tracker's classes in the order New was given them.
func (t *Tracker) Classes() []Class {
	classes := make([]Class, len(t.classes))
	for i, c := range t.classes {
		classes[i] = c.Class
	}
	return classes
}

// PoolCounts reads the counters of a pool without a lock: each is exact, though two may be read at different instants.
func (t *Tracker) PoolCounts(pool int) Counts { return t.pools[pool].counts.read() }

// ClassCounts reads the counters of a class in the same way.
func (t *Tracker) ClassCounts(class int) Counts { return t.classes[class].counts.read() }

// Trim gives the idle memory of every pool's free list back to the system.
func (t *Tracker) Trim() {
	for _, p := range t.pools {
		p.trim()
	}
}

// Close ends the tracker: later leases are refused, idle memory goes back, and a *LeakError names every lease that was
// not returned, a *SystemError idle memory that the system did not take. Leaked leases stay valid, since someone may still
// use their memory.
func (t *Tracker) Close() error {
	t.closed.Store(true)
	t.Trim()
	var err error
	for _, p := range t.pools {
		err = errors.Join(err, p.unreturned())
	}
	if leaks := t.Leaks(); len(leaks) > 0 {
		err = errors.Join(&LeakError{Leaks: leaks}, err)
	}
	return err
}
