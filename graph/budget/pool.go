package budget

import (
	"fmt"
	"math"
	"sync"
)

// A pool guards its counters, its live leases and its free list with one mutex, held for a few instructions: memory is
// mapped and unmapped outside it, before it is uncounted and after it is counted.
type pool struct {
	Pool
	tracker *Tracker
	index   int
	memory  Allocator // nil where nobody gave one of pinned or device memory

	mu     sync.Mutex
	counts counter // includes idle bytes; its leases do not include idle blocks
	lost   int64   // bytes that the system did not take back, counted for ever
	live   Lease   // the root of the ring of live leases, oldest first

	idle       freeList
	idleCounts counter
	reclaim    sync.Mutex // held while idle memory is given up to make room; taken before mu
}

func newPool(t *Tracker, index int, p Pool) *pool {
	memory := t.settings.allocators[index]
	if memory == nil && p.Memory == Host {
		memory = t.settings.host
	}
	idle, own := t.settings.idle[index]
	if !own {
		idle = t.settings.freeList
	}
	made := &pool{Pool: p, tracker: t, index: index, memory: memory, idle: freeList{limit: idle}}
	made.live.prev, made.live.next = &made.live, &made.live
	return made
}

// enter counts a new lease, or refuses it. A lease that wants memory may get a block of the free list with it.
func (p *pool) enter(l *Lease) (recycled []byte, err error) {
	b := l.block
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.tracker.closed.Load() {
		return nil, fmt.Errorf("lease %s for %s: %w", FormatBytes(b.size), l.holder, ErrClosed)
	}
	if b.backed && b.size > 0 {
		recycled = p.takeIdle(b.size)
	}
	if !p.fits(b.size) {
		p.makeRoom(b.size)
	}
	if !p.fits(b.size) {
		return nil, p.refuse(l)
	}
	p.counts.take(b.size)
	b.counts().take(b.size)
	p.link(l)
	p.emit(Leased, l.holder, b.class, b.size)
	return recycled, nil
}

// fits says whether bytes more would stay within the limit, and within what can be counted at all.
func (p *pool) fits(bytes int64) bool {
	limit := p.Limit
	if limit < 0 {
		limit = math.MaxInt64
	}
	return bytes <= limit-p.counts.bytes.Load()
}

func (p *pool) refuse(l *Lease) error {
	b := l.block
	p.counts.refused.Add(1)
	b.counts().refused.Add(1)
	p.emit(Refused, l.holder, b.class, b.size)
	if p.Limit < 0 {
		return fmt.Errorf("lease %d bytes of %s for %s: %w", b.size, b.className(), l.holder, ErrSize)
	}
	return &OverBudgetError{
		Pool: p.Name, Class: b.className(), Holder: l.holder,
		Asked: b.size, Limit: p.Limit, InUse: p.counts.bytes.Load(), Holders: p.holders(),
	}
}

// leave uncounts a lease whose memory is gone or idle.
func (p *pool) leave(l *Lease) {
	b := l.block
	b.counts().give(b.size)
	p.counts.give(b.size)
	p.unlink(l)
	p.emit(Released, l.holder, b.class, b.size)
}

// abandon ends a lease whose memory the system did not take back: the lease is over, its bytes stay counted.
func (p *pool) abandon(l *Lease) {
	b := l.block
	b.counts().end()
	p.counts.end()
	p.lost += b.size
	p.unlink(l)
}

// refund ends a lease that never got its memory.
func (p *pool) refund(l *Lease) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l.ended = true
	p.leave(l)
}

func (p *pool) link(l *Lease) {
	l.prev, l.next = p.live.prev, &p.live
	l.prev.next, l.next.prev = l, l
}

func (p *pool) unlink(l *Lease) {
	l.prev.next, l.next.prev = l.next, l.prev
	l.prev, l.next = nil, nil
}

// mapMemory asks for memory that is counted already. Where there is none in one piece, as on a device whose memory is in
// pieces, idle memory goes back first.
func (p *pool) mapMemory(bytes int64) ([]byte, error) {
	mem, err := p.memory.Map(bytes)
	if err != nil && p.idleCounts.bytes.Load() > 0 {
		p.trim()
		mem, err = p.memory.Map(bytes)
	}
	p.countMapped(int64(len(mem)))
	return mem, err
}

// countMapped counts what the host has mapped; device memory is not among it.
func (p *pool) countMapped(bytes int64) {
	if p.Memory != Device {
		p.tracker.mapped.Add(bytes)
	}
}

// giveBack unmaps memory, with the pool unlocked meanwhile. Its bytes are still counted when it returns.
func (p *pool) giveBack(mem []byte) error {
	if len(mem) == 0 {
		return nil
	}
	p.mu.Unlock()
	defer p.mu.Lock()
	if err := p.memory.Unmap(mem); err != nil {
		return err
	}
	p.countMapped(-int64(len(mem)))
	return nil
}
