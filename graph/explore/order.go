package explore

import (
	"fmt"
	"slices"

	"github.com/proofgraph/proofgraph/graph/sched"
)

// What may overtake what: at a stage without inputs nobody passes an earlier item of no lower priority; at a stage that
// every path crosses, nobody passes one that was ready before; and between a fork and its join all stages start items in
// one order.

// keepsOrder checks a start. ready are the items that were ready at the stage before the event that led to it; at a stage
// without inputs, where an item's turn comes with its admission, all that came earlier count, but those that begin anew: what
// was admitted meanwhile may have this body still before it.
func (b *books) keepsOrder(d sched.Decision, ready []sched.ItemID) error {
	source := len(b.g.Stages[d.Stage].In) == 0
	if source {
		ready = b.order[:slices.Index(b.order, d.Item)]
	}
	for _, id := range ready {
		other := b.items[id]
		waits := !other.failed && !other.ended && other.started&(1<<d.Stage) == 0
		if id != d.Item && waits && !(source && other.brokeOn >= 0) && b.comesFirst(id, d.Item) {
			return fmt.Errorf("item %d overtakes item %d at %s", d.Item, id, b.g.Stages[d.Stage].Name)
		}
	}
	return b.keepsRegion(d)
}

// comesFirst reports whether, of two items that are ready, the first has the higher priority, or the same and came
// earlier.
func (b *books) comesFirst(a, other sched.ItemID) bool {
	if p, q := b.items[a].Priority, b.items[other].Priority; p != q {
		return p > q
	}
	return slices.Index(b.order, a) < slices.Index(b.order, other)
}

// keepsRegion checks that no item that another stage of the region started earlier is still to come at this one.
func (b *books) keepsRegion(d sched.Decision) error {
	region := b.regions[d.Stage]
	for t := range b.g.Stages {
		if region < 0 || b.regions[t] != region || t == d.Stage {
			continue
		}
		at := slices.Index(b.starts[t], d.Item)
		if at < 0 {
			at = len(b.starts[t])
		}
		for _, id := range b.starts[t][:at] {
			a := b.items[id]
			if !a.failed && !a.ended && a.started&(1<<d.Stage) == 0 {
				return fmt.Errorf("%s starts item %d before item %d, and %s did not", b.g.Stages[d.Stage].Name, d.Item, id, b.g.Stages[t].Name)
			}
		}
	}
	return nil
}

// regionsOf numbers the regions in which items keep one order; -1 is a stage outside.
func regionsOf(core *sched.Core, g *sched.Graph) []int {
	regions, next := make([]int, len(g.Stages)), 0
	for s := range g.Stages {
		regions[s] = next
		if !core.Ordered(s) {
			regions[s] = -1
			next++
		}
	}
	return regions
}
