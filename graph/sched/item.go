package sched

// ItemID names an item; the driver chooses it and never uses it twice.
type ItemID uint64

// JobID names the job that an item is a part of; an item that fails ends all items of its job.
type JobID uint64

// An Item is one unit of work: every stage runs once for it.
type Item struct {
	ID       ItemID
	Job      JobID
	Priority int // greater goes first
	Shape    *Shape
}

// A Shape is what an item needs, in bytes. Items of equal needs should share one: what the core works out from a shape
// it remembers by its address.
type Shape struct {
	Carried []int64  // per buffer; for a cached one, the entry's bytes
	Cache   []string // per buffer: the entry that a cached one is (nil: none)
	Scratch [][]Need // per stage
}

// A Need is an amount of one pool, of the item's device where every device has one.
type Need struct {
	Pool  int
	Bytes int64
}

// flags says how far an item has come at one stage.
type flags uint8

const (
	ready    flags = 1 << iota // all inputs have arrived
	started                    // the body was started
	launched                   // the async body is under way and its worker is free
	finished                   // the body has ended well
	sent                       // the output lies, or lay, on its edges
	permit                     // a worker is held
	slot                       // a pending slot is held
)

// item is the core's record of an item that has not ended.
type item struct {
	Item
	submitted *Shape // what it was submitted with; Shape is less, where some was freed early
	seq       uint64
	plan      *plan
	device    int     // where it was placed; until it is admitted, where it would be now
	at        []flags // per stage
	worker    []int32 // per stage, meaningful with permit
	missing   []int16 // per stage: inputs that have not arrived
	untaken   []int16 // per stage: edges whose consumer has not taken the output
	onEdge    []bool  // per edge
	held      []int64 // per pool, by its home: reserved for carried bytes
	done      uint64  // stages whose body has ended well
	left      int     // stages whose body has not ended
	running   int     // bodies under way
	admitted  bool
	dead      bool
	stale     bool  // its device has failed an item since it was admitted
	moved     bool  // it began anew, or is to: a device failed it
	moving    bool  // it begins anew when it has been dropped
	failedOn  int   // of one that moved: the device
	cached    []int // cached buffers whose entry the item refers to
}

// entries gives, per buffer, the cache entry that it is on the item's device ("" where it is none).
func (it *item) entries() []string { return it.plan.entries[it.device] }

func (it *item) has(stage int, f flags) bool { return it.at[stage]&f == f }

func (c *Core) newItem(in Item) *item {
	it := c.recycled()
	it.Item, it.submitted = in, in.Shape
	it.seq, c.nextSeq = c.nextSeq, c.nextSeq+1
	c.reset(it)
	return it
}

// reset lets an item that holds nothing be as it was submitted.
func (c *Core) reset(it *item) {
	it.Shape, it.plan = it.submitted, c.planOf(it.submitted)
	it.admitted, it.dead, it.moving, it.stale = false, false, false, false
	it.done, it.left = 0, len(c.g.Stages)
	clear(it.at)
	clear(it.onEdge)
	for s := range c.g.Stages {
		it.missing[s] = int16(len(c.g.Stages[s].In))
		it.untaken[s] = int16(len(c.g.Stages[s].Out))
	}
}

// recycled gives an empty record: one of an ended item where there is one, since a pipeline of small items makes many.
func (c *Core) recycled() *item {
	if n := len(c.spare); n > 0 {
		it := c.spare[n-1]
		c.spare = c.spare[:n-1]
		clear(it.held)
		*it = item{at: it.at, worker: it.worker, missing: it.missing, untaken: it.untaken, onEdge: it.onEdge, held: it.held, cached: it.cached[:0]}
		return it
	}
	stages := len(c.g.Stages)
	return &item{
		at: make([]flags, stages), worker: make([]int32, stages),
		missing: make([]int16, stages), untaken: make([]int16, stages),
		onEdge: make([]bool, len(c.g.Edges)), held: make([]int64, len(c.g.Pools)),
	}
}
