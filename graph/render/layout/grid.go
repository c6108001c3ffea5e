package layout

// A grid is a graph whose edges are cut at every layer they pass. Node layers have even ranks, label layers odd ones.
type grid struct {
	Graph
	items  []item
	layers [][]int // per rank: items in their order across
	chains [][]int // per edge: its items, from source to target
	next   [][]int // per item: the items it is joined to on the next rank
	prev   [][]int // per item: the items it is joined to on the rank before

	outAt, inAt []int // per edge: where its ends lie, relative to the middle of their nodes
}

// An item is a node, a label, or the place where an edge passes a layer.
type item struct {
	kind          itemKind
	of            int // index of the node or the edge
	rank, pos     int
	before, after int // how far it reaches from its line, across the layer
	depth         int // how far it reaches along the drawing
}

type itemKind int

const (
	nodeItem itemKind = iota
	labelItem
	lineItem
)

func newGrid(g Graph, ranks []int) *grid {
	d := &grid{Graph: g, chains: make([][]int, len(g.Edges))}
	last := -1
	for v, n := range g.Nodes {
		across, along := g.turn(n.Width, n.Height)
		d.add(item{kind: nodeItem, of: v, rank: 2 * ranks[v], before: across / 2, after: across - across/2, depth: along})
		last = max(last, 2*ranks[v])
	}
	d.layers = make([][]int, last+1)
	crowd := make([]int, last+1)
	for e := range g.Edges {
		d.cut(e, crowd)
	}
	d.firstOrder()
	return d
}

// turn gives a pair (x, y) as (across, along), or such a pair as (x, y).
func (g *Graph) turn(x, y int) (int, int) {
	if g.Direction == Right {
		return y, x
	}
	return x, y
}

func (d *grid) add(it item) int {
	d.items = append(d.items, it)
	d.next, d.prev = append(d.next, nil), append(d.prev, nil)
	return len(d.items) - 1
}

// cut makes the chain of an edge. Its label goes to the layer with the most room, to the earlier one of equals; crowd
// has the extent of the labels on each layer so far.
func (d *grid) cut(e int, crowd []int) {
	edge := d.Edges[e]
	from, to := d.items[edge.From].rank, d.items[edge.To].rank
	at := from + 1
	for r := from + 1; r < to; r += 2 {
		if crowd[r] < crowd[at] {
			at = r
		}
	}
	chain := []int{edge.From}
	for r := from + 1; r < to; r++ {
		it := item{kind: lineItem, of: e, rank: r}
		if r == at {
			it = d.label(e, r)
			crowd[r] += it.before + it.after
		}
		chain = append(chain, d.add(it))
	}
	d.chains[e] = append(chain, edge.To)
	for i, v := range d.chains[e][1:] {
		u := d.chains[e][i]
		d.next[u], d.prev[v] = append(d.next[u], v), append(d.prev[v], u)
	}
}

func (d *grid) label(e, rank int) item {
	l := d.Edges[e].Label
	across, along := d.turn(l.Width, l.Height)
	return item{kind: labelItem, of: e, rank: rank, before: l.Anchor, after: across - l.Anchor, depth: along}
}

// firstOrder fills the layers in the order of a depth-first walk, which alone draws trees without crossings.
func (d *grid) firstOrder() {
	seen := make([]bool, len(d.items))
	var walk func(v int)
	walk = func(v int) {
		if seen[v] {
			return
		}
		seen[v] = true
		it := &d.items[v]
		it.pos = len(d.layers[it.rank])
		d.layers[it.rank] = append(d.layers[it.rank], v)
		for _, w := range d.next[v] {
			walk(w)
		}
	}
	for v := range d.Nodes {
		if len(d.prev[v]) == 0 {
			walk(v)
		}
	}
}
