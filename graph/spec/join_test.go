package spec

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/stage"
)

// paintKinds have the ports that photos lack: types with two parameters, an input that takes anything, and an output
// that takes over an input which may be missing.
func paintKinds(t *testing.T) *stage.Registry {
	t.Helper()
	paint := func(pairs ...string) []stage.Port {
		return []stage.Port{{Name: "paint", Type: stage.T("paint", pairs...), Class: "pot"}}
	}
	registry, err := stage.NewRegistry(
		&stage.Kind{Name: "paint.red", Outputs: paint("colour=red", "gloss=matt"), New: idle},
		&stage.Kind{Name: "paint.plain", Outputs: paint("gloss=matt"), New: idle},
		&stage.Kind{Name: "paint.note", Outputs: []stage.Port{{Name: "note", Type: stage.T("note")}}, New: idle},
		&stage.Kind{Name: "wall.shiny", Inputs: []stage.Port{{Name: "paint", Type: stage.T("paint", "colour", "gloss=shiny")}}, New: idle},
		&stage.Kind{Name: "wall.any", Inputs: []stage.Port{{Name: "paint", Type: stage.T("paint", "gloss")}}, New: idle},
		&stage.Kind{Name: "wall.red", Inputs: []stage.Port{{Name: "paint", Type: stage.T("paint", "colour=red")}}, New: idle},
		&stage.Kind{Name: "bin", Inputs: []stage.Port{{Name: "waste"}}, New: idle},
		&stage.Kind{
			Name: "stir", New: idle,
			Inputs:  []stage.Port{{Name: "in", Optional: true}},
			Outputs: []stage.Port{{Name: "out", Type: stage.T("note"), Takes: "in"}},
		},
		&stage.Kind{Name: "must", Options: []stage.Option{
			{Name: "choice", Type: stage.String, Enum: []string{"left", "right"}, Required: true},
			{Name: "text", Type: stage.String, Required: true}, {Name: "size", Type: stage.Size, Required: true},
			{Name: "flag", Type: stage.Bool, Required: true}, {Name: "count", Type: stage.Int, Required: true, Min: 3},
		}, New: idle},
	)
	require.NoError(t, err)
	return registry
}

func loadPaint(t *testing.T, stages, edges string) (*Pipeline, error) {
	t.Helper()
	return Load("paint.yaml", []byte("pipeline: paint\npools: { shed: { limit: 1MiB } }\nbuffers: { pot: { pool: shed } }\n"+
		"stages: { "+stages+" }\nedges:\n"+edges), paintKinds(t), nil)
}

func onlyError(t *testing.T, err error) *Error {
	t.Helper()
	var all Errors
	require.ErrorAs(t, err, &all)
	require.Len(t, all, 1)
	return all[0]
}

func TestMismatchNamesTheParameter(t *testing.T) {
	_, err := loadPaint(t, "a: { kind: paint.red }, b: { kind: wall.shiny }", "  - { from: a, to: b, capacity: 1, bytes: 1B }")
	assert.Equal(t, "a.paint gives paint(colour=red, gloss=matt), but b.paint takes paint(colour=?colour, gloss=shiny): they differ in gloss",
		onlyError(t, err).Message)
	_, err = loadPaint(t, "a: { kind: paint.plain }, b: { kind: wall.red }", "  - { from: a, to: b, capacity: 1, bytes: 1B }")
	assert.Equal(t, "a.paint gives paint(gloss=matt), but b.paint takes paint(colour=red): the first has no colour", onlyError(t, err).Message)
}

func TestInputsTakeWhatTheyDoNotMention(t *testing.T) {
	_, err := loadPaint(t, "a: { kind: paint.red }, b: { kind: wall.any }, c: { kind: bin }",
		"  - { from: a, to: b, capacity: 1, bytes: 1B }\n  - { from: a, to: c, capacity: 1, bytes: 1B }")
	require.NoError(t, err)
}

func TestAnOutputTakesOverOnlyWhatArrives(t *testing.T) {
	for name, c := range map[string]struct {
		stages, edges string
		takes, class  int
	}{
		"a buffer":     {"a: { kind: paint.red }, s: { kind: stir }", "  - { from: a, to: s, capacity: 1, bytes: 1B }", 0, 0},
		"no buffer":    {"a: { kind: paint.note }, s: { kind: stir }", "  - { from: a, to: s, capacity: 1 }", -1, -1},
		"nothing":      {"s: { kind: stir }", "", -1, -1},
		"what it took": {"a: { kind: paint.red }, r: { kind: stir }, s: { kind: stir }", "  - { from: r, to: s, capacity: 1, bytes: 1B }\n  - { from: a, to: r, capacity: 1, bytes: 1B }", 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := loadPaint(t, c.stages, c.edges)
			require.NoError(t, err)
			out := p.stageNamed("s").Outputs[0]
			assert.Equal(t, c.takes, out.Takes)
			assert.Equal(t, c.class, out.Class)
		})
	}
}

// An error is said once, not again by what follows from it.
func TestAnUndeclaredClassIsOneError(t *testing.T) {
	_, err := Load("paint.yaml", []byte("pipeline: paint\nstages: { a: { kind: paint.red }, s: { kind: stir } }\n"+
		"edges: [ { from: a, to: s, capacity: 1, bytes: 10% } ]"), paintKinds(t), nil)
	assert.Equal(t, CodeNoClass, onlyError(t, err).Code)
}

func TestRequiredOptionsShowAValue(t *testing.T) {
	_, err := loadPaint(t, "m: { kind: must }", "")
	var all Errors
	require.ErrorAs(t, err, &all)
	var hints []string
	for _, e := range all {
		assert.Equal(t, CodeMissing, e.Code)
		hints = append(hints, e.Hint)
	}
	assert.Equal(t, []string{"add choice: left (one of left, right)", "add text: ...", "add size: 1MiB", "add flag: true", "add count: 3"}, hints)
}

func TestSuggestions(t *testing.T) {
	known := []string{"capacity", "from", "to", "bytes"}
	for name, want := range map[string]string{"capactiy": "capacity", "form": "from", "Bytes": "bytes", "tto": "to", "colour": ""} {
		assert.Equal(t, want, nearest(name, known), name)
	}
	assert.Equal(t, 3, distance("kitten", "sitting"))
	assert.Equal(t, 1, distance("ab", "ba"))
}
