package layout

import (
	"cmp"
	"slices"
)

// precedence is how much straightness counts against compactness.
const precedence = 64

// place finds every item's coordinate across the layers: neighbours keep their distance, a long edge is one straight
// block wherever order allows, and the rest bends as little as possible. Of all best solutions it takes the middle
// between the leftmost and the rightmost, so that what is symmetric is drawn so; since solutions are a convex set, that
// is a solution too.
func (d *grid) place() ([]float64, error) {
	blocks, count := d.blocks()
	left, err := d.solvePlaces(blocks, count, 1)
	if err != nil {
		return nil, err
	}
	right, err := d.solvePlaces(blocks, count, -1)
	if err != nil {
		return nil, err
	}
	across := make([]float64, len(d.items))
	shift := d.middle(blocks, left) - d.middle(blocks, right)
	for v, b := range blocks {
		across[v] = float64(left[b]+right[b]+shift) / 2
	}
	return across, nil
}

// middle gives the centre of a solution's extent, rounded so that it is the same for equal drawings.
func (d *grid) middle(blocks, x []int) int {
	var low, high []int
	for v, it := range d.items {
		low, high = append(low, x[blocks[v]]-it.before), append(high, x[blocks[v]]+it.after)
	}
	if len(low) == 0 {
		return 0
	}
	return (slices.Min(low) + slices.Max(high)) / 2
}

// blocks numbers the sets of items that share a coordinate: each node alone, and the inside of each edge, cut where it
// crosses the inside of another.
func (d *grid) blocks() (of []int, count int) {
	cut := d.innerCrossings()
	of = make([]int, len(d.items))
	for v := range d.Nodes {
		of[v] = v
	}
	count = len(d.Nodes)
	for _, chain := range d.chains {
		inner := chain[1 : len(chain)-1]
		for i, v := range inner {
			if i == 0 || cut[v] {
				count++
			}
			of[v] = count - 1
		}
	}
	return of, count
}

// innerCrossings marks items before which the inside of an edge must bend, as another one crosses it there.
func (d *grid) innerCrossings() map[int]bool {
	cut := map[int]bool{}
	for _, layer := range d.layers {
		furthest := -1
		for _, v := range layer {
			if d.items[v].kind == nodeItem || d.items[d.next[v][0]].kind == nodeItem {
				continue
			}
			w := d.next[v][0]
			if d.items[w].pos < furthest {
				cut[w] = true
			}
			furthest = max(furthest, d.items[w].pos)
		}
	}
	return cut
}

// solvePlaces solves the program of place, leftmost (side 1) or rightmost (side -1: the mirror image, mirrored).
func (d *grid) solvePlaces(blocks []int, count, side int) ([]int, error) {
	p := program{nodes: count}
	d.keepApart(&p, blocks, side)
	d.straighten(&p, blocks, side)
	wall := p.node()
	for b := range count {
		p.arc(wall, b, 0, 1)
	}
	x, err := p.solve()
	if err != nil {
		return nil, err
	}
	for b := range count {
		x[b] = side * (x[b] - x[wall])
	}
	return x[:count], nil
}

// keepApart says that neighbours on a layer do not touch; of several arcs between two blocks the longest is enough.
func (d *grid) keepApart(p *program, blocks []int, side int) {
	longest := map[[2]int]int{}
	for _, layer := range d.layers {
		for i := 0; i+1 < len(layer); i++ {
			a, b := d.items[layer[i]], d.items[layer[i+1]]
			pair := [2]int{blocks[layer[i]], blocks[layer[i+1]]}
			if side < 0 {
				pair[0], pair[1] = pair[1], pair[0]
			}
			longest[pair] = max(longest[pair], a.after+d.gap(a, b)+b.before)
		}
	}
	pairs := make([][2]int, 0, len(longest))
	for pair := range longest {
		pairs = append(pairs, pair)
	}
	slices.SortFunc(pairs, func(a, b [2]int) int { return cmp.Or(a[0]-b[0], a[1]-b[1]) })
	for _, pair := range pairs {
		p.arc(pair[0], pair[1], longest[pair], 0)
	}
}

func (d *grid) gap(a, b item) int {
	switch {
	case a.kind == nodeItem && b.kind == nodeItem:
		return d.Spacing.Nodes
	case a.kind == labelItem || b.kind == labelItem:
		return d.Spacing.Labels
	}
	return d.Spacing.Lines
}

// straighten asks for edges without bends. An edge bends rather at the end that it shares with others: so a fan opens
// at once and its labels stand in line with their targets. A long edge bends rather than a short one.
func (d *grid) straighten(p *program, blocks []int, side int) {
	for e, chain := range d.chains {
		for i, v := range chain[1:] {
			u := chain[i]
			if blocks[u] == blocks[v] {
				continue
			}
			from, to, weight := 0, 0, 4
			if i == 0 {
				from, weight = d.outAt[e], weightAt(d.next[u], chain)
			}
			if i == len(chain)-2 {
				to, weight = d.inAt[e], weightAt(d.prev[v], chain)
			}
			align(p, blocks[u], side*from, blocks[v], side*to, precedence*weight)
		}
	}
}

// weightAt says how much an edge wants to be straight where it leaves a node together with its fellows.
func weightAt(fellows, chain []int) int {
	weight := max(1, 6/len(fellows))
	if len(chain) == 3 {
		weight *= 2
	}
	return weight
}

// align adds weight·|(x[u] + a) - (x[v] + b)| to what is minimised: the two distances from a helper before both.
func align(p *program, u, a, v, b, weight int) {
	helper, most := p.node(), max(a, b)
	p.arc(helper, u, most-a, weight)
	p.arc(helper, v, most-b, weight)
}
