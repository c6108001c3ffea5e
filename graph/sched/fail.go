package sched

// killJob ends all items of a job: what waits is withdrawn, what runs is cancelled and buried when it answers.
func (c *Core) killJob(job JobID) {
	for _, it := range append([]*item(nil), c.jobs[job]...) {
		it.moving = false
		if !it.dead {
			c.kill(it)
		}
	}
}

func (c *Core) kill(it *item) {
	it.dead = true
	if !it.admitted {
		c.arrived.remove(it)
		c.end(it, false)
		return
	}
	for s := range c.g.Stages {
		c.withdraw(it, s)
	}
	if it.running > 0 {
		c.out = append(c.out, Decision{Op: Cancel, Item: it.ID})
		return
	}
	c.drop(it)
}

// withdraw takes a dead item out of a stage's queues and off its output edges, and returns the permit and the slot of a
// body that has ended.
func (c *Core) withdraw(it *item, stage int) {
	s := &c.stages[stage]
	s.starts.remove(it)
	s.ranked.remove(it)
	s.sends.remove(it)
	for _, e := range c.g.Stages[stage].Out {
		c.clearEdge(it, e)
	}
	if it.has(stage, finished) {
		c.freeWorker(it, stage)
		c.freeSlot(it, stage)
	}
	c.touch(stage)
}

// bury takes back the permit and the slot of a dead item's body; the last one lets the item be dropped.
func (c *Core) bury(it *item, stage int) {
	c.freeWorker(it, stage)
	c.freeSlot(it, stage)
	if it.running == 0 {
		c.drop(it)
	}
}

func (c *Core) drop(it *item) {
	c.out = append(c.out, Decision{Op: Drop, Item: it.ID})
}
