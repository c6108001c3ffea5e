package sched

import (
	"cmp"
	"slices"
)

// A Ranker advises which idle cache entry will be missed least. Use says that an entry is in use, Idle that it is not any
// more, Forget that it is gone; Next names the first to give up among the idle ones that eligible admits.
type Ranker interface {
	Use(key string)
	Idle(key string, bytes int64)
	Forget(key string)
	Next(eligible func(key string) bool) (key string, ok bool)
}

// unranked advises nothing; the entry that has been idle longest goes then.
type unranked struct{}

func (unranked) Use(string)                            {}
func (unranked) Idle(string, int64)                    {}
func (unranked) Forget(string)                         {}
func (unranked) Next(func(string) bool) (string, bool) { return "", false }

// An entry is a cached buffer that outlives its items: a key, a compiled circuit. Its bytes are taken when the first item
// that refers to it is admitted and given back when the driver has evicted it.
type entry struct {
	key      string
	pool     int
	bytes    int64
	refs     int
	idleAt   uint64
	loaded   bool
	evicting bool
}

// eachCached calls f with each cached buffer of an item and its entry's key, once per entry.
func (it *item) eachCached(f func(buffer int, key string)) {
	keys := it.entries()
	for b, key := range keys {
		if key != "" && firstUse(keys, b) {
			f(b, key)
		}
	}
}

// newEntryBytes gives the bytes that the item's missing entries would take of a pool, on its device.
func (c *Core) newEntryBytes(it *item, pool int) int64 {
	var bytes int64
	it.eachCached(func(b int, key string) {
		if c.entries[key] == nil && c.g.Buffers[b].Pool == pool {
			bytes += it.Shape.Carried[b]
		}
	})
	return bytes
}

// evictingOne reports whether an entry that the item needs is just being given up; the item waits for its end.
func (c *Core) evictingOne(it *item) bool {
	found := false
	it.eachCached(func(_ int, key string) {
		e := c.entries[key]
		found = found || e != nil && e.evicting
	})
	return found
}

// enterCached lets an admitted item refer to its entries, and takes the bytes of those that are missing.
func (c *Core) enterCached(it *item) {
	it.eachCached(func(b int, key string) {
		e := c.entries[key]
		if e == nil {
			e = &entry{key: key, pool: c.g.PoolOn(c.g.Buffers[b].Pool, it.device), bytes: it.Shape.Carried[b]}
			c.entries[key] = e
			c.supplies[e.pool].take(e.bytes)
		}
		e.refs++
		c.ranker.Use(key)
		it.cached = append(it.cached, b)
	})
}

// leaveCached lets go of the entries whose consumers have all ended.
func (c *Core) leaveCached(it *item) {
	for _, b := range append([]int(nil), it.cached...) {
		e := c.entries[it.entries()[b]]
		e.loaded = e.loaded || it.done&(1<<c.g.Buffers[b].Stage) != 0
		if !c.entryInUse(it, e.key) {
			c.unref(it, b, e)
		}
	}
}

// entryInUse reports whether a buffer of the item that is this entry still lives or is to come.
func (c *Core) entryInUse(it *item, key string) bool {
	for b, other := range it.entries() {
		if other == key && c.g.lives(b, it.done, ^uint64(0)) {
			return true
		}
	}
	return false
}

func (c *Core) leaveAllCached(it *item) {
	for _, b := range append([]int(nil), it.cached...) {
		c.unref(it, b, c.entries[it.entries()[b]])
	}
}

// unref lets go of an entry; the last one to leave makes it idle, or ends it if it was never loaded.
func (c *Core) unref(it *item, b int, e *entry) {
	it.cached = slices.DeleteFunc(it.cached, func(other int) bool { return other == b })
	e.refs--
	if e.refs > 0 {
		return
	}
	c.nextSeq++
	e.idleAt = c.nextSeq
	c.ranker.Idle(e.key, e.bytes)
	c.admitting = true
	if !e.loaded {
		c.giveUp(e)
	}
	c.limitIdle(it, e.pool)
	c.dirty |= c.supplies[e.pool].waiting
}

// keptIdle bounds the idle entries of a pool without a limit, where none is ever in the way of another: the system has
// only so many mappings.
const keptIdle = 256

// limitIdle gives up an entry of a pool without a limit, when too many are idle there.
func (c *Core) limitIdle(it *item, pool int) {
	if c.supplies[pool].limit >= 0 || len(c.entries) <= keptIdle {
		return
	}
	if idle := c.idle(it, pool); len(idle) > keptIdle {
		c.giveUp(c.entries[c.victim(idle)])
	}
}

// evict gives up idle entries of a pool, none of them the item's own, if with those on their way out they cover the
// excess; otherwise nothing is gained and they stay.
func (c *Core) evict(it *item, pool int, excess int64) {
	excess -= c.leaving(pool)
	idle := c.idle(it, pool)
	if excess <= 0 || c.entryBytes(idle) < excess {
		return
	}
	for excess > 0 {
		key := c.victim(idle)
		idle = slices.DeleteFunc(idle, func(other string) bool { return other == key })
		excess -= c.entries[key].bytes
		c.giveUp(c.entries[key])
	}
}

// victim takes the ranker's advice, if it is one of the idle entries; otherwise the longest idle goes.
func (c *Core) victim(idle []string) string {
	eligible := func(key string) bool { return slices.Contains(idle, key) }
	if key, ok := c.ranker.Next(eligible); ok && eligible(key) {
		return key
	}
	return idle[0]
}

func (c *Core) entryBytes(keys []string) int64 {
	var bytes int64
	for _, key := range keys {
		bytes += c.entries[key].bytes
	}
	return bytes
}

func (c *Core) giveUp(e *entry) {
	e.evicting = true
	c.out = append(c.out, Decision{Op: Evict, Key: e.key})
}

// leaving gives the bytes of a pool that entries being evicted will return.
func (c *Core) leaving(pool int) int64 {
	var bytes int64
	for _, e := range c.entries {
		if e.evicting && e.pool == pool {
			bytes += e.bytes
		}
	}
	return bytes
}

// idle lists the entries of a pool that no item refers to and that it does not need, the longest idle first.
func (c *Core) idle(it *item, pool int) []string {
	var keys []string
	for _, e := range c.idleEntries() {
		if !e.evicting && e.pool == pool && !slices.Contains(it.entries(), e.key) {
			keys = append(keys, e.key)
		}
	}
	return keys
}

// idleEntries lists the entries that no item refers to, the longest idle first.
func (c *Core) idleEntries() []*entry {
	var entries []*entry
	for _, e := range c.entries {
		if e.refs == 0 {
			entries = append(entries, e)
		}
	}
	slices.SortFunc(entries, func(a, b *entry) int { return cmp.Compare(a.idleAt, b.idleAt) })
	return entries
}

// forget ends an evicted entry.
func (c *Core) forget(key string) {
	e := c.entries[key]
	delete(c.entries, key)
	c.ranker.Forget(key)
	c.give(e.pool, e.bytes)
}
