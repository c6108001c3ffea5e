package layout

import "fmt"

// Layers puts every node on a layer, counted from 0, so that all edges lead to a later one and the sum of their lengths
// is least.
func Layers(g Graph) ([]int, error) {
	p := program{nodes: len(g.Nodes)}
	for i, e := range g.Edges {
		if min(e.From, e.To) < 0 || max(e.From, e.To) >= len(g.Nodes) {
			return nil, fmt.Errorf("edge %d joins nodes %d and %d of %d", i, e.From, e.To, len(g.Nodes))
		}
		p.arc(e.From, e.To, 1, 1)
	}
	start := p.node() // before all: keeps separate parts of the graph in one program
	for v := range g.Nodes {
		p.arc(start, v, 0, 0)
	}
	x, err := p.solve()
	if err != nil {
		return nil, err
	}
	return fromZero(x[:start]), nil
}

func fromZero(x []int) []int {
	if len(x) == 0 {
		return x
	}
	least := x[0]
	for _, v := range x {
		least = min(least, v)
	}
	for i := range x {
		x[i] -= least
	}
	return x
}
