package explore

import (
	"fmt"
	"slices"

	"github.com/proofgraph/proofgraph/graph/sched"
)

// fail notes that a body has failed: the first of an item ends its job.
func (b *books) fail(item sched.ItemID) {
	if !b.items[item].failed {
		b.failJob(item)
	}
}

// breakDown notes that a body has been failed by its device, and whether the core lets the item begin anew.
func (b *books) breakDown(item sched.ItemID, again bool) {
	a := b.items[item]
	if !again {
		b.fail(item)
		return
	}
	a.failed, a.moving, a.brokeOn = true, true, a.device
}

// beginAnew checks that an item which begins anew was to, and has nothing under way and nothing left.
func (b *books) beginAnew(item sched.ItemID) error {
	a := b.items[item]
	switch {
	case !a.moving:
		return fmt.Errorf("item %d begins anew and was not failed by a device", item)
	case slices.ContainsFunc(b.running, func(r running) bool { return r.item == item }):
		return fmt.Errorf("item %d begins anew while a body of it is under way", item)
	case slices.ContainsFunc(a.bytes, func(bytes int64) bool { return bytes != 0 }):
		return fmt.Errorf("item %d begins anew and still has leases", item)
	}
	b.begin(a)
	for s := range b.starts {
		b.starts[s] = slices.DeleteFunc(b.starts[s], func(id sched.ItemID) bool { return id == item })
	}
	return nil
}

// failJob marks the items that an item's failure, or its job's end, ends.
func (b *books) failJob(item sched.ItemID) {
	for _, a := range b.items {
		if a.Job == b.items[item].Job && !a.ended {
			a.failed, a.moving = true, false
		}
	}
}

// heads gives the first item that lives of each job.
func (b *books) heads() []sched.ItemID {
	var heads []sched.ItemID
	seen := map[sched.JobID]bool{}
	for _, id := range b.order {
		if a := b.items[id]; !a.ended && (!a.failed || a.moving) && !seen[a.Job] {
			seen[a.Job] = true
			heads = append(heads, id)
		}
	}
	return heads
}

func (b *books) drop(item sched.ItemID) { clear(b.items[item].bytes) }
