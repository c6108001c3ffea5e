package layout

import (
	"cmp"
	"slices"
)

// assignPorts gives every port its place on its node's side: in the order of what it is joined to, evenly apart,
// around the middle.
func (d *grid) assignPorts() {
	d.outAt, d.inAt = make([]int, len(d.Edges)), make([]int, len(d.Edges))
	outs, ins := make([][]int, len(d.Nodes)), make([][]int, len(d.Nodes))
	for i, e := range d.Edges {
		outs[e.From], ins[e.To] = append(outs[e.From], i), append(ins[e.To], i)
	}
	for v := range d.Nodes {
		d.spread(v, outs[v], d.outAt, func(e int) (port, neighbour int) { return d.Edges[e].Out, d.chains[e][1] })
		d.spread(v, ins[v], d.inAt, func(e int) (port, neighbour int) {
			return d.Edges[e].In, d.chains[e][len(d.chains[e])-2]
		})
	}
}

func (d *grid) spread(node int, edges, at []int, end func(e int) (port, neighbour int)) {
	where := map[int][]int{} // port → positions of its neighbours
	var ports []int
	for _, e := range edges {
		port, neighbour := end(e)
		if where[port] == nil {
			ports = append(ports, port)
		}
		where[port] = append(where[port], d.items[neighbour].pos)
	}
	slices.SortStableFunc(ports, func(a, b int) int { return cmp.Compare(average(where[a]), average(where[b])) })
	width := d.items[node].before + d.items[node].after
	gap := min(d.Spacing.Ports, width/(len(ports)+1))
	for _, e := range edges {
		port, _ := end(e)
		at[e] = (2*slices.Index(ports, port) - len(ports) + 1) * gap / 2
	}
}

func average(positions []int) float64 {
	sum := 0
	for _, p := range positions {
		sum += p
	}
	return float64(sum) / float64(len(positions))
}
