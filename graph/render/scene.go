package render

import (
	"fmt"

	"github.com/proofgraph/proofgraph/graph/render/layout"
	"github.com/proofgraph/proofgraph/graph/spec"
)

// A scene is a pipeline with everything measured and placed.
type scene struct {
	*spec.Pipeline
	direction layout.Direction
	cards     []card
	tags      []tag
	numbers   *Annotation
	drawing   *layout.Drawing
}

// A tag is the label of an edge: what it carries, and its budget below, and its measured numbers.
type tag struct {
	lines []string
	class int
	async bool
}

const (
	pageWidth = 920 // what Auto takes for a page
	lineStep  = 14  // between the lines of a label
	beside    = 7   // between a line that runs down and its label
)

// newScene lays a pipeline out in the direction asked for, or in the one that fits.
func newScene(p *spec.Pipeline, o Options) (*scene, error) {
	s := &scene{Pipeline: p, numbers: o.Annotation}
	for i := range p.Stages {
		s.cards = append(s.cards, newCard(p, i, o.Annotation.stage(i).words()))
	}
	for i, e := range p.Edges {
		s.tags = append(s.tags, newTag(p, e, o.Annotation.edge(i).words()))
	}
	if o.Direction != Auto {
		return s, s.place(o.Direction.layout())
	}
	if err := s.place(layout.Right); err != nil || s.drawing.Width <= pageWidth {
		return s, err
	}
	right := s.drawing
	if err := s.place(layout.Down); err != nil || s.drawing.Width < right.Width {
		return s, err
	}
	return s, s.place(layout.Right)
}

func newTag(p *spec.Pipeline, e spec.Edge, numbers string) tag {
	t := tag{lines: []string{cargo(p, e), edgeBudget(p, e)}, class: classOf(p, e), async: p.Stages[e.From].Async}
	if numbers != "" {
		t.lines = append(t.lines, numbers)
	}
	return t
}

func (s *scene) place(d layout.Direction) (err error) {
	g := layout.Graph{Direction: d}
	for _, c := range s.cards {
		g.Nodes = append(g.Nodes, layout.Node{Width: c.width, Height: c.height})
	}
	for i, e := range s.Edges {
		g.Edges = append(g.Edges, layout.Edge{From: e.From, Out: e.Output, To: e.To, In: e.Input, Label: s.tags[i].box(d)})
	}
	s.direction = d
	if s.drawing, err = layout.Draw(g); err != nil {
		return fmt.Errorf("drawing pipeline %s: %w", s.Name, err)
	}
	return nil
}

// box gives the room of a label: to the right of a line that runs down; around one that runs to the right, with what
// the edge carries above it and the rest below.
func (t tag) box(d layout.Direction) layout.Label {
	width := 0
	for _, line := range t.lines {
		width = max(width, labelFont.width(line))
	}
	if d == layout.Right {
		return layout.Label{Width: width + 8, Height: lineStep*len(t.lines) + 6, Anchor: lineStep + 2}
	}
	return layout.Label{Width: width + beside + 2, Height: lineStep * len(t.lines), Anchor: 2}
}
