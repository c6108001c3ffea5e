package program

import "math"

// Least gives, per pool, the fewest bytes with which items of the shape go through: what they need of the pool itself,
// and what makes each edge whose budget is a share of the pool large enough. An edge of a fixed size is not considered. In
// device memory it is what every device would do with, if all had as much.
func (prog *Program) Least(shape *Shape) []int64 {
	least := prog.Graph.Needs(shape.Sched)
	for i, e := range prog.Spec.Edges {
		buffer := prog.Graph.Edges[i].Buffer
		pool := prog.Graph.Buffers[buffer].Pool
		if pool < 0 || e.Bytes.Share == 0 {
			continue
		}
		whole, copies := leastWhole(shape.Sched.Carried[buffer], e.Bytes.Share), prog.copies(prog.Pools[pool].Memory)
		for d := range copies {
			least[pool+d] = max(least[pool+d], parted(whole, int64(copies)))
		}
	}
	return least
}

// parted gives the least part of which so many are at least the whole.
func parted(whole, parts int64) int64 { return whole/parts + min(whole%parts, 1) }

// leastWhole gives the least number of which the share, rounded down, is at least part.
func leastWhole(part int64, share float64) int64 {
	quotient := math.Ceil(float64(part) / share)
	if quotient >= 1<<53 { // no machine has as much, and a float64 no longer counts single bytes
		return math.MaxInt64
	}
	whole := int64(quotient)
	for partOf(whole, share) < part {
		whole++
	}
	for whole > 0 && partOf(whole-1, share) >= part {
		whole--
	}
	return whole
}

// partOf gives a share of a number of bytes, rounded down.
func partOf(whole int64, share float64) int64 { return int64(share * float64(whole)) }
