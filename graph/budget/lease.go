package budget

import (
	"fmt"
	"unsafe"
)

// A Lease is a right to bytes of a pool, held by one holder. It must be released exactly once, by whoever holds it
// last; handing it on hands that duty on. Slices of its memory must not be used after it is released or beyond what it
// was shrunk to: that memory is unmapped then. Only Host memory is zeroed when a lease begins.
type Lease struct {
	block  *block
	holder string
	origin []uintptr
	ended  bool
	// The pool's live leases form a ring, oldest first.
	prev, next *Lease
}

// A block is counted bytes, the memory behind them if there is any, and how many leases share them. Its fields are
// guarded by its pool's lock, but for pool and backed, which do not change.
type block struct {
	pool   *pool
	class  int
	size   int64
	backed bool
	mem    []byte // whole pages; nil where size is 0
	refs   int
	first  Lease // the lease that the block was made with, kept here to save an allocation
}

// back puts memory behind a block that is counted: recycled memory if there is some, else new. Where the system
// refuses, the block's lease ends.
func (b *block) back(recycled []byte) error {
	if recycled != nil {
		if b.pool.Memory == Host {
			clear(recycled)
		}
	} else if b.size > 0 {
		mem, err := b.pool.mapMemory(b.size)
		if err != nil {
			b.pool.refund(&b.first)
			return &SystemError{Op: "map", Bytes: b.size, Class: b.className(), Err: err}
		}
		recycled = mem
	}
	b.pool.mu.Lock()
	defer b.pool.mu.Unlock()
	b.mem = recycled
	return nil
}

// noMemory is the error of a lease of memory that nobody said where to get.
func (b *block) noMemory() error {
	err := fmt.Errorf("pool %s is of %s memory: %w", b.pool.Name, b.pool.Memory, ErrNoMemory)
	return &SystemError{Op: "map", Bytes: b.size, Class: b.className(), Err: err}
}

func (b *block) counts() *counter { return &b.pool.tracker.classes[b.class].counts }

func (b *block) className() string { return b.pool.tracker.classes[b.class].Name }

// lock locks the lease's pool for an operation that needs a lease that has not ended.
func (l *Lease) lock(op string) error {
	l.block.pool.mu.Lock()
	if l.ended {
		l.block.pool.mu.Unlock()
		return fmt.Errorf("%s a lease of %s: %w", op, l.holder, ErrReleased)
	}
	return nil
}

// Memory says whose memory the lease's pool is; of a nil lease it is Host.
func (l *Lease) Memory() Memory {
	if l == nil || l.block == nil {
		return Host
	}
	return l.block.pool.Memory
}

// Address is where the leased memory begins: for a pool of Device memory an address that only the device understands,
// which must not be dereferenced. It is nil for a charge, for a lease that is empty or was released, and for a nil lease.
func (l *Lease) Address() unsafe.Pointer {
	if l == nil || l.block == nil || l.lock("use") != nil {
		return nil
	}
	defer l.block.pool.mu.Unlock()
	if l.block.size == 0 {
		return nil
	}
	return unsafe.Pointer(unsafe.SliceData(l.block.mem))
}

// Bytes gives the leased memory, of Size bytes. It is nil for Device memory, which the host cannot read, for a charge,
// for a lease that was released, and for a nil lease.
func (l *Lease) Bytes() []byte {
	if l == nil || l.block == nil || l.block.pool.Memory == Device || l.lock("use") != nil {
		return nil
	}
	defer l.block.pool.mu.Unlock()
	if b := l.block; b.backed && b.size > 0 {
		return b.mem[:b.size:b.size]
	} else if b.backed {
		return []byte{}
	}
	return nil
}

// Size is the number of bytes leased, 0 when the lease was released.
func (l *Lease) Size() int64 {
	if l.lock("measure") != nil {
		return 0
	}
	defer l.block.pool.mu.Unlock()
	return l.block.size
}

// Class is the class (an index) that the bytes are counted to.
func (l *Lease) Class() int {
	l.block.pool.mu.Lock()
	defer l.block.pool.mu.Unlock()
	return l.block.class
}

// Pool is the pool (an index) that the bytes come from.
func (l *Lease) Pool() int { return l.block.pool.index }

// Holder is who holds the lease.
func (l *Lease) Holder() string {
	l.block.pool.mu.Lock()
	defer l.block.pool.mu.Unlock()
	return l.holder
}

// HandOver gives the lease to another holder, who has to release it from now on.
func (l *Lease) HandOver(holder string) error {
	if err := l.lock("hand over"); err != nil {
		return err
	}
	defer l.block.pool.mu.Unlock()
	l.holder = holder
	return nil
}

// Share gives another lease of the same bytes, for the same holder until it is handed over. The bytes are counted once
// and returned when the last of their leases is released. A lease that was released shares nothing: the new lease is
// then a released one too.
func (l *Lease) Share() *Lease {
	p := l.block.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	shared := &Lease{block: l.block, holder: l.holder, origin: l.origin, ended: l.ended}
	if !l.ended {
		l.block.refs++
		p.link(shared)
	}
	return shared
}

// Shrink keeps the first newBytes bytes and returns the rest: they are unmapped, by whole pages, and no longer counted
// when it comes back; a block that is freed whole may be kept for a later lease instead, as when it is released. A lease
// cannot grow (ErrSize), one that is shared cannot shrink (ErrShared), and one of device or pinned memory can only give
// back all it has (ErrWhole).
func (l *Lease) Shrink(newBytes int64) error {
	if err := l.lock("shrink"); err != nil {
		return err
	}
	b, p := l.block, l.block.pool
	defer p.mu.Unlock()
	if err := b.mayShrink(newBytes); err != nil {
		return fmt.Errorf("shrink a lease of %s: %w", l.holder, err)
	}
	// The class may change while memory goes back; the freed bytes belong to what it is now.
	class, freed := b.class, b.size-newBytes
	counts, name := b.counts(), b.className()
	tail := b.cut(newBytes)
	idles := newBytes == 0 && p.mayIdle(freed, tail) // what is freed whole can serve a lease of its size again
	if !idles {
		if err := p.giveBack(tail); err != nil {
			p.lost += freed
			return &SystemError{Op: "unmap", Bytes: freed, Class: name, Err: err}
		}
	}
	counts.shrink(freed)
	p.counts.shrink(freed)
	if idles {
		p.addIdle(tail)
	}
	p.emit(Shrunk, l.holder, class, freed)
	return nil
}

func (b *block) mayShrink(newBytes int64) error {
	if newBytes < 0 || newBytes > b.size {
		return fmt.Errorf("from %d to %d bytes: %w", b.size, newBytes, ErrSize)
	}
	if b.refs > 1 {
		return ErrShared
	}
	if b.pool.Memory != Host && 0 < newBytes && newBytes < b.size {
		return fmt.Errorf("from %d to %d bytes: %w", b.size, newBytes, ErrWhole)
	}
	return nil
}

// cut makes the block smaller and gives the whole pages that it needs no longer.
func (b *block) cut(newBytes int64) (tail []byte) {
	b.size = newBytes
	if keep := wholePages(newBytes); keep < int64(len(b.mem)) {
		tail = b.mem[keep:]
		b.mem = b.mem[:keep:keep]
	}
	return tail
}

// Recast counts the bytes to another class of the same pool, as when an output takes over the memory of an input: for
// the old class that is a free, for the new one a lease. A shared lease cannot be recast (ErrShared).
func (l *Lease) Recast(class int) error {
	if err := l.lock("recast"); err != nil {
		return err
	}
	b, p := l.block, l.block.pool
	defer p.mu.Unlock()
	if classes := p.tracker.classes; class < 0 || class >= len(classes) || classes[class].Pool != p.index {
		return fmt.Errorf("recast a lease of %s from %s to class %d: %w", l.holder, b.className(), class, ErrClass)
	}
	if b.refs > 1 {
		return fmt.Errorf("recast a lease of %s: %w", l.holder, ErrShared)
	}
	b.counts().give(b.size)
	p.emit(Recast, l.holder, b.class, -b.size)
	b.class = class
	b.counts().take(b.size)
	p.emit(Recast, l.holder, class, b.size)
	return nil
}

// Release ends the lease; the last lease of its bytes returns them. A second release does nothing but be counted, and
// gives an error that wraps ErrReleased.
func (l *Lease) Release() error {
	if err := l.lock("release"); err != nil {
		l.block.pool.tracker.doubles.Add(1)
		return err
	}
	b, p := l.block, l.block.pool
	defer p.mu.Unlock()
	l.ended = true
	if b.refs--; b.refs > 0 {
		p.unlink(l)
		return nil
	}
	mem := b.mem
	b.mem = nil
	if p.mayIdle(b.size, mem) {
		p.leave(l)
		p.addIdle(mem)
		return nil
	}
	if err := p.giveBack(mem); err != nil {
		p.abandon(l)
		return &SystemError{Op: "unmap", Bytes: b.size, Class: b.className(), Err: err}
	}
	p.leave(l)
	return nil
}
