package sched

import (
	"maps"
	"slices"
)

// maxStates bounds the search for the greatest carried total; a graph with more states is given an upper bound instead:
// the sum of everything that is not yet freed.
const maxStates = 1 << 14

// A plan is what the core works out from a shape: the greatest total of carried bytes from each point of an item's way
// on. Starting a body only adds bytes (its outputs) and ending one only frees some, so the greatest total lies at a state
// in which everything that can have started has; such a state is told by the set of ended bodies alone. A plan is the same
// on every device: what it has per pool stands at the pool's home.
type plan struct {
	g       *Graph
	shape   *Shape
	carries bool
	bounded bool               // too many states: the reservation is an upper bound
	from    map[uint64][]int64 // by set of ended bodies: the greatest total per pool from there on
	scratch []int64            // per pool: the most that one body takes
	shrinks map[shrink]*plan

	refusals []*Refusal // by device: why an item can never fit there, or nil
	entries  [][]string // by device and buffer: the cache entries
}

// A livePlan is a plan, a device, and the number of items of that plan admitted there.
type livePlan struct {
	*plan
	device, items int
}

// A shrink is a buffer that was partly freed, and what is left of it.
type shrink struct {
	buffer int
	bytes  int64
}

// keptPlans bounds the plans that are remembered of shapes that no admitted item has.
const keptPlans = 256

// planOf gives the plan of a shape: the one that is remembered, or a new one.
func (c *Core) planOf(shape *Shape) *plan {
	if p := c.plans[shape]; p != nil {
		return p
	}
	if len(c.plans) >= keptPlans {
		maps.DeleteFunc(c.plans, func(_ *Shape, p *plan) bool { return !c.isLive(p) })
	}
	p := newPlan(c.g, shape)
	c.plans[shape] = p
	return p
}

func newPlan(g *Graph, shape *Shape) *plan {
	p := &plan{g: g, shape: shape, from: map[uint64][]int64{}, scratch: make([]int64, len(g.Pools))}
	for _, needs := range shape.Scratch {
		one := make([]int64, len(g.Pools))
		for _, n := range needs {
			one[n.Pool] += n.Bytes
			p.scratch[n.Pool] = max(p.scratch[n.Pool], one[n.Pool])
		}
	}
	for b := range shape.Carried {
		p.carries = p.carries || p.bytes(b) > 0
	}
	if p.carries && p.search(0) == nil {
		p.bounded = true
		clear(p.from)
	}
	p.entries = g.entriesOn(shape.Cache)
	for d := range g.devices() {
		p.refusals = append(p.refusals, p.refuse(d))
	}
	return p
}

// keptShrinks bounds the plans of early frees that a plan remembers: bodies need not free the same of every item.
const keptShrinks = 64

// shrunk gives the plan of the same shape with less of one buffer.
func (p *plan) shrunk(g *Graph, buffer int, bytes int64) *plan {
	key := shrink{buffer, bytes}
	if q := p.shrinks[key]; q != nil {
		return q
	}
	shape := *p.shape
	shape.Carried = append([]int64(nil), p.shape.Carried...)
	shape.Carried[buffer] = bytes
	if p.shrinks == nil || len(p.shrinks) >= keptShrinks {
		p.shrinks = map[shrink]*plan{}
	}
	p.shrinks[key] = newPlan(g, &shape)
	return p.shrinks[key]
}

// largest gives the most bytes of a pool that one body takes as scratch.
func (p *plan) largest(pool int) int64 { return p.scratch[pool] }

// reserve gives, per pool, the greatest total that an item carries from the state in which the bodies of done have ended
// on; nil where it carries nothing.
func (p *plan) reserve(done uint64) []int64 {
	switch {
	case !p.carries:
		return nil
	case p.bounded:
		return p.bound(done)
	}
	return p.search(done)
}

// search finds the greatest total over all states that can follow, or nil when there are too many.
func (p *plan) search(done uint64) []int64 {
	if most := p.from[done]; most != nil {
		return most
	}
	if len(p.from) >= maxStates {
		return nil
	}
	begun := p.begun(done)
	most := p.carriedIn(done, begun)
	for s := range p.g.Stages {
		if begun&^done&(1<<s) == 0 {
			continue
		}
		next := p.search(done | 1<<s)
		if next == nil {
			return nil
		}
		raise(most, next)
	}
	p.from[done] = most
	return most
}

func raise(most, other []int64) {
	for i := range most {
		most[i] = max(most[i], other[i])
	}
}

// begun gives the bodies that have ended or can have started.
func (p *plan) begun(done uint64) uint64 {
	set := done
	for s, st := range p.g.Stages {
		can := true
		for _, e := range st.In {
			can = can && done&(1<<p.g.Edges[e].From) != 0
		}
		if can {
			set |= 1 << s
		}
	}
	return set
}

// carriedIn gives the carried bytes per pool in a state.
func (p *plan) carriedIn(done, begun uint64) []int64 {
	total := make([]int64, len(p.g.Pools))
	for b := range p.g.Buffers {
		if p.bytes(b) > 0 && p.g.lives(b, done, begun) {
			total[p.g.Buffers[b].Pool] += p.bytes(b)
		}
	}
	return total
}

// bound gives the bytes per pool of all buffers that are not yet freed.
func (p *plan) bound(done uint64) []int64 {
	return p.carriedIn(done, ^uint64(0))
}

// bytes gives what an item itself carries in a buffer: nothing of a cached one, which is the cache's.
func (p *plan) bytes(b int) int64 {
	if p.shape.Carried == nil || p.g.Buffers[b].Pool < 0 || p.g.Buffers[b].Cached {
		return 0
	}
	return p.shape.Carried[b]
}

// lives reports whether a buffer exists: from its producer's start (or end, if it takes over another) to the end of the
// producer and of all consumers.
func (g *Graph) lives(b int, done, begun uint64) bool {
	buffer := &g.Buffers[b]
	producer := uint64(1) << buffer.Stage
	if buffer.Takes >= 0 && done&producer == 0 && begun != ^uint64(0) || begun&producer == 0 {
		return false
	}
	holders := producer
	for _, e := range buffer.Edges {
		holders |= 1 << g.Edges[e].To
	}
	return done&holders != holders
}

// settle gives back what an item's reservation no longer needs: all of it where the item carries nothing any more.
func (c *Core) settle(it *item) {
	needed := it.plan.reserve(it.done)
	for p, held := range it.held {
		var need int64
		if needed != nil {
			need = needed[p]
		}
		if held > need {
			it.held[p] = need
			c.give(c.g.PoolOn(p, it.device), held-need)
		}
	}
}

// release gives back all that an item holds.
func (c *Core) release(it *item) {
	for p, bytes := range it.held {
		if bytes > 0 {
			it.held[p] = 0
			c.give(c.g.PoolOn(p, it.device), bytes)
		}
	}
	c.leaveAllCached(it)
}

// isLive reports whether a plan is that of an admitted item.
func (c *Core) isLive(p *plan) bool {
	return slices.ContainsFunc(c.livePlans, func(other livePlan) bool { return other.plan == p })
}

// livePlan gives the place of a plan among those of the items admitted on a device, or -1.
func (c *Core) livePlan(p *plan, device int) int {
	return slices.IndexFunc(c.livePlans, func(other livePlan) bool { return other.plan == p && other.device == device })
}

// enlive counts an item of a plan that is admitted on a device.
func (c *Core) enlive(p *plan, device int) {
	if i := c.livePlan(p, device); i >= 0 {
		c.livePlans[i].items++
		return
	}
	c.livePlans = append(c.livePlans, livePlan{p, device, 1})
}

// unlive takes an item off a plan.
func (c *Core) unlive(p *plan, device int) {
	i := c.livePlan(p, device)
	if c.livePlans[i].items--; c.livePlans[i].items == 0 {
		c.livePlans = slices.Delete(c.livePlans, i, i+1)
	}
}

// reshape gives an admitted item another plan.
func (c *Core) reshape(it *item, p *plan) {
	c.enlive(p, it.device)
	c.unlive(it.plan, it.device)
	it.plan, it.Shape = p, p.shape
}
