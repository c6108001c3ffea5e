package layout

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// randomGraph draws a graph of up to 30 nodes whose edges lead from smaller to larger numbers.
func randomGraph(t *rapid.T) Graph {
	g := Graph{Direction: rapid.SampledFrom([]Direction{Down, Right}).Draw(t, "direction")}
	n := rapid.IntRange(1, 30).Draw(t, "nodes")
	for i := range n {
		size := rapid.IntRange(20, 200)
		g.Nodes = append(g.Nodes, Node{size.Draw(t, fmt.Sprint("width", i)), size.Draw(t, fmt.Sprint("height", i))})
	}
	for i := range rapid.IntRange(0, 2*n).Draw(t, "edges") {
		if n == 1 {
			break
		}
		name := func(s string) string { return fmt.Sprint(s, i) }
		from := rapid.IntRange(0, n-2).Draw(t, name("from"))
		to := rapid.IntRange(from+1, min(n-1, from+8)).Draw(t, name("to"))
		label := Label{Width: rapid.IntRange(2, 120).Draw(t, name("label")), Height: 28, Anchor: 1}
		g.Edges = append(g.Edges, Edge{From: from, Out: i % 3, To: to, In: i, Label: label})
	}
	return g
}

func TestDrawingsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := randomGraph(t)
		d, err := Draw(g)
		require.NoError(t, err)
		boxesAreApart(t, g, d)
		edgesJoinTheirNodes(t, g, d)
		edgesKeepClear(t, d)
		again, err := Draw(g)
		require.NoError(t, err)
		require.Equal(t, d, again, "the same graph gives the same drawing")
	})
}

func boxesAreApart(t require.TestingT, g Graph, d *Drawing) {
	boxes := append([]Rect(nil), d.Nodes...)
	for i, r := range d.Edges {
		require.Equal(t, float64(g.Edges[i].Label.Width), r.Label.Width)
		boxes = append(boxes, r.Label)
	}
	for i, a := range boxes {
		require.GreaterOrEqual(t, min(a.X, a.Y), 0.0)
		require.LessOrEqual(t, a.X+a.Width, d.Width)
		require.LessOrEqual(t, a.Y+a.Height, d.Height)
		for _, b := range boxes[i+1:] {
			require.False(t, a.Overlaps(b), "%v and %v", a, b)
		}
	}
}

func edgesJoinTheirNodes(t require.TestingT, g Graph, d *Drawing) {
	leaves := map[[2]int]Point{}
	for i, e := range g.Edges {
		points := d.Edges[i].Points
		for j, p := range points[1:] {
			require.Greater(t, along(g, p), along(g, points[j]), "edges go forward")
		}
		first, last := points[0], points[len(points)-1]
		from, to := d.Nodes[e.From], d.Nodes[e.To]
		require.Equal(t, along(g, Point{from.X + from.Width, from.Y + from.Height}), along(g, first))
		require.Equal(t, along(g, Point{to.X, to.Y}), along(g, last))
		require.True(t, touches(from, first) && touches(to, last), "%v to %v by %v", from, to, points)
		if p, seen := leaves[[2]int{e.From, e.Out}]; seen {
			require.Equal(t, p, first, "edges of one port leave from one point")
		}
		leaves[[2]int{e.From, e.Out}] = first
	}
}

func along(g Graph, p Point) float64 {
	if g.Direction == Right {
		return p.X
	}
	return p.Y
}

func touches(r Rect, p Point) bool {
	return p.X >= r.X && p.X <= r.X+r.Width && p.Y >= r.Y && p.Y <= r.Y+r.Height
}

// edgesKeepClear checks the boxes around each piece of an edge, which its curve does not leave, against all other
// boxes. An edge runs along its own label, whose anchor may be inside.
func edgesKeepClear(t require.TestingT, d *Drawing) {
	for i, r := range d.Edges {
		for j, p := range r.Points[1:] {
			q := r.Points[j]
			piece := Rect{min(p.X, q.X), min(p.Y, q.Y), max(p.X, q.X) - min(p.X, q.X), max(p.Y, q.Y) - min(p.Y, q.Y)}
			for _, node := range d.Nodes {
				require.False(t, piece.Overlaps(node), "edge %d at %v, a node at %v", i, piece, node)
			}
			for k, other := range d.Edges {
				require.False(t, k != i && piece.Overlaps(other.Label), "edge %d and the label of %d", i, k)
			}
		}
	}
}

func TestChainIsStraight(t *testing.T) {
	g := chain(4)
	g.Edges = append(g.Edges, Edge{From: 0, Out: 1, To: 3, In: 1, Label: Label{Width: 40, Height: 20}})
	d, err := Draw(g)
	require.NoError(t, err)
	for i, r := range d.Edges[1:3] {
		assert.Len(t, r.Points, 2, "edge %d has no bend", i+1)
	}
	assert.LessOrEqual(t, len(d.Edges[3].Points), 5, "a long edge is straight between its bends")
}

func chain(n int) Graph {
	g := Graph{Nodes: make([]Node, n)}
	for i := range n {
		g.Nodes[i] = Node{Width: 100, Height: 40}
		if i > 0 {
			g.Edges = append(g.Edges, Edge{From: i - 1, To: i, Label: Label{Width: 2, Height: 10, Anchor: 1}})
		}
	}
	return g
}

func TestDiamondIsSymmetric(t *testing.T) {
	g := Graph{Nodes: chain(4).Nodes}
	for i, e := range [][2]int{{0, 1}, {0, 2}, {1, 3}, {2, 3}} {
		g.Edges = append(g.Edges, Edge{From: e[0], To: e[1], In: i, Label: Label{Width: 20, Height: 10, Anchor: 10}})
	}
	d, err := Draw(g)
	require.NoError(t, err)
	middle := d.Nodes[0].X + 50
	assert.Equal(t, middle, d.Nodes[3].X+50)
	assert.Equal(t, 2*middle, d.Nodes[1].X+d.Nodes[2].X+100)
	assert.Equal(t, d.Nodes[1].Y, d.Nodes[2].Y)
}

func TestLayersAreShortest(t *testing.T) {
	g := Graph{Nodes: make([]Node, 5)}
	for _, e := range [][2]int{{0, 1}, {1, 2}, {2, 3}, {4, 3}} {
		g.Edges = append(g.Edges, Edge{From: e[0], To: e[1]})
	}
	layers, err := Layers(g)
	require.NoError(t, err)
	assert.Equal(t, []int{0, 1, 2, 3, 2}, layers, "a source stands beside what it feeds")
}

func TestRefusedGraphs(t *testing.T) {
	for name, edges := range map[string][]Edge{
		"loop":          {{From: 0, To: 0}},
		"cycle":         {{From: 0, To: 1}, {From: 1, To: 0}},
		"unknown node":  {{From: 0, To: 2}},
		"negative node": {{From: -1, To: 1}},
	} {
		_, err := Draw(Graph{Nodes: make([]Node, 2), Edges: edges})
		assert.Error(t, err, name)
	}
}

func TestEmptyGraph(t *testing.T) {
	d, err := Draw(Graph{})
	require.NoError(t, err)
	assert.Zero(t, d.Width)
}

func TestSimplexAgainstSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := program{nodes: 4}
		for tail := range 4 {
			for head := tail + 1; head < 4; head++ {
				p.arc(tail, head, rapid.IntRange(0, 2).Draw(t, "length"), rapid.IntRange(0, 5).Draw(t, "weight"))
			}
		}
		x, err := p.solve()
		require.NoError(t, err)
		require.Equal(t, p.leastCost(), p.cost(x))
	})
}

func (p *program) cost(x []int) int {
	cost := 0
	for _, a := range p.arcs {
		if x[a.head]-x[a.tail] < a.length {
			return 1 << 30
		}
		cost += a.weight * (x[a.head] - x[a.tail])
	}
	return cost
}

func (p *program) leastCost() int {
	best := 1 << 30
	for i := range 7 * 7 * 7 {
		best = min(best, p.cost([]int{0, i % 7, i / 7 % 7, i / 49}))
	}
	return best
}

func BenchmarkDraw(b *testing.B) {
	g := rapid.Custom(randomGraph).Filter(func(g Graph) bool { return len(g.Nodes) == 30 && len(g.Edges) > 50 }).Example(1)
	for b.Loop() {
		_, err := Draw(g)
		require.NoError(b, err)
	}
}
