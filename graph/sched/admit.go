package sched

// admit lets submitted items in while a stage without inputs has a worker to spare and the pools can hold them: the
// greatest total that an item will carry, and beside it the scratch of the largest single body. Items are admitted by
// priority and then by arrival; a large one is not overtaken by small ones of its priority.
func (c *Core) admit() {
	for {
		it := c.arrived.first()
		switch {
		case it == nil:
			c.admission = Block{Kind: BlockedInput, Index: -1}
			return
		case c.g.InFlight > 0 && c.flying >= c.g.InFlight, !c.hasAppetite():
			c.admission = Block{Kind: BlockedWorkers, Index: -1}
			return
		case !c.reserveFor(it):
			return
		}
		c.arrived.pop()
		it.admitted = true
		c.flying++
		c.flyingOn[it.device]++
		c.passTime(it.device)
		c.admission = Block{}
		c.openRegion(it, c.regions.admits)
		for s := range c.g.Stages {
			if len(c.g.Stages[s].In) == 0 {
				c.becomeReady(it, s)
			}
		}
		c.startDirty()
	}
}

// startDirty starts what the admission made ready, so that the next look at the free workers is a true one.
func (c *Core) startDirty() {
	for s := range c.g.Stages {
		if c.dirty&(1<<s) != 0 && len(c.g.Stages[s].In) == 0 {
			c.start(s)
		}
	}
}

// hasAppetite reports whether a stage without inputs has a free worker and nothing waiting for it.
func (c *Core) hasAppetite() bool {
	for s := range c.g.Stages {
		if len(c.g.Stages[s].In) == 0 && c.hasRoom(s) && c.waitingAt(s) == 0 {
			return true
		}
	}
	return false
}

func (c *Core) waitingAt(stage int) int {
	if c.regions.ordered[stage] {
		return len(c.stages[stage].starts.items) - c.stages[stage].starts.head
	}
	return len(c.stages[stage].ranked.items)
}

// reserveFor places an item and takes its carried bytes and cache entries from the pools, or nothing.
func (c *Core) reserveFor(it *item) bool {
	it.device = c.place(it)
	if c.evictingOne(it) {
		return false
	}
	need := it.plan.reserve(0)
	for _, p := range c.homes {
		if !c.poolAdmits(it, p, need) {
			c.admission = Block{Kind: BlockedMemory, Index: c.g.PoolOn(p, it.device)}
			return false
		}
	}
	c.enlive(it.plan, it.device)
	for p := range need {
		it.held[p] = need[p]
		c.supplies[c.g.PoolOn(p, it.device)].take(need[p])
	}
	c.enterCached(it)
	return true
}

// poolAdmits asks whether the pool, on the item's device, can take what the item will carry and its cache entries, and
// still has the scratch of the largest single body; idle entries are given up for it.
func (c *Core) poolAdmits(it *item, p int, need []int64) bool {
	asked := c.newEntryBytes(it, p)
	if need != nil {
		asked += need[p]
	}
	s := c.g.PoolOn(p, it.device)
	pool := &c.supplies[s]
	if pool.limit < 0 {
		return true
	}
	spare := max(pool.scratch, c.largestScratch(p, it.device), it.plan.largest(p))
	excess := pool.used - pool.scratch + asked + spare - pool.limit
	if excess > 0 {
		c.evict(it, s, excess)
		return false
	}
	return true
}

// largestScratch gives the most bytes that a single body of an admitted item takes of a pool, on a device.
func (c *Core) largestScratch(p, device int) int64 {
	var most int64
	for _, pl := range c.livePlans {
		if pl.device == device || !c.g.Pools[p].PerDevice {
			most = max(most, pl.largest(p))
		}
	}
	return most
}
