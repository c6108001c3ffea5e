package layout

import "math"

// draw turns places across the layers into a drawing: it stacks the layers and follows each edge through them.
func (d *grid) draw(across []float64) *Drawing {
	tops, length := d.stack(across)
	least, most := math.Inf(1), math.Inf(-1)
	for v, it := range d.items {
		least, most = min(least, across[v]-float64(it.before)), max(most, across[v]+float64(it.after))
	}
	if len(d.items) == 0 {
		least, most = 0, 0
	}
	out := &Drawing{Nodes: make([]Rect, len(d.Nodes)), Edges: make([]Route, len(d.Edges))}
	size := d.point(most-least, length)
	out.Width, out.Height = size.X, size.Y
	for v := range across {
		across[v] -= least
	}
	for v := range d.Nodes {
		out.Nodes[v] = d.box(v, across, tops)
	}
	for e := range d.Edges {
		out.Edges[e] = d.route(e, across, tops)
	}
	return out
}

// stack gives where each layer begins and the length of all. The gap between two layers grows with the widest bend in
// it, so that curves stay gentle.
func (d *grid) stack(across []float64) (tops []float64, length float64) {
	for rank, layer := range d.layers {
		tops = append(tops, length)
		bend := 0.0
		for _, v := range layer {
			for _, w := range d.next[v] {
				bend = max(bend, math.Abs(across[v]-across[w]))
			}
		}
		length += d.depth(rank)
		if rank < len(d.layers)-1 {
			length += float64(d.Spacing.Layers) + math.Round(min(bend/6, 48))
		}
	}
	return tops, length
}

func (d *grid) depth(rank int) float64 {
	depth := 0
	for _, v := range d.layers[rank] {
		depth = max(depth, d.items[v].depth)
	}
	return float64(depth)
}

// box gives the rectangle of a node or label, in the middle of its layer.
func (d *grid) box(v int, across, tops []float64) Rect {
	it := d.items[v]
	corner := d.point(across[v]-float64(it.before), tops[it.rank]+(d.depth(it.rank)-float64(it.depth))/2)
	size := d.point(float64(it.before+it.after), float64(it.depth))
	return Rect{corner.X, corner.Y, size.X, size.Y}
}

func (d *grid) point(across, along float64) Point {
	if d.Direction == Right {
		return Point{along, across}
	}
	return Point{across, along}
}

// route follows an edge from its source's side to its target's: straight through each layer, curved between them.
func (d *grid) route(e int, across, tops []float64) Route {
	chain, r := d.chains[e], Route{}
	for i, v := range chain {
		it := d.items[v]
		at, start, end := across[v], tops[it.rank], tops[it.rank]+d.depth(it.rank)
		inset := (end - start - float64(it.depth)) / 2
		switch {
		case i == 0:
			at, start = at+float64(d.outAt[e]), end-inset
		case i == len(chain)-1:
			at, end = at+float64(d.inAt[e]), start+inset
		case it.kind == labelItem:
			r.Label = d.box(v, across, tops)
		}
		r.Points = append(r.Points, d.point(at, start), d.point(at, end))
	}
	r.Points = withoutRepeats(r.Points)
	return r
}

// withoutRepeats drops points that stand where the one before stands, and those within a straight line.
func withoutRepeats(points []Point) []Point {
	kept := points[:1:1]
	for _, p := range points[1:] {
		n := len(kept)
		if p == kept[n-1] {
			continue
		}
		if n > 1 && inLine(kept[n-2], kept[n-1], p) {
			kept = kept[:n-1]
		}
		kept = append(kept, p)
	}
	return kept
}

func inLine(a, b, c Point) bool {
	return a.X == b.X && b.X == c.X || a.Y == b.Y && b.Y == c.Y
}
