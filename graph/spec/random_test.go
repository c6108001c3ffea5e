package spec

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/proofgraph/proofgraph/graph/stage"
)

// nodeKind is a stage with any number of ports; all its outputs are of one type with one parameter, which is a variable
// or the value that an option gives.
func nodeKind() *stage.Kind {
	return &stage.Kind{
		Name: "test.node",
		Options: []stage.Option{
			{Name: "in", Type: stage.Int}, {Name: "out", Type: stage.Int},
			{Name: "value", Type: stage.String, Default: "?v"},
		},
		PortsFor: func(o stage.Options) (inputs, outputs []stage.Port, err error) {
			for i := range o.Int("in") {
				inputs = append(inputs, stage.Port{Name: fmt.Sprintf("i%d", i), Type: stage.T("t", "v="+o.String("value")), Optional: true})
			}
			for i := range o.Int("out") {
				outputs = append(outputs, stage.Port{Name: fmt.Sprintf("o%d", i), Type: stage.T("t", "v="+o.String("value"))})
			}
			return inputs, outputs, nil
		},
		New: idle,
	}
}

// A sketch is a random pipeline: each stage's value of the type parameter ("" for a variable), and edges between stages.
type sketch struct {
	values []string
	edges  []sketchEdge
}

type sketchEdge struct{ from, to, output, input, capacity int }

// sketches draws pipelines of up to eight stages. Edges lead forward where acyclic is set, anywhere otherwise.
func sketches(acyclic bool, values ...string) *rapid.Generator[sketch] {
	return rapid.Custom(func(t *rapid.T) sketch {
		n := rapid.IntRange(1, 8).Draw(t, "stages")
		s := sketch{}
		for range n {
			s.values = append(s.values, rapid.SampledFrom(values).Draw(t, "value"))
		}
		place := rapid.Permutation(indexes(n)).Draw(t, "place")
		fed := make([]int, n)
		for range rapid.IntRange(0, 12).Draw(t, "edges") {
			from, to := rapid.IntRange(0, n-1).Draw(t, "from"), rapid.IntRange(0, n-1).Draw(t, "to")
			if acyclic && place[from] >= place[to] {
				continue
			}
			s.edges = append(s.edges, sketchEdge{from, to, rapid.IntRange(0, 1).Draw(t, "output"), fed[to], rapid.IntRange(1, 9).Draw(t, "capacity")})
			fed[to]++
		}
		return s
	})
}

func indexes(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// yaml writes a sketch as a pipeline.
func (s sketch) yaml() string {
	var b strings.Builder
	b.WriteString("pipeline: sketch\nstages:\n")
	for i, value := range s.values {
		if value == "" {
			value = "?v"
		}
		fmt.Fprintf(&b, "  s%d: { kind: test.node, in: 12, out: 2, value: \"%s\" }\n", i, value)
	}
	b.WriteString("edges:\n")
	for _, e := range s.edges {
		fmt.Fprintf(&b, "  - { from: s%d.o%d, to: s%d.i%d, capacity: %d }\n", e.from, e.output, e.to, e.input, e.capacity)
	}
	return b.String()
}

func loadSketch(t require.TestingT, s sketch) (*Pipeline, error) {
	registry, err := stage.NewRegistry(nodeKind())
	require.NoError(t, err)
	return Load("sketch.yaml", []byte(s.yaml()), registry, nil)
}

func TestPipelinesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sketches(true, "").Draw(t, "sketch")
		p, err := loadSketch(t, s)
		require.NoError(t, err)
		assertConsistent(t, p)
		require.Len(t, p.Stages, len(s.values))
		for i, e := range s.edges {
			got := p.Edges[i]
			require.Equal(t, fmt.Sprintf("s%d.o%d", e.from, e.output), got.FromName)
			require.Equal(t, fmt.Sprintf("s%d.i%d", e.to, e.input), got.ToName)
			require.Equal(t, e.capacity, got.Capacity)
		}
		require.Equal(t, s.earliest(), stageNumbers(p))
	})
}

// earliest orders the stages by the definition: again and again the first in the file whose feeders are all placed.
func (s sketch) earliest() []int {
	var order []int
	for len(order) < len(s.values) {
		for i := range s.values {
			blocked := slices.ContainsFunc(s.edges, func(e sketchEdge) bool { return e.to == i && !slices.Contains(order, e.from) })
			if !blocked && !slices.Contains(order, i) {
				order = append(order, i)
				break
			}
		}
	}
	return order
}

func stageNumbers(p *Pipeline) []int {
	var numbers []int
	for _, s := range p.Stages {
		var n int
		fmt.Sscanf(s.Name, "s%d", &n)
		numbers = append(numbers, n)
	}
	return numbers
}

func TestCirclesAreFoundAndReal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sketches(false, "").Draw(t, "sketch")
		_, err := loadSketch(t, s)
		if !s.circular() {
			require.NoError(t, err)
			return
		}
		var all Errors
		require.ErrorAs(t, err, &all)
		for _, e := range all {
			require.Equal(t, CodeCycle, e.Code)
			_, path, _ := strings.Cut(e.Message, ": ")
			stops := strings.Split(path, " → ")
			require.Equal(t, stops[0], stops[len(stops)-1])
			for i := range stops[1:] {
				require.True(t, slices.ContainsFunc(s.edges, func(e sketchEdge) bool {
					return fmt.Sprintf("s%d", e.from) == stops[i] && fmt.Sprintf("s%d", e.to) == stops[i+1]
				}), "%s: no edge from %s to %s", e.Message, stops[i], stops[i+1])
			}
		}
	})
}

// circular tells by transitive closure whether a stage reaches itself.
func (s sketch) circular() bool {
	n := len(s.values)
	reach := make([]bool, n*n)
	for _, e := range s.edges {
		reach[e.from*n+e.to] = true
	}
	for k := range n {
		for i := range n {
			for j := range n {
				reach[i*n+j] = reach[i*n+j] || reach[i*n+k] && reach[k*n+j]
			}
		}
	}
	return slices.ContainsFunc(indexes(n), func(i int) bool { return reach[i*n+i] })
}

// Types agree exactly if no two stages that edges connect have different values; then all of them have that value.
func TestTypesAgreeWithConnectedComponents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sketches(true, "", "", "", "red", "blue").Draw(t, "sketch")
		p, err := loadSketch(t, s)
		values, agree := s.components()
		if !agree {
			var all Errors
			require.ErrorAs(t, err, &all)
			require.Equal(t, CodeTypes, all[0].Code)
			require.Equal(t, s.firstClash(), all[0].Pos.Line-len(s.values)-4, all.Error())
			return
		}
		require.NoError(t, err)
		for i, number := range stageNumbers(p) {
			want := values[number]
			if want == "" {
				want = "?v"
			}
			require.Equal(t, want, p.Stages[i].Outputs[0].Type.Params["v"])
		}
	})
}

// components spreads values along edges until nothing changes.
func (s sketch) components() (values []string, agree bool) {
	values, agree = slices.Clone(s.values), true
	for range s.values {
		for _, e := range s.edges {
			from, to := &values[e.from], &values[e.to]
			switch {
			case *from == "":
				*from = *to
			case *to == "":
				*to = *from
			case *from != *to:
				agree = false
			}
		}
	}
	return values, agree
}

// firstClash is the first edge with which the edges so far do not agree.
func (s sketch) firstClash() int {
	for i := range s.edges {
		if _, agree := (sketch{s.values, s.edges[:i+1]}).components(); !agree {
			return i
		}
	}
	return -1
}
