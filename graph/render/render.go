// Package render draws pipelines: as a picture (SVG), as text for other tools (DOT, Mermaid) and for a terminal (Text),
// and writes what a run was like: aligned tables (Table) and traces that Perfetto opens (Trace).
//
// All writers take a checked pipeline, give the same bytes for the same input, and escape every name in it. Reading
// order: words.go (how budgets are put into words), card.go and scene.go (what is drawn, and how large), layout (where),
// svg.go and legend.go (the picture).
package render

import (
	"time"

	"github.com/proofgraph/proofgraph/graph/render/layout"
)

// Options say how a pipeline is drawn; the zero value is the usual way.
type Options struct {
	Direction Direction
	// Annotation has numbers to print beside the parts they belong to (nil: none).
	Annotation *Annotation
}

// Direction is where the edges of a drawing point.
type Direction int

// The directions a drawing can have.
const (
	Auto  Direction = iota // Right where that fits into a page, Down otherwise
	Down                   // top to bottom
	Right                  // left to right
)

func (d Direction) layout() layout.Direction {
	if d == Right {
		return layout.Right
	}
	return layout.Down
}

// An Annotation has what is known of a pipeline beyond its text, by index into the pipeline's Edges, Stages and Pools.
type Annotation struct {
	Edges, Stages, Pools map[int]Measure
}

// A Measure is what was computed or measured of one part; fields that are zero are not printed.
type Measure struct {
	Worst int64         // bytes it may hold at most, as check computed them
	Peak  int64         // bytes it held at most, as a run measured them
	Busy  time.Duration // time its workers worked, summed over them
}

func (a *Annotation) edge(i int) Measure {
	if a == nil {
		return Measure{}
	}
	return a.Edges[i]
}

func (a *Annotation) stage(i int) Measure {
	if a == nil {
		return Measure{}
	}
	return a.Stages[i]
}

func (a *Annotation) pool(i int) Measure {
	if a == nil {
		return Measure{}
	}
	return a.Pools[i]
}
