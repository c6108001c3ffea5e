package sched

// Between a fork and its join, two items could each hold the edge slot that the other needs: with capacity 1, item 2 at
// the join's left input and item 1 at its right one wait for each other for ever. So in such a region the items keep one
// order, that in which they entered it: every stage of the region starts them and sends them in that order. The first
// unfinished item of a region then finds no later item in its way, and always goes on.
//
// A stage that every path crosses is outside all regions: there, items may overtake each other, by priority or by
// finishing sooner, and the order of the next region is made by its sends.

// regions says, for each stage, whether it is ordered, and for each stage outside all regions the ordered stages that its
// send lets an item into. Into those of admits an item is let by its admission.
type regions struct {
	ordered []bool
	opens   [][]int
	admits  []int
}

func findRegions(g *Graph) regions {
	r := regions{ordered: make([]bool, len(g.Stages)), opens: make([][]int, len(g.Stages))}
	last := -1
	for s := range g.Stages {
		switch {
		case g.crossed(s):
			last = s
		case last < 0:
			r.ordered[s] = true
			r.admits = append(r.admits, s)
		default:
			r.ordered[s] = true
			r.opens[last] = append(r.opens[last], s)
		}
	}
	return r
}

// crossed reports whether every path from a stage without inputs to a stage without outputs goes through stage s.
func (g *Graph) crossed(s int) bool {
	reached := make([]bool, len(g.Stages))
	for i, st := range g.Stages {
		if i == s {
			continue
		}
		reached[i] = len(st.In) == 0
		for _, e := range st.In {
			reached[i] = reached[i] || reached[g.Edges[e].From]
		}
		if reached[i] && len(st.Out) == 0 {
			return false
		}
	}
	return true
}
