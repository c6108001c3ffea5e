package explore

import (
	"fmt"
	"slices"

	"github.com/proofgraph/proofgraph/graph/sched"
)

func (b *books) scratchOf(a *account, stage int) []sched.Need {
	if a.Shape.Scratch == nil {
		return nil
	}
	return a.Shape.Scratch[stage]
}

// birth lets a buffer exist: at its producer's start, or at its end where it takes over another.
func (b *books) birth(a *account, buffer int, atEnd bool) {
	out := &b.g.Buffers[buffer]
	if out.Pool < 0 || a.Shape.Carried == nil || (out.Takes >= 0) != atEnd {
		return
	}
	if out.Cached {
		key := b.g.EntryOn(a.Shape.Cache[buffer], buffer, a.device)
		b.entries[key] = cached{b.g.PoolOn(out.Pool, a.device), a.Shape.Carried[buffer]}
		return
	}
	a.bytes[buffer] = a.Shape.Carried[buffer]
}

// let ends one hold of a buffer, and the buffer with the last.
func (b *books) let(a *account, buffer int) error {
	a.holders[buffer]--
	if a.holders[buffer] < 0 {
		return fmt.Errorf("the lease of %s of item %d ends twice", b.g.Buffers[buffer].Name, a.ID)
	}
	if a.holders[buffer] == 0 {
		a.bytes[buffer] = 0
	}
	return nil
}

// canShrink reports whether a body may free a part of a buffer: an output of its own, or an input that it alone holds.
func (b *books) canShrink(item sched.ItemID, s Shrink) bool {
	a := b.items[item]
	sole := b.g.Buffers[s.Buffer].Stage == s.Stage || a.holders[s.Buffer] == 1
	return !a.failed && sole && a.bytes[s.Buffer] > s.Left
}

func (b *books) shrink(item sched.ItemID, s Shrink) { b.items[item].bytes[s.Buffer] = s.Left }

// evict checks that an entry which goes is of no more use: no body that makes or reads it is under way, and none is to come
// that was counted on it.
func (b *books) evict(key string) error {
	for _, id := range b.order {
		a := b.items[id]
		for buffer, out := range b.g.Buffers {
			if out.Cached && !a.ended && b.g.EntryOn(a.Shape.Cache[buffer], buffer, a.device) == key && b.wanted(a, buffer) {
				return fmt.Errorf("the cache entry %s goes while item %d has it", key, id)
			}
		}
	}
	delete(b.entries, key)
	return nil
}

// wanted reports whether bodies of an item hold a buffer that was made for it: until the last has ended, or of an item that
// has failed, while they are under way.
func (b *books) wanted(a *account, buffer int) bool {
	out := &b.g.Buffers[buffer]
	if !a.failed {
		return a.started&(1<<out.Stage) != 0 && a.holders[buffer] > 0
	}
	return b.runs(a.ID, out.Stage) || slices.ContainsFunc(out.Edges, func(e int) bool { return b.runs(a.ID, b.g.Edges[e].To) })
}

// bytesIn gives the bytes that exist in a pool.
func (b *books) bytesIn(pool int) int64 {
	bytes := b.scratch[pool] + b.idleIn(pool)
	for _, a := range b.items {
		for i, n := range a.bytes {
			if n > 0 && b.g.PoolOn(b.g.Buffers[i].Pool, a.device) == pool {
				bytes += n
			}
		}
	}
	return bytes
}

// idleIn gives the bytes of cache entries in a pool.
func (b *books) idleIn(pool int) int64 {
	var bytes int64
	for _, e := range b.entries {
		if e.pool == pool {
			bytes += e.bytes
		}
	}
	return bytes
}

func (b *books) raise() {
	for p := range b.peak {
		b.peak[p] = max(b.peak[p], b.bytesIn(p))
	}
}
