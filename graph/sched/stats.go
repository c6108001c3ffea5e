package sched

// StageCounts are a stage's bodies since the core was made.
type StageCounts struct {
	Started, Finished, Failed int64
}

// EdgeCounts are what lies on an edge, the most that ever did, and all that has passed.
type EdgeCounts struct {
	Items, PeakItems int
	Bytes, PeakBytes int64
	Passed           int64
}

func (e *EdgeCounts) put(bytes int64) {
	e.Items++
	e.Bytes += bytes
	e.Passed++
	e.PeakItems = max(e.PeakItems, e.Items)
	e.PeakBytes = max(e.PeakBytes, e.Bytes)
}

func (e *EdgeCounts) take(bytes int64) {
	e.Items--
	e.Bytes -= bytes
}

// PoolCounts are the bytes of a pool that the core has promised: reserved for carried buffers, held by cache entries and
// taken as scratch.
type PoolCounts struct {
	Used, Peak, Limit int64
}

// A BlockKind says what keeps a stage from starting another body.
type BlockKind int

// The reasons. Index in a Block says which edge, pool or resource.
const (
	NotBlocked      BlockKind = iota
	BlockedInput              // nothing is ready
	BlockedWorkers            // every worker is busy
	BlockedEdge               // every worker waits to send; Index is the first full edge
	BlockedPending            // as many async bodies are under way as may be
	BlockedMemory             // scratch, or a reservation, does not fit now; Index is the pool
	BlockedResource           // Index is the resource
)

// String names the reason as reports and metrics do.
func (k BlockKind) String() string {
	return [...]string{"none", "input", "workers", "edge", "pending", "memory", "resource"}[k]
}

// A Block is what a stage waits for.
type Block struct {
	Kind  BlockKind
	Index int
}

// Stage gives a stage's counts and what keeps it from starting another body.
func (c *Core) Stage(s int) (StageCounts, Block) { return c.stages[s].StageCounts, c.stages[s].block }

// Edge gives an edge's counts.
func (c *Core) Edge(e int) EdgeCounts { return c.edges[e] }

// Pool gives a pool's counts.
func (c *Core) Pool(p int) PoolCounts {
	s := &c.supplies[p]
	return PoolCounts{Used: s.used, Peak: s.peak, Limit: s.limit}
}

// Admission gives what keeps the next submitted item from being admitted.
func (c *Core) Admission() Block { return c.admission }

// A Waiter is a body, or an item that is not admitted (Stage -1), that waits for bytes of a pool.
type Waiter struct {
	Item  ItemID
	Stage int
	Pool  int
	Bytes int64
}

// Waiters lists who waits for memory now: stages in the order of the graph, then the next item.
func (c *Core) Waiters() []Waiter {
	var waiters []Waiter
	for s := range c.stages {
		block, head := c.stages[s].block, c.head(s)
		if block.Kind == BlockedMemory && head != nil {
			waiters = append(waiters, Waiter{head.ID, s, block.Index, c.scratchOf(head, s, block.Index)})
		}
	}
	if next := c.arrived.first(); next != nil && c.admission.Kind == BlockedMemory {
		pool := c.admission.Index
		waiters = append(waiters, Waiter{next.ID, -1, pool, c.admissionNeeds(next, pool)})
	}
	return waiters
}

// admissionNeeds gives the bytes that an item's admission takes of a pool.
func (c *Core) admissionNeeds(it *item, pool int) int64 {
	need := it.plan.reserve(0)
	for _, p := range c.homes {
		if c.g.PoolOn(p, it.device) != pool {
			continue
		}
		bytes := c.newEntryBytes(it, p)
		if need != nil {
			bytes += need[p]
		}
		return bytes
	}
	return 0
}

func (c *Core) scratchOf(it *item, stage, pool int) (bytes int64) {
	c.needs(it, stage, func(s int, amount int64) bool {
		if s == pool {
			bytes += amount
		}
		return true
	})
	return bytes
}

// Running gives the number of bodies under way.
func (c *Core) Running() int { return c.running }

// Live gives the number of items that were submitted and have not ended.
func (c *Core) Live() int { return len(c.items) }

// idleBlock says why a stage whose next item is it (nil: none) does not start it for want of a worker or a slot.
func (c *Core) idleBlock(stage int, it *item) Block {
	s := &c.stages[stage]
	switch {
	case len(s.free) == 0 && s.sends.first() != nil && s.sends.first().has(stage, finished):
		return c.fullEdge(s.sends.first(), stage)
	case it == nil:
		return Block{Kind: BlockedInput, Index: -1}
	case len(s.free) == 0:
		return Block{Kind: BlockedWorkers, Index: -1}
	}
	return Block{Kind: BlockedPending, Index: -1}
}

func (c *Core) fullEdge(it *item, stage int) Block {
	for _, e := range c.g.Stages[stage].Out {
		if !c.edgeHasRoom(it, e) {
			return Block{Kind: BlockedEdge, Index: e}
		}
	}
	return Block{Kind: BlockedWorkers, Index: -1}
}

func (c *Core) supplyBlock(s int) Block {
	if s < len(c.g.Pools) {
		return Block{Kind: BlockedMemory, Index: s}
	}
	return Block{Kind: BlockedResource, Index: s - len(c.g.Pools)}
}
