package sched

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
)

// AppendKey appends a text that tells the core's state: two cores of one graph whose keys are equal decide alike from
// here on, whatever events come, up to the names of items and the numbers of workers. Items go by their rank among the
// living, so states that differ only in what has ended are one.
func (c *Core) AppendKey(key []byte) []byte {
	items := slices.SortedFunc(maps.Values(c.items), func(a, b *item) int { return cmp.Compare(a.seq, b.seq) })
	k := keyWriter{bytes: key, rank: make(map[*item]int, len(items)), entries: c.entryRanks()}
	for i, it := range items {
		k.rank[it] = i
	}
	for _, it := range items {
		k.item(it, k.rank[c.jobs[it.Job][k.eldest(c.jobs[it.Job])]])
	}
	for s := range c.stages {
		k.stage(c, s)
	}
	for _, s := range c.standings {
		k.number(int64(s.failures))
		k.number(int64(s.rest))
	}
	for _, name := range slices.Sorted(maps.Keys(c.entries)) {
		k.entry(name, c.entries[name])
	}
	return k.bytes
}

// entryRanks orders the idle entries by how long they have been so; those in use have no rank.
func (c *Core) entryRanks() map[*entry]int {
	ranks := map[*entry]int{}
	for i, e := range c.idleEntries() {
		ranks[e] = i + 1
	}
	return ranks
}

// A keyWriter appends to a key.
type keyWriter struct {
	bytes   []byte
	rank    map[*item]int
	entries map[*entry]int
}

func (k *keyWriter) number(n int64) { k.bytes = binary.AppendVarint(k.bytes, n) }

func (k *keyWriter) flag(f bool) {
	n := byte(0)
	if f {
		n = 1
	}
	k.bytes = append(k.bytes, n)
}

func (k *keyWriter) text(s string) {
	k.number(int64(len(s)))
	k.bytes = append(k.bytes, s...)
}

// eldest gives the place of the first of some items.
func (k *keyWriter) eldest(items []*item) int {
	first := 0
	for i, it := range items {
		if k.rank[it] < k.rank[items[first]] {
			first = i
		}
	}
	return first
}

// item writes what an item needs and how far it has come; what follows from these (the inputs that are missing, the
// bytes it holds) is left out.
func (k *keyWriter) item(it *item, job int) {
	k.number(int64(job))
	k.number(int64(it.Priority))
	k.shape(it)
	k.flag(it.admitted)
	if it.admitted {
		k.number(int64(it.device))
	}
	k.flag(it.dead)
	k.failures(it)
	k.number(int64(it.running))
	k.number(int64(it.done))
	for s := range it.at {
		k.bytes = append(k.bytes, byte(it.at[s]))
	}
	for e := range it.onEdge {
		k.flag(it.onEdge[e])
	}
	for _, held := range it.held {
		k.number(held)
	}
	k.number(int64(len(it.cached)))
}

// shape writes what an item needs by now, and what it was submitted with, which it needs again if it begins anew.
func (k *keyWriter) shape(it *item) {
	for b, bytes := range it.Shape.Carried {
		k.number(bytes)
		k.number(it.submitted.Carried[b])
		if it.Shape.Cache != nil {
			k.text(it.Shape.Cache[b])
		}
	}
	for _, needs := range it.Shape.Scratch {
		k.number(int64(len(needs)))
		for _, n := range needs {
			k.number(int64(n.Pool))
			k.number(n.Bytes)
		}
	}
}

// failures writes what devices that failed mean to an item.
func (k *keyWriter) failures(it *item) {
	k.flag(it.stale)
	k.flag(it.moving)
	k.flag(it.moved)
	if it.moved {
		k.number(int64(it.failedOn))
	}
}

// stage writes the orders that a stage keeps, and its place among those who wait.
func (k *keyWriter) stage(c *Core, s int) {
	st := &c.stages[s]
	for _, q := range []*fifo{&st.starts, &st.sends} {
		k.number(int64(len(q.items) - q.head))
		for _, it := range q.items[q.head:] {
			k.number(int64(k.rank[it]))
		}
	}
	before := 0
	for other := range c.stages {
		if w := c.stages[other].waitSeq; w != 0 && w < st.waitSeq {
			before++
		}
	}
	k.flag(st.waitSeq != 0)
	k.number(int64(before))
	for i := range c.supplies {
		k.flag(c.supplies[i].waiting&(1<<s) != 0)
	}
}

func (k *keyWriter) entry(name string, e *entry) {
	k.text(name)
	k.number(e.bytes)
	k.number(int64(e.refs))
	k.number(int64(k.entries[e]))
	k.flag(e.loaded)
	k.flag(e.evicting)
}
