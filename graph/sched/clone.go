package sched

import (
	"errors"
	"maps"
	"slices"
)

// Clone gives a core in the same state, for a search that tries several events from it. What the core has worked out of
// shapes stays shared, so the two must not be used at the same time. A core with a Ranker has state that is not its own
// and cannot be cloned.
func (c *Core) Clone() (*Core, error) {
	if _, none := c.ranker.(unranked); !none {
		return nil, errors.New("a core with a ranker cannot be cloned")
	}
	d := *c
	copies := make(map[*item]*item, len(c.items))
	d.items = make(map[ItemID]*item, len(c.items))
	for id, it := range c.items {
		copies[it] = it.clone()
		d.items[id] = copies[it]
	}
	d.jobs = make(map[JobID][]*item, len(c.jobs))
	for id, items := range c.jobs {
		d.jobs[id] = translate(items, copies)
	}
	d.stages = slices.Clone(c.stages)
	for s := range d.stages {
		d.stages[s].cloneFrom(&c.stages[s], copies)
	}
	d.entries = make(map[string]*entry, len(c.entries))
	for key, e := range c.entries {
		own := *e
		d.entries[key] = &own
	}
	d.arrived.items = translate(c.arrived.items, copies)
	d.edges, d.supplies, d.livePlans = slices.Clone(c.edges), slices.Clone(c.supplies), slices.Clone(c.livePlans)
	d.plans, d.flyingOn, d.standings = maps.Clone(c.plans), slices.Clone(c.flyingOn), slices.Clone(c.standings)
	d.spare, d.out = nil, nil
	return &d, nil
}

func (it *item) clone() *item {
	own := *it
	own.at, own.worker = slices.Clone(it.at), slices.Clone(it.worker)
	own.missing, own.untaken = slices.Clone(it.missing), slices.Clone(it.untaken)
	own.onEdge, own.held, own.cached = slices.Clone(it.onEdge), slices.Clone(it.held), slices.Clone(it.cached)
	return &own
}

func (s *stageState) cloneFrom(other *stageState, copies map[*item]*item) {
	s.starts, s.sends = other.starts.clone(copies), other.sends.clone(copies)
	s.ranked.items = translate(other.ranked.items, copies)
	s.free = slices.Clone(other.free)
}

func (q *fifo) clone(copies map[*item]*item) fifo {
	return fifo{items: translate(q.items[q.head:], copies)}
}

func translate(items []*item, copies map[*item]*item) []*item {
	own := make([]*item, len(items))
	for i, it := range items {
		own[i] = copies[it]
	}
	return own
}
