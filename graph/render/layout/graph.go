// Package layout draws directed acyclic graphs in layers: boxes and edges in, coordinates out. It knows nothing of what
// the boxes stand for.
//
// Draw is the entry point; its steps, in reading order, are those of Sugiyama's method: layers.go puts nodes on layers,
// grid.go cuts edges at the layers they pass, order.go reduces crossings, place.go finds coordinates across the layers,
// route.go those along them. Both the layers and the coordinates are optima of one small linear program (simplex.go), after
// Gansner, Koutsofios, North and Vo, "A Technique for Drawing Directed Graphs" (1993).
//
// An edge's label is a box of its own on a layer between its ends, so a label overlaps nothing by construction.
package layout

import "fmt"

// Direction is where edges point.
type Direction int

// The directions a drawing can have.
const (
	Down Direction = iota
	Right
)

// A Graph is what to draw; lengths are in pixels.
type Graph struct {
	Nodes     []Node
	Edges     []Edge
	Direction Direction
	Spacing   Spacing
}

// A Node is a box.
type Node struct {
	Width, Height int
}

// An Edge leads from one port to another. Ports are numbers of the caller's choice: edges that name the same one leave a
// node from the same point. Where on its side a port lies is for the layout to choose.
type Edge struct {
	From, Out int
	To, In    int
	Label     Label
}

// A Label is the box that stands beside or on an edge. The edge runs past it at the distance Anchor from its left side
// (Down) or its top (Right).
type Label struct {
	Width, Height, Anchor int
}

// Spacing is the room kept free; the zero value stands for defaults.
type Spacing struct {
	Nodes  int // between neighbouring nodes of a layer
	Labels int // between a label and its neighbours
	Lines  int // between lines that run side by side, or past a node
	Layers int // between a layer of nodes and one of labels, at least
	Ports  int // between ports on one side of a node, at most
}

func (s Spacing) withDefaults() Spacing {
	for field, value := range map[*int]int{&s.Nodes: 28, &s.Labels: 16, &s.Lines: 14, &s.Layers: 18, &s.Ports: 30} {
		if *field == 0 {
			*field = value
		}
	}
	return s
}

// A Point is a place in the drawing; y grows downwards.
type Point struct{ X, Y float64 }

// A Rect is a box in the drawing.
type Rect struct{ X, Y, Width, Height float64 }

// Overlaps reports whether two boxes have points inside both.
func (r Rect) Overlaps(s Rect) bool {
	return r.X < s.X+s.Width && s.X < r.X+r.Width && r.Y < s.Y+s.Height && s.Y < r.Y+r.Height
}

// A Drawing has the coordinates of every node and edge, in the order of the graph, from (0, 0) to (Width, Height).
type Drawing struct {
	Width, Height float64
	Nodes         []Rect
	Edges         []Route
}

// A Route is the way of an edge. Two neighbouring points either lie on a line along the drawing's direction, or are to
// be joined by a curve that is parallel to it at both ends and stays between them; drawn so, no edge touches a label or
// a node that is not its own.
type Route struct {
	Points []Point
	Label  Rect
}

// Draw lays a graph out. The same graph always gives the same drawing. A cycle, or an edge to a node that is not there,
// is an error.
func Draw(g Graph) (*Drawing, error) {
	g.Spacing = g.Spacing.withDefaults()
	ranks, err := Layers(g)
	if err != nil {
		return nil, err
	}
	grid := newGrid(g, ranks)
	grid.reduceCrossings()
	grid.assignPorts()
	across, err := grid.place()
	if err != nil {
		return nil, fmt.Errorf("placing nodes: %w", err)
	}
	return grid.draw(across), nil
}
