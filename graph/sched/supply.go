package sched

import "math/bits"

// A supply is a pool or a resource: an amount that bodies take whole before they start. A stage whose next body finds too
// little waits, and no stage that began to wait later, at no greater priority, takes from that supply before it.
type supply struct {
	limit   int64 // <0: never refuses
	used    int64
	peak    int64
	scratch int64  // the part of used that running bodies hold and will return by themselves
	waiting uint64 // stages that wait and need this supply
}

func newSupplies(g *Graph) []supply {
	supplies := make([]supply, 0, len(g.Pools)+len(g.Resources))
	for _, p := range g.Pools {
		supplies = append(supplies, supply{limit: p.Limit})
	}
	for _, r := range g.Resources {
		supplies = append(supplies, supply{limit: int64(r.Count)})
	}
	return supplies
}

func (s *supply) has(amount int64) bool { return s.limit < 0 || s.used+amount <= s.limit }

func (s *supply) take(amount int64) {
	s.used += amount
	s.peak = max(s.peak, s.used)
}

// needs calls f with each supply that a body of the item at the stage takes and the amount, until f returns false.
func (c *Core) needs(it *item, stage int, f func(supply int, amount int64) bool) bool {
	for _, u := range c.g.Stages[stage].Uses {
		if !f(len(c.g.Pools)+c.g.ResourceOn(u.Resource, it.device), int64(u.Count)) {
			return false
		}
	}
	if it.Shape.Scratch == nil {
		return true
	}
	scratch := it.Shape.Scratch[stage]
	for i, n := range scratch {
		if bytes := inPool(scratch, i); bytes > 0 && !f(c.g.PoolOn(n.Pool, it.device), bytes) {
			return false
		}
	}
	return true
}

// inPool sums up the needs of the pool that the i-th is of; nothing where an earlier one is of that pool, which gave the
// sum.
func inPool(needs []Need, i int) int64 {
	var bytes int64
	for j, n := range needs {
		if n.Pool != needs[i].Pool {
			continue
		}
		if j < i {
			return 0
		}
		bytes += n.Bytes
	}
	return bytes
}

// takeSupplies takes all that the body needs, or nothing.
func (c *Core) takeSupplies(it *item, stage int) bool {
	if !c.needs(it, stage, func(s int, amount int64) bool { return c.available(it, stage, s, amount) }) {
		c.beginWait(it, stage)
		return false
	}
	c.endWait(stage)
	c.needs(it, stage, func(s int, amount int64) bool {
		c.supplies[s].take(amount)
		c.supplies[s].scratch += amount
		return true
	})
	return true
}

func (c *Core) available(it *item, stage, s int, amount int64) bool {
	if c.overtakes(it, stage, s) {
		c.stages[stage].block = c.supplyBlock(s)
		return false
	}
	if c.supplies[s].has(amount) {
		return true
	}
	c.stages[stage].block = c.supplyBlock(s)
	if s < len(c.g.Pools) {
		c.evict(it, s, c.supplies[s].used+amount-c.supplies[s].limit)
	}
	return false
}

// overtakes reports whether a stage that should come first waits for the supply.
func (c *Core) overtakes(it *item, stage, s int) bool {
	mine := c.stages[stage].waitSeq
	for others := c.supplies[s].waiting &^ (1 << stage); others != 0; others &= others - 1 {
		other := bits.TrailingZeros64(others)
		head := c.head(other)
		if head == nil || head.Priority < it.Priority {
			continue
		}
		if head.Priority > it.Priority || mine == 0 || c.stages[other].waitSeq < mine {
			return true
		}
	}
	return false
}

// beginWait puts a stage on the lists of those who wait for what its next body needs. It keeps its place if it waited
// already, though its next body may be another item's by now, with other needs.
func (c *Core) beginWait(it *item, stage int) {
	if c.stages[stage].waitSeq == 0 {
		c.waitSeq++
		c.stages[stage].waitSeq = c.waitSeq
	}
	var needed uint64
	c.needs(it, stage, func(s int, _ int64) bool {
		needed |= 1 << s
		return true
	})
	c.waitFor(stage, needed)
}

// endWait takes a stage off the lists of those who wait.
func (c *Core) endWait(stage int) {
	if c.stages[stage].waitSeq != 0 {
		c.stages[stage].waitSeq = 0
		c.waitFor(stage, 0)
	}
}

// waitFor puts a stage on the lists of exactly these supplies; whoever stood behind it on one that it leaves is looked at
// again.
func (c *Core) waitFor(stage int, supplies uint64) {
	for s := range c.supplies {
		list := &c.supplies[s].waiting
		switch waits := *list&(1<<stage) != 0; {
		case supplies&(1<<s) != 0:
			*list |= 1 << stage
		case waits:
			*list &^= 1 << stage
			c.dirty |= *list
		}
	}
}

// give returns an amount to a supply and looks again at all who wait for it.
func (c *Core) give(s int, amount int64) {
	c.supplies[s].used -= amount
	c.dirty |= c.supplies[s].waiting
	c.admitting = c.admitting || s < len(c.g.Pools)
}

func (c *Core) returnSupplies(it *item, stage int) {
	c.needs(it, stage, func(s int, amount int64) bool {
		c.supplies[s].scratch -= amount
		c.give(s, amount)
		return true
	})
}
