package cache

import (
	"errors"

	"github.com/proofgraph/proofgraph/graph/budget"
)

// Reserve asks for a lease of a pool (an index), and gives up idle entries of that pool until it is granted. It gives
// none up where all of them would not do. Loads use it to lease the bytes of an entry; ask is a call of the tracker's
// Lease or Charge.
func (t *Table) Reserve(pool int, ask func() (*budget.Lease, error)) (*budget.Lease, error) {
	lease, err := ask()
	if err == nil || shortage(err) == nil {
		return lease, err
	}
	// One at a time: room that another is about to make may do, and nothing is given up twice over.
	t.freeing.Lock()
	defer t.freeing.Unlock()
	for {
		lease, err = ask()
		over := shortage(err)
		if over == nil || !t.canMakeRoom(pool, over) || !t.evict(func() *entry { return t.victim(inPool(pool)) }) {
			return lease, err
		}
	}
}

func shortage(err error) *budget.OverBudgetError {
	var over *budget.OverBudgetError
	errors.As(err, &over)
	return over
}

func inPool(pool int) func(*entry) bool {
	return func(e *entry) bool { return e.bytes > 0 && e.lease.Pool() == pool }
}

// canMakeRoom says whether what was asked would fit if every idle entry of the pool were gone.
func (t *Table) canMakeRoom(pool int, over *budget.OverBudgetError) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	var idle, held int64
	for _, e := range t.entries {
		if e.idle() && inPool(pool)(e) {
			idle += e.bytes
		}
	}
	for _, h := range over.Holders {
		held += h.Bytes
	}
	return over.Asked <= over.Limit-(held-idle)
}
