package sched

import (
	"fmt"
	"math/bits"
)

// A Core is the state of one pipeline's scheduling. It is not safe for concurrent use: its driver serializes events. The
// decisions that an event returns are valid until the next event and must be carried out in order: what an answer to one of
// them brings comes after all of them.
type Core struct {
	g       *Graph
	homes   []int // the pools that buffers and needs can name
	regions regions
	ranker  Ranker

	stages    []stageState
	edges     []EdgeCounts
	supplies  []supply // the pools, then the resources
	plans     map[*Shape]*plan
	livePlans []livePlan // those of admitted items
	entries   map[string]*entry

	items   map[ItemID]*item
	jobs    map[JobID][]*item
	arrived ranked // submitted and not yet admitted
	spare   []*item
	nextSeq uint64
	running int

	flying    int        // items that were admitted and have not ended
	flyingOn  []int      // the same by device
	standings []standing // by device

	dirty     uint64 // stages whose sends and starts must be looked at again
	admitting bool   // admission must be looked at again
	admission Block
	waitSeq   uint64
	unchecked bool // Submit refuses nothing
	out       []Decision
}

type stageState struct {
	starts  fifo   // ordered stages: items in the order of the region, until they start
	ranked  ranked // other stages: the items that are ready
	sends   fifo   // ordered stages: the order of sends; other stages: items whose output waits to be sent
	free    []int32
	pending int
	waitSeq uint64 // when the next body began to wait for a supply; 0: it does not wait
	block   Block
	StageCounts
}

// New makes a core for a graph. The ranker says which idle cache entry to give up first; nil is least recently used.
func New(g *Graph, ranker Ranker) (*Core, error) {
	if err := g.validate(); err != nil {
		return nil, err
	}
	if ranker == nil {
		ranker = unranked{}
	}
	c := &Core{
		g: g, homes: g.homes(), regions: findRegions(g), ranker: ranker,
		stages: make([]stageState, len(g.Stages)), edges: make([]EdgeCounts, len(g.Edges)),
		supplies: newSupplies(g), flyingOn: make([]int, g.devices()), standings: make([]standing, g.devices()),
		plans: map[*Shape]*plan{}, entries: map[string]*entry{},
		items: map[ItemID]*item{}, jobs: map[JobID][]*item{},
	}
	for s := range g.Stages {
		for w := g.Stages[s].Workers - 1; w >= 0; w-- {
			c.stages[s].free = append(c.stages[s].free, int32(w))
		}
	}
	return c, nil
}

// Submit hands in an item. A *Refusal means that it could never fit, however empty the pipeline, on any device.
func (c *Core) Submit(in Item) ([]Decision, error) {
	if c.items[in.ID] != nil {
		return nil, fmt.Errorf("item %d was submitted twice", in.ID)
	}
	if refusal := c.planOf(in.Shape).refusal(); refusal != nil && !c.unchecked {
		return nil, refusal
	}
	it := c.newItem(in)
	c.items[in.ID] = it
	c.jobs[in.Job] = append(c.jobs[in.Job], it)
	c.arrived.push(it)
	c.admitting = true
	return c.pump(), nil
}

// Launched says that the async body of an item is under way: its worker is free and its output is sent.
func (c *Core) Launched(id ItemID, stage int) []Decision {
	it := c.items[id]
	it.at[stage] |= launched
	c.freeWorker(it, stage)
	if !it.dead {
		c.offer(it, stage)
	}
	return c.pump()
}

// Finished says that the body of an item has ended well, and that the driver has freed the scratch and whatever had this
// body as its last holder.
func (c *Core) Finished(id ItemID, stage int) []Decision {
	it := c.items[id]
	c.bodyEnded(it, stage)
	c.stages[stage].Finished++
	if it.dead {
		c.bury(it, stage)
		return c.pump()
	}
	if c.g.Stages[stage].Async && !it.has(stage, launched) {
		it.at[stage] |= launched
		c.freeWorker(it, stage)
		c.offer(it, stage)
	}
	it.at[stage] |= finished
	it.done |= 1 << stage
	it.left--
	c.settle(it)
	c.leaveCached(it)
	c.afterBody(it, stage)
	if it.left == 0 {
		c.pardon(it)
		c.end(it, true)
	}
	return c.pump()
}

// afterBody sends what a body made, or lets its consumers have what was sent at launch.
func (c *Core) afterBody(it *item, stage int) {
	s := &c.g.Stages[stage]
	switch {
	case s.Async:
		if it.has(stage, sent) {
			c.arrive(it, stage)
			c.freeSlot(it, stage)
		}
	case s.Release == OnComplete || len(s.Out) == 0:
		c.freeWorker(it, stage)
		c.offer(it, stage)
	default:
		c.offer(it, stage)
	}
}

// Failed says that the body of an item has ended with an error; all items of its job end with it. An item that is about to
// begin anew still does.
func (c *Core) Failed(id ItemID, stage int) []Decision {
	if it := c.items[id]; c.bodyFailed(it, stage) {
		c.killJob(it.Job)
	}
	return c.pump()
}

// FailedByDevice says that the body of an item has ended with an error of the device that it is on. The device is avoided
// for a while. again says that the item begins anew on another (decision Again, after it has been dropped); where it
// cannot, its job ends as with Failed.
func (c *Core) FailedByDevice(id ItemID, stage int) (again bool, decisions []Decision) {
	it := c.items[id]
	c.condemn(it)
	if c.bodyFailed(it, stage) {
		if c.canMove(it) {
			c.move(it)
		} else {
			c.killJob(it.Job)
		}
	}
	again = it.moving
	return again, c.pump()
}

// bodyFailed returns what a failed body held, and reports whether it is the first of its item to fail.
func (c *Core) bodyFailed(it *item, stage int) (first bool) {
	c.bodyEnded(it, stage)
	c.stages[stage].Failed++
	if it.dead {
		c.bury(it, stage)
		return false
	}
	c.freeWorker(it, stage)
	c.freeSlot(it, stage)
	return true
}

// Shrunk says that a body gave back a part of an input or output early: the buffer has only bytes left from now on. An
// async body's output may lie on its edges already; it weighs less there too.
func (c *Core) Shrunk(id ItemID, buffer int, bytes int64) []Decision {
	it := c.items[id]
	if bytes < it.Shape.Carried[buffer] {
		c.lighten(it, buffer, it.Shape.Carried[buffer]-bytes)
		c.reshape(it, it.plan.shrunk(c.g, buffer, bytes))
		c.settle(it)
	}
	return c.pump()
}

// CancelJob ends all items of a job, as a failure of one of them does.
func (c *Core) CancelJob(job JobID) []Decision {
	c.killJob(job)
	return c.pump()
}

// Dropped answers Drop: the item holds no memory any more.
func (c *Core) Dropped(id ItemID) []Decision {
	it := c.items[id]
	c.release(it)
	if it.moving {
		c.beginAnew(it)
	} else {
		c.end(it, false)
	}
	return c.pump()
}

// Evicted answers Evict: the entry's memory has been given back.
func (c *Core) Evicted(key string) []Decision {
	c.forget(key)
	return c.pump()
}

// bodyEnded returns what a body held while it ran.
func (c *Core) bodyEnded(it *item, stage int) {
	it.running--
	c.running--
	c.returnSupplies(it, stage)
	c.touch(stage)
}

// end removes an item that holds nothing any more.
func (c *Core) end(it *item, ok bool) {
	if it.admitted {
		c.land(it)
	}
	c.out = append(c.out, Decision{Op: Ended, Item: it.ID, OK: ok})
	delete(c.items, it.ID)
	c.leaveJob(it)
	c.admitting = true
	c.spare = append(c.spare, it)
}

// land takes an admitted item, which holds nothing any more, off the counts of those under way.
func (c *Core) land(it *item) {
	c.unlive(it.plan, it.device)
	c.flying--
	c.flyingOn[it.device]--
}

func (c *Core) leaveJob(it *item) {
	items := c.jobs[it.Job]
	for i, other := range items {
		if other == it {
			items[i] = items[len(items)-1]
			items = items[:len(items)-1]
			break
		}
	}
	if len(items) == 0 {
		delete(c.jobs, it.Job)
		return
	}
	c.jobs[it.Job] = items
}

// touch marks a stage to be looked at again.
func (c *Core) touch(stage int) { c.dirty |= 1 << stage }

// pump looks at what the event may have made possible until nothing more is. Of stages that become ready together the
// upstream one goes first: more waits on it. What became ready earlier has its place in the waiting lists anyway.
func (c *Core) pump() []Decision {
	for c.dirty != 0 || c.admitting {
		if c.dirty == 0 {
			c.admitting = false
			c.admit()
			continue
		}
		stage := bits.TrailingZeros64(c.dirty)
		c.dirty &^= 1 << stage
		c.send(stage)
		c.start(stage)
	}
	out := c.out
	c.out = c.out[:0]
	return out
}
