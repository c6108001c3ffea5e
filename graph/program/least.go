package program

import (
	"math"

	"github.com/proofgraph/proofgraph/graph/sched"
)

// Least gives, per pool, the fewest bytes with which one item of a shape fits: what it needs of the pool, and what the
// edges want whose budgets are shares of it.
func (prog *Program) Least(shape *sched.Shape) []int64 {
	least := prog.Graph.Needs(shape)
	for i, e := range prog.Spec.Edges {
		buffer := prog.Graph.Edges[i].Buffer
		if pool := prog.Graph.Buffers[buffer].Pool; pool >= 0 && e.Bytes.Share > 0 {
			least[pool] = max(least[pool], int64(math.Ceil(float64(shape.Carried[buffer])/e.Bytes.Share)))
		}
	}
	return least
}

// SharedBy gives the pool that a refused edge has its share of, or -1: then more memory does not help, and the edge must
// be given more bytes.
func (prog *Program) SharedBy(r *sched.Refusal) int {
	if r.Pool >= 0 {
		return r.Pool
	}
	if e := prog.Spec.Edges[r.Edge]; e.Bytes.Share > 0 {
		return prog.Graph.Buffers[prog.Graph.Edges[r.Edge].Buffer].Pool
	}
	return -1
}
