package sched

// head gives the item whose body the stage would start next, or nil. An ordered stage waits for the next item of its
// region, even if later ones are ready.
func (c *Core) head(stage int) *item {
	if !c.regions.ordered[stage] {
		return c.stages[stage].ranked.first()
	}
	if it := c.stages[stage].starts.first(); it != nil && it.has(stage, ready) {
		return it
	}
	return nil
}

// start starts as many bodies of a stage as may start now.
func (c *Core) start(stage int) {
	s := &c.stages[stage]
	for {
		it := c.head(stage)
		if it == nil || !c.hasRoom(stage) {
			c.endWait(stage)
			s.block = c.idleBlock(stage, it)
			return
		}
		if !c.takeSupplies(it, stage) {
			return
		}
		c.begin(it, stage)
	}
}

// hasRoom reports whether a worker is free, and a pending slot where the stage is async.
func (c *Core) hasRoom(stage int) bool {
	s := &c.g.Stages[stage]
	return len(c.stages[stage].free) > 0 && (!s.Async || c.stages[stage].pending < s.Pending)
}

// begin starts a body: it takes its inputs from their edges, and a worker.
func (c *Core) begin(it *item, stage int) {
	s := &c.stages[stage]
	if c.regions.ordered[stage] {
		s.starts.pop()
	} else {
		s.ranked.pop()
	}
	last := len(s.free) - 1
	it.worker[stage], s.free = s.free[last], s.free[:last]
	it.at[stage] |= started | permit
	if c.g.Stages[stage].Async {
		it.at[stage] |= slot
		s.pending++
	}
	it.running++
	c.running++
	s.Started++
	c.takeInputs(it, stage)
	c.out = append(c.out, Decision{Op: Start, Item: it.ID, Stage: stage, Worker: int(it.worker[stage]), Device: it.device})
}

// takeInputs empties the item's places on the stage's input edges.
func (c *Core) takeInputs(it *item, stage int) {
	in := c.g.Stages[stage].In
	c.admitting = c.admitting || len(in) == 0
	for _, e := range in {
		c.clearEdge(it, e)
		from := c.g.Edges[e].From
		it.untaken[from]--
		if it.untaken[from] == 0 && c.g.Stages[from].Release == OnConsume {
			c.freeWorker(it, from)
		}
	}
}

// freeWorker returns the worker that an item holds at a stage, if it holds one.
func (c *Core) freeWorker(it *item, stage int) {
	if it.has(stage, permit) {
		it.at[stage] &^= permit
		c.stages[stage].free = append(c.stages[stage].free, it.worker[stage])
		c.touch(stage)
		c.admitting = c.admitting || len(c.g.Stages[stage].In) == 0
	}
}

// freeSlot returns the pending slot that an item holds at an async stage, if it holds one.
func (c *Core) freeSlot(it *item, stage int) {
	if it.has(stage, slot) {
		it.at[stage] &^= slot
		c.stages[stage].pending--
		c.touch(stage)
		c.admitting = c.admitting || len(c.g.Stages[stage].In) == 0
	}
}
