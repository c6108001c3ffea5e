package sched

// Ordered reports whether a stage lies between a fork and its join, where items keep one order.
func (c *Core) Ordered(stage int) bool { return c.regions.ordered[stage] }

// Waiting lists the items that are ready at a stage outside such regions and have not started, in no order.
func (c *Core) Waiting(stage int) []ItemID {
	var ids []ItemID
	for _, it := range c.stages[stage].ranked.items {
		ids = append(ids, it.ID)
	}
	return ids
}
