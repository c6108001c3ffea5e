package budget

import (
	"fmt"
	"slices"
)

const idleName = "idle"

// A freeList holds released memory for later leases of the same size, oldest first.
type freeList struct {
	limit  int64
	blocks [][]byte
	kept   *SystemError // what the system did not take back, and why at first; nobody but Close can be told
}

// takeIdle gives memory of the free list that is just large enough, or nil; its idle bytes are no longer counted.
func (p *pool) takeIdle(bytes int64) []byte {
	want := wholePages(bytes)
	for i := len(p.idle.blocks) - 1; i >= 0; i-- {
		if int64(len(p.idle.blocks[i])) == want {
			return p.dropIdle(i)
		}
	}
	return nil
}

// mayIdle says whether the memory of a lease of size bytes that ends may go on the free list.
func (p *pool) mayIdle(size int64, mem []byte) bool {
	bytes := int64(len(mem))
	// The lease's own bytes leave the pool as its memory goes idle, so only the rest of its last page is new.
	return bytes <= p.idle.limit-p.idleCounts.bytes.Load() && p.fits(bytes-size) && !p.tracker.closed.Load()
}

// addIdle puts memory on the free list and counts it there.
func (p *pool) addIdle(mem []byte) {
	if len(mem) == 0 {
		return
	}
	p.idle.blocks = append(p.idle.blocks, mem)
	p.idleCounts.take(int64(len(mem)))
	p.counts.hold(int64(len(mem)))
}

// dropIdle takes block i from the free list and from the counts.
func (p *pool) dropIdle(i int) []byte {
	mem := p.removeIdle(i)
	p.uncountIdle(mem)
	return mem
}

func (p *pool) removeIdle(i int) []byte {
	mem := p.idle.blocks[i]
	p.idle.blocks = slices.Delete(p.idle.blocks, i, i+1)
	return mem
}

func (p *pool) uncountIdle(mem []byte) {
	p.idleCounts.give(int64(len(mem)))
	p.counts.drop(int64(len(mem)))
}

// makeRoom gives up idle memory, oldest first, until bytes fit. It is called with the pool locked and returns so, but
// unlocks it while memory goes back. Whoever else needs room waits here for that, and so is not refused for the sake
// of memory that is idle.
func (p *pool) makeRoom(bytes int64) {
	if p.idle.limit == 0 {
		return
	}
	p.mu.Unlock()
	p.reclaim.Lock()
	defer p.reclaim.Unlock()
	p.mu.Lock()
	if !p.fits(bytes - p.idleCounts.bytes.Load()) {
		return
	}
	for len(p.idle.blocks) > 0 && !p.fits(bytes) {
		p.giveUpOldest()
	}
}

// giveUpOldest unmaps the oldest idle block, with the pool unlocked meanwhile.
func (p *pool) giveUpOldest() {
	mem := p.removeIdle(0)
	if err := p.giveBack(mem); err != nil {
		p.keep(int64(len(mem)), err)
		return
	}
	p.uncountIdle(mem)
}

func (p *pool) keep(bytes int64, why error) {
	p.lost += bytes
	if p.idle.kept == nil {
		p.idle.kept = &SystemError{Op: "unmap", Class: idleName, Err: why}
	}
	p.idle.kept.Bytes += bytes
}

// unreturned is the error of idle memory that the system did not take back, nil where it took all.
func (p *pool) unreturned() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.idle.kept == nil {
		return nil
	}
	kept := *p.idle.kept
	return fmt.Errorf("pool %s: %w", p.Name, &kept)
}

func (p *pool) trim() {
	p.reclaim.Lock()
	defer p.reclaim.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.idle.blocks) > 0 {
		p.giveUpOldest()
	}
}
