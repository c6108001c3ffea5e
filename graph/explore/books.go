package explore

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"github.com/proofgraph/proofgraph/graph/sched"
)

// books are the explorer's own account of who holds what. They know the graph and what the core decided, nothing else.
type books struct {
	g       *sched.Graph
	items   map[sched.ItemID]*account
	order   []sched.ItemID   // as submitted
	regions []int            // by stage: the region in which items keep one order, or -1
	starts  [][]sched.ItemID // by stage: in order
	running []running
	uses    []int   // per resource
	scratch []int64 // per pool
	entries map[string]cached
	peak    []int64 // per pool: the most bytes that existed
}

type running struct {
	item     sched.ItemID
	stage    int
	launched bool
	permit   bool // holds a worker as far as the books know: until it ends, or is launched
}

type cached struct {
	pool  int
	bytes int64
}

// An account is one item's.
type account struct {
	sched.Item
	holders []int   // per buffer: producer and consumers that have not ended
	bytes   []int64 // per buffer: what exists of it
	device  int     // where its first body started, or -1
	started uint64
	failed  bool
	ended   bool
	moving  bool // failed, and is to begin anew
	brokeOn int  // the device that failed it, or -1
}

func newBooks(c *Case, core *sched.Core) *books {
	return &books{
		regions: regionsOf(core, c.Graph), starts: make([][]sched.ItemID, len(c.Graph.Stages)),
		g: c.Graph, items: map[sched.ItemID]*account{}, entries: map[string]cached{},
		uses: make([]int, len(c.Graph.Resources)), scratch: make([]int64, len(c.Graph.Pools)), peak: make([]int64, len(c.Graph.Pools)),
	}
}

func (b *books) clone() *books {
	own := *b
	own.items = make(map[sched.ItemID]*account, len(b.items))
	for id, a := range b.items {
		copied := *a
		copied.holders, copied.bytes = slices.Clone(a.holders), slices.Clone(a.bytes)
		own.items[id] = &copied
	}
	own.order, own.running, own.uses = slices.Clone(b.order), slices.Clone(b.running), slices.Clone(b.uses)
	own.starts = make([][]sched.ItemID, len(b.starts))
	for s := range b.starts {
		own.starts[s] = slices.Clone(b.starts[s])
	}
	own.scratch, own.entries, own.peak = slices.Clone(b.scratch), maps.Clone(b.entries), slices.Clone(b.peak)
	return &own
}

// appendKey adds what the books check and the core's key may not tell: the bytes that exist of each living item.
func (b *books) appendKey(key []byte) []byte {
	for _, id := range b.order {
		if a := b.items[id]; !a.ended {
			for _, bytes := range a.bytes {
				key = binary.AppendVarint(key, bytes)
			}
		}
	}
	return key
}

func (b *books) submit(in sched.Item) {
	a := &account{Item: in, brokeOn: -1, holders: make([]int, len(b.g.Buffers)), bytes: make([]int64, len(b.g.Buffers))}
	b.begin(a)
	b.items[in.ID] = a
	b.order = append(b.order, in.ID)
}

// begin lets an item be as if nothing had been done for it.
func (b *books) begin(a *account) {
	a.device, a.started, a.failed, a.moving = -1, 0, false, false
	for i := range b.g.Buffers {
		a.holders[i] = 1 + len(b.g.Buffers[i].Edges)
	}
}

// bodyStarts checks a start: once for each item and stage, all inputs there, and in the order of arrival at a source.
func (b *books) bodyStarts(d sched.Decision, ready []sched.ItemID) error {
	a, st := b.items[d.Item], &b.g.Stages[d.Stage]
	switch {
	case a == nil || a.ended || a.failed:
		return fmt.Errorf("%s starts for item %d, which is not under way", st.Name, d.Item)
	case a.started&(1<<d.Stage) != 0:
		return fmt.Errorf("%s starts twice for item %d", st.Name, d.Item)
	}
	for _, e := range st.In {
		if from := b.g.Edges[e].From; a.started&(1<<from) == 0 || b.runs(d.Item, from) {
			return fmt.Errorf("%s starts for item %d before %s has ended", st.Name, d.Item, b.g.Stages[from].Name)
		}
	}
	if err := b.keepsOrder(d, ready); err != nil {
		return err
	}
	if err := b.settles(a, d.Device); err != nil {
		return err
	}
	a.started |= 1 << d.Stage
	b.starts[d.Stage] = append(b.starts[d.Stage], d.Item)
	b.running = append(b.running, running{item: d.Item, stage: d.Stage, permit: true})
	for _, u := range st.Uses {
		b.uses[b.g.ResourceOn(u.Resource, a.device)] += u.Count
	}
	for _, n := range b.scratchOf(a, d.Stage) {
		b.scratch[b.g.PoolOn(n.Pool, a.device)] += n.Bytes
	}
	for _, out := range st.Outputs {
		b.birth(a, out, false)
	}
	b.raise()
	return nil
}

// settles checks that an item's bodies are all on one device, of those that there are.
func (b *books) settles(a *account, device int) error {
	switch {
	case device < 0 || device >= max(b.g.Devices, 1):
		return fmt.Errorf("item %d is placed on device %d, which there is not", a.ID, device)
	case a.device >= 0 && a.device != device:
		return fmt.Errorf("item %d moves from device %d to %d", a.ID, a.device, device)
	case a.brokeOn == device:
		return fmt.Errorf("item %d is back on device %d, which failed it", a.ID, device)
	}
	a.device = device
	return nil
}

func (b *books) runs(item sched.ItemID, stage int) bool {
	return slices.ContainsFunc(b.running, func(r running) bool { return r.item == item && r.stage == stage })
}

func (b *books) launch(item sched.ItemID, stage int) {
	for i := range b.running {
		if b.running[i].item == item && b.running[i].stage == stage {
			b.running[i].launched, b.running[i].permit = true, false
		}
	}
}

// bodyEnds returns what a body had; where it ended well it lets go of its inputs and outputs.
func (b *books) bodyEnds(item sched.ItemID, stage int, well bool) error {
	a, st := b.items[item], &b.g.Stages[stage]
	b.running = slices.DeleteFunc(b.running, func(r running) bool { return r.item == item && r.stage == stage })
	for _, u := range st.Uses {
		b.uses[b.g.ResourceOn(u.Resource, a.device)] -= u.Count
	}
	for _, n := range b.scratchOf(a, stage) {
		b.scratch[b.g.PoolOn(n.Pool, a.device)] -= n.Bytes
	}
	if !well || a.failed {
		return nil
	}
	for _, out := range st.Outputs {
		if from := b.g.Buffers[out].Takes; from >= 0 {
			a.bytes[from] = 0
		}
		b.birth(a, out, true)
		if err := b.let(a, out); err != nil {
			return err
		}
	}
	for _, e := range st.In {
		if err := b.let(a, b.g.Edges[e].Buffer); err != nil {
			return err
		}
	}
	return nil
}

func (b *books) ends(d sched.Decision) error {
	a := b.items[d.Item]
	switch {
	case a.ended:
		return fmt.Errorf("item %d ends twice", d.Item)
	case d.OK == a.failed:
		return fmt.Errorf("item %d ends with OK=%v", d.Item, d.OK)
	case d.OK && a.started != 1<<len(b.g.Stages)-1:
		return fmt.Errorf("item %d ends before all stages ran", d.Item)
	}
	a.ended = true
	return nil
}

// widths checks that no stage has more bodies under way than workers, or than pending places.
func (b *books) widths() error {
	for s, st := range b.g.Stages {
		permits, pending := 0, 0
		for _, r := range b.running {
			if r.stage == s {
				pending++
				if r.permit {
					permits++
				}
			}
		}
		if permits > st.Workers || st.Async && pending > st.Pending {
			return fmt.Errorf("%s has %d bodies on %d workers, %d pending", st.Name, permits, st.Workers, pending)
		}
	}
	return nil
}

// requireEnded checks that every item has ended and left no lease.
func (b *books) requireEnded() error {
	for _, id := range b.order {
		a := b.items[id]
		if !a.ended {
			return fmt.Errorf("item %d has not ended", id)
		}
		for i, bytes := range a.bytes {
			if bytes != 0 {
				return fmt.Errorf("the lease of %s of item %d has not ended", b.g.Buffers[i].Name, id)
			}
		}
	}
	return nil
}
