package budget_test

import (
	"fmt"

	"github.com/proofgraph/proofgraph/graph/budget"
)

func Example() {
	const witness, quotient = 0, 1
	tracker, err := budget.New(
		[]budget.Pool{{Name: "host", Limit: 64 << 20}},
		[]budget.Class{{Name: "witness"}, {Name: "h"}},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	lease, _ := tracker.Lease(witness, 48<<20, "item 1")
	copy(lease.Bytes(), "memory off Go's heap")

	_, err = tracker.Lease(witness, 32<<20, "item 2")
	fmt.Println(err)

	_ = lease.Shrink(16 << 20)   // two thirds are no longer needed
	_ = lease.Recast(quotient)   // what is left becomes an output
	_ = lease.HandOver("item 7") // and goes on to another holder
	fmt.Println(budget.FormatBytes(tracker.PoolCounts(0).Bytes), "in use by", lease.Holder())

	fmt.Println(tracker.Close())
	_ = lease.Release()
	fmt.Println(tracker.Close())
	// Output:
	// item 2 asks 32 MiB of witness, but pool host has 48 MiB of 64 MiB in use, held by item 1 (48 MiB)
	// 16 MiB in use by item 7
	// leases not returned: 1
	//   item 7 holds 16 MiB of h in pool host, leased at budget_test.Example (example_test.go:19)
	// <nil>
}
