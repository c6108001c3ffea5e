package sched

// offer puts an output up to be sent. A stage outside all regions sends in the order of offers; an ordered stage has its
// order already, and only needs to be looked at.
func (c *Core) offer(it *item, stage int) {
	if len(c.g.Stages[stage].Out) == 0 {
		c.markSent(it, stage)
		return
	}
	if !c.regions.ordered[stage] {
		c.stages[stage].sends.push(it)
	}
	c.touch(stage)
}

// send puts as many outputs of a stage on their edges as there is room for.
func (c *Core) send(stage int) {
	s := &c.stages[stage]
	for {
		it := s.sends.first()
		if it == nil || it.at[stage]&(finished|launched) == 0 || !c.edgesHaveRoom(it, stage) {
			return
		}
		s.sends.pop()
		c.putOnEdges(it, stage)
		c.markSent(it, stage)
		c.openRegion(it, c.regions.opens[stage])
		if it.has(stage, finished) {
			c.arrive(it, stage)
		}
	}
}

func (c *Core) edgesHaveRoom(it *item, stage int) bool {
	for _, e := range c.g.Stages[stage].Out {
		if !c.edgeHasRoom(it, e) {
			return false
		}
	}
	return true
}

func (c *Core) edgeHasRoom(it *item, e int) bool {
	edge, state := &c.g.Edges[e], &c.edges[e]
	return state.Items < edge.Capacity && state.Bytes+it.carried(edge.Buffer) <= edge.Bytes
}

func (it *item) carried(buffer int) int64 {
	if it.Shape.Carried == nil {
		return 0
	}
	return it.Shape.Carried[buffer]
}

func (c *Core) putOnEdges(it *item, stage int) {
	for _, e := range c.g.Stages[stage].Out {
		it.onEdge[e] = true
		c.edges[e].put(it.carried(c.g.Edges[e].Buffer))
	}
}

// clearEdge takes the item's output from an edge, if it lies there, and lets the producer send again.
func (c *Core) clearEdge(it *item, e int) {
	if it.onEdge[e] {
		it.onEdge[e] = false
		c.edges[e].take(it.carried(c.g.Edges[e].Buffer))
		c.touch(c.g.Edges[e].From)
	}
}

// lighten takes bytes that were freed early off the edges on which the item's buffer lies.
func (c *Core) lighten(it *item, buffer int, bytes int64) {
	for _, e := range c.g.Buffers[buffer].Edges {
		if it.onEdge[e] {
			c.edges[e].Bytes -= bytes
			c.touch(c.g.Edges[e].From)
		}
	}
}

// markSent returns the permit and the pending slot of a body whose output is on its way.
func (c *Core) markSent(it *item, stage int) {
	s := &c.g.Stages[stage]
	it.at[stage] |= sent
	if s.Release == AfterSend || it.untaken[stage] == 0 {
		c.freeWorker(it, stage)
	}
	if it.has(stage, finished) {
		c.freeSlot(it, stage)
	}
}

// openRegion gives an item its place in the order of a region.
func (c *Core) openRegion(it *item, stages []int) {
	for _, t := range stages {
		c.stages[t].starts.push(it)
		if len(c.g.Stages[t].Out) > 0 {
			c.stages[t].sends.push(it)
		}
	}
}

// arrive lets the consumers of a stage have its outputs, which lie on their edges and are complete.
func (c *Core) arrive(it *item, stage int) {
	for _, e := range c.g.Stages[stage].Out {
		to := c.g.Edges[e].To
		it.missing[to]--
		if it.missing[to] == 0 {
			c.becomeReady(it, to)
		}
	}
}

func (c *Core) becomeReady(it *item, stage int) {
	it.at[stage] |= ready
	if !c.regions.ordered[stage] {
		c.stages[stage].ranked.push(it)
	}
	c.touch(stage)
}
