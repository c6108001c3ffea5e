package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/proofgraph/proofgraph/graph/render/layout"
	"github.com/proofgraph/proofgraph/graph/spec"
)

// randomPipeline draws a pipeline of up to 30 stages whose names are of any length.
func randomPipeline(t *rapid.T) *spec.Pipeline {
	b := build("random", "").class("a", 0).class("b", 0)
	b.Resources = []spec.Resource{{Name: "gpu0", Count: 1}}
	n := rapid.IntRange(1, 30).Draw(t, "stages")
	for i := range n {
		name := fmt.Sprint("s", i, rapid.StringMatching(`[a-z_]{0,40}`).Draw(t, "name"))
		b = b.stage(name, "kind", parallel(rapid.IntRange(1, 64).Draw(t, "workers"), 4))
		if rapid.Bool().Draw(t, "resource") {
			using(0)(&b.Stages[i])
		}
		if rapid.Bool().Draw(t, "async") {
			pendingBeside(3)(&b.Stages[i])
		}
	}
	for i := range rapid.IntRange(0, 2*(n-1)).Draw(t, "edges") {
		from := rapid.IntRange(0, n-2).Draw(t, "from")
		to := rapid.IntRange(from+1, min(n-1, from+6)).Draw(t, "to")
		port := fmt.Sprintf("%s.p%d", b.Stages[from].Name, i%3)
		b = b.edge(port, fmt.Sprintf("%s.i%d", b.Stages[to].Name, i), "vector", "a", 2, gib)
	}
	return b.Pipeline
}

func TestEverythingFitsAndNothingOverlaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := randomPipeline(t)
		direction := rapid.SampledFrom([]Direction{Auto, Down, Right}).Draw(t, "direction")
		s, err := newScene(p, Options{Direction: direction})
		require.NoError(t, err)
		boxes := append([]layout.Rect(nil), s.drawing.Nodes...)
		for i, c := range s.cards {
			require.Equal(t, float64(c.width), s.drawing.Nodes[i].Width)
			textFits(t, c)
		}
		for _, r := range s.drawing.Edges {
			boxes = append(boxes, r.Label)
		}
		apart(t, boxes)
		legendFits(t, s)
	})
}

// textFits checks that a card is as large as its text, and that its badges stand apart.
func textFits(t require.TestingT, c card) {
	require.LessOrEqual(t, nameFont.width(c.name)+2*cardPadding, c.width)
	var boxes []layout.Rect
	for _, row := range c.rows {
		for _, b := range row {
			require.LessOrEqual(t, b.x+b.width+cardPadding, c.width)
			require.LessOrEqual(t, b.y+badgeHeight, c.height)
			boxes = append(boxes, layout.Rect{X: float64(b.x), Y: float64(b.y), Width: float64(b.width), Height: badgeHeight})
		}
	}
	apart(t, boxes)
}

func legendFits(t require.TestingT, s *scene) {
	l := s.legend(leastPage)
	var boxes []layout.Rect
	for _, e := range l.entries {
		require.LessOrEqual(t, e.x+e.width(), leastPage)
		boxes = append(boxes, layout.Rect{X: float64(e.x), Y: float64(e.y), Width: float64(e.width()), Height: legendStep})
	}
	apart(t, boxes)
}

func apart(t require.TestingT, boxes []layout.Rect) {
	for i, a := range boxes {
		for _, b := range boxes[i+1:] {
			require.False(t, a.Overlaps(b), "%v and %v", a, b)
		}
	}
}

func TestAutoFitsThePage(t *testing.T) {
	for _, c := range cases {
		s, err := newScene(c.pipeline, Options{})
		require.NoError(t, err)
		want := layout.Right
		if strings.HasPrefix(c.name, "groth16") || strings.HasPrefix(c.name, "skips") {
			want = layout.Down
		}
		assert.Equal(t, want, s.direction, c.name)
	}
}

func TestSharedOutputIsOnePort(t *testing.T) {
	s, err := newScene(fanPipeline(), Options{})
	require.NoError(t, err)
	for _, r := range s.drawing.Edges {
		assert.Equal(t, s.drawing.Edges[0].Points[0], r.Points[0])
	}
}

func TestCyclesAreRefused(t *testing.T) {
	p := chainPipeline()
	p.Edges[1].To = 0
	_, err := newScene(p, Options{})
	assert.ErrorContains(t, err, "drawing pipeline digest: the graph has a cycle")
}
