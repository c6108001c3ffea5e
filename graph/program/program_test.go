package program_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/sched"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// The kinds of these tests read their footprints from the item: fact "make.out" is the bytes of make's output, and so on;
// an item whose payload is a string names a cache entry.
func kinds(t require.TestingT) *stage.Registry {
	vector := stage.T("vector")
	nothing := func(stage.Options) (stage.Body, error) {
		return stage.BodyFunc(func(context.Context, *stage.Task) error { return nil }), nil
	}
	output := func(port string) func(stage.Options, stage.Item) (stage.Footprint, error) {
		return func(_ stage.Options, item stage.Item) (stage.Footprint, error) {
			return stage.Footprint{Outputs: map[string]int64{"out": item.Facts[port]}}, nil
		}
	}
	registry, err := stage.NewRegistry(
		&stage.Kind{
			Name: "t.make", New: nothing, Footprint: output("make.out"),
			Outputs: []stage.Port{{Name: "out", Type: vector, Class: "vector"}},
		},
		&stage.Kind{
			Name: "t.double", New: nothing, Footprint: output("double.out"),
			Inputs:  []stage.Port{{Name: "in", Type: vector}},
			Outputs: []stage.Port{{Name: "out", Type: vector, Class: "vector", Takes: "in"}},
		},
		&stage.Kind{
			Name: "t.sum", New: nothing, Scratch: []string{"scratch"},
			Inputs:  []stage.Port{{Name: "in", Type: vector}},
			Outputs: []stage.Port{{Name: "sum", Type: stage.T("number")}},
			Footprint: func(o stage.Options, item stage.Item) (stage.Footprint, error) {
				if item.Facts["broken"] != 0 {
					return stage.Footprint{}, fmt.Errorf("no such vector")
				}
				return stage.Footprint{
					Scratch: map[string]int64{"scratch": item.Facts["scratch"]},
					Heap:    map[string]int64{"scratch": item.Facts["heap"] * int64(o.Threads)},
				}, nil
			},
		},
		&stage.Kind{
			Name: "t.load", New: nothing,
			Outputs: []stage.Port{{Name: "out", Type: vector, Class: "key"}, {Name: "size", Type: stage.T("number")}},
			PortsFor: func(o stage.Options) (in, out []stage.Port, err error) {
				out = []stage.Port{{Name: "out", Type: vector, Class: "key"}}
				if o.Bool("measured") {
					out = append(out, stage.Port{Name: "size", Type: stage.T("number")})
				}
				return nil, out, nil
			},
			Options: []stage.Option{{Name: "measured", Type: stage.Bool, Default: "false"}},
			Footprint: func(_ stage.Options, item stage.Item) (stage.Footprint, error) {
				key, _ := item.Payload.(string)
				return stage.Footprint{
					Outputs: map[string]int64{"out": item.Facts["key"]}, CacheKeys: map[string]string{"out": key},
				}, nil
			},
		},
		&stage.Kind{Name: "t.begin", New: nothing, Outputs: []stage.Port{{Name: "out", Type: vector}}},
		&stage.Kind{
			Name: "t.classless", New: nothing, Footprint: output("make.out"),
			Outputs: []stage.Port{{Name: "out", Type: vector}},
		},
	)
	require.NoError(t, err)
	return registry
}

func load(t require.TestingT, source string) *spec.Pipeline {
	p, err := spec.Load("test.yaml", []byte(source), kinds(t), nil)
	require.NoError(t, err)
	return p
}

func bind(t require.TestingT, source string, limits map[string]int64) *program.Program {
	prog, err := program.New(load(t, source), limits)
	require.NoError(t, err)
	return prog
}

const chain = `
pipeline: chain
pools: { host: { limit: 1000B }, side: { limit: none } }
buffers: { vector: { pool: host }, scratch: { pool: host } }
stages:
  make: { kind: t.make }
  double: { kind: t.double }
  sum: { kind: t.sum, threads: 3 }
edges:
  - { from: make.out, to: double.in, capacity: 2, bytes: 50% }
  - { from: double.out, to: sum.in, capacity: 1, bytes: 400B }
`

func item(facts stage.Facts) *stage.Item { return &stage.Item{Job: "j", Facts: facts} }

func TestLimits(t *testing.T) {
	pools := func(host string) string {
		return fmt.Sprintf("pipeline: p\npools: { host: { limit: %s } }\nbuffers: { vector: { pool: host } }\nstages: { make: { kind: t.make } }\n", host)
	}
	cases := []struct {
		name, limit string
		given       map[string]int64
		want        int64
		refused     string
	}{
		{"its own", "1000B", nil, 1000, ""},
		{"lowered", "1000B", map[string]int64{"host": 10}, 10, ""},
		{"not raised", "1000B", map[string]int64{"host": 5000}, 1000, ""},
		{"another's", "1000B", map[string]int64{"side": 10}, 1000, ""},
		{"auto", "auto", map[string]int64{"host": 77}, 77, ""},
		{"auto and nothing known", "auto", nil, 0, "this machine offers none"},
		{"auto and nothing left", "auto", map[string]int64{"host": 0}, 0, "no bytes left after its margin"},
		{"none", "none", nil, -1, ""},
		{"none is not lowered", "none", map[string]int64{"host": 10}, -1, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			prog, err := program.New(load(t, pools(c.limit)), c.given)
			if c.refused != "" {
				require.ErrorContains(t, err, c.refused)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.want, prog.Graph.Pools[0].Limit)
		})
	}
}

func TestSharesOfPools(t *testing.T) {
	prog := bind(t, chain, nil)
	assert.Equal(t, int64(500), prog.Graph.Edges[0].Bytes)
	assert.Equal(t, int64(400), prog.Graph.Edges[1].Bytes)
	prog = bind(t, chain, map[string]int64{"host": 101})
	assert.Equal(t, int64(50), prog.Graph.Edges[0].Bytes, "rounded down")
	assert.Equal(t, int64(400), prog.Graph.Edges[1].Bytes, "a fixed size stays")
}

func TestShapeHoldsWhatFootprintsSay(t *testing.T) {
	prog := bind(t, chain, nil)
	shape, err := prog.Shape(item(stage.Facts{"make.out": 100, "double.out": 60, "scratch": 30, "heap": 5}))
	require.NoError(t, err)
	require.NoError(t, shape.Refusal)
	assert.Equal(t, []int64{100, 60, 0}, shape.Sched.Carried)
	assert.Equal(t, []sched.Need{{Pool: 0, Bytes: 30}, {Pool: 0, Bytes: 15}}, shape.Sched.Scratch[2], "three threads' heap")
	assert.Equal(t, []program.Amount{
		{Class: 1, Name: "scratch", Bytes: 30}, {Class: 1, Name: "scratch", Bytes: 15, Heap: true},
	}, shape.Scratch[2])
	assert.Equal(t, 0, prog.Graph.Buffers[1].Takes)
}

func TestEqualNeedsShareAShape(t *testing.T) {
	prog := bind(t, chain, nil)
	one, err := prog.Shape(item(stage.Facts{"make.out": 100, "scratch": 1}))
	require.NoError(t, err)
	same, err := prog.Shape(item(stage.Facts{"make.out": 100, "scratch": 1, "colour": 3}))
	require.NoError(t, err)
	other, err := prog.Shape(item(stage.Facts{"make.out": 100, "heap": 1}))
	require.NoError(t, err)
	assert.Same(t, one, same)
	assert.NotSame(t, one, other)

	bare := bind(t, "pipeline: bare\nstages: { begin: { kind: t.begin } }\n", nil)
	one, err = bare.Shape(item(nil))
	require.NoError(t, err)
	same, err = bare.Shape(item(stage.Facts{"make.out": 100}))
	require.NoError(t, err)
	assert.Same(t, one, same, "where no kind has a footprint")
}

func TestFootprintsThatCannotBe(t *testing.T) {
	cases := map[string]struct {
		facts stage.Facts
		says  string
	}{
		"more than it takes over":        {stage.Facts{"make.out": 100, "double.out": 101}, `stage "double": output "out": takes over 100 bytes and needs 101`},
		"below zero":                     {stage.Facts{"make.out": -1}, `stage "make": output "out": a footprint of -1 bytes`},
		"scratch below zero":             {stage.Facts{"scratch": -1}, `stage "sum": scratch of class "scratch": a footprint of -1 bytes`},
		"more than can be counted":       {stage.Facts{"make.out": math.MaxInt64}, `stage "make": output "out": a footprint of 9223372036854775807 bytes: it has from 0 to 1 PiB`},
		"scratch beyond what is counted": {stage.Facts{"scratch": 1<<50 + 1}, `stage "sum": scratch of class "scratch": a footprint of 1125899906842625 bytes`},
		"an error of the kind":           {stage.Facts{"broken": 1}, `stage "sum": no such vector`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := bind(t, chain, nil).Shape(item(c.facts))
			require.ErrorContains(t, err, c.says)
		})
	}
	t.Run("no class", func(t *testing.T) {
		prog := bind(t, "pipeline: p\npools: { host: { limit: 1MiB } }\nstages: { make: { kind: t.classless } }\n", nil)
		_, err := prog.Shape(item(stage.Facts{"make.out": 1}))
		require.ErrorContains(t, err, "1 bytes and no buffer class")
	})
}

func TestRefusals(t *testing.T) {
	cases := map[string]struct {
		facts  stage.Facts
		needed int64
		says   string
	}{
		"an edge's share": {stage.Facts{"make.out": 501}, 501, "the edge from make.out to double holds 500 bytes and one item needs 501"},
		"an edge's bytes": {stage.Facts{"make.out": 450, "double.out": 401}, 401, "the edge from double.out to sum holds 400 bytes and one item needs 401"},
		"the pool":        {stage.Facts{"make.out": 400, "double.out": 400, "scratch": 700}, 1100, `the pool "host" holds 1000 bytes and one item needs 1100`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			shape, err := bind(t, chain, nil).Shape(item(c.facts))
			require.NoError(t, err)
			var refusal *sched.Refusal
			require.ErrorAs(t, shape.Refusal, &refusal)
			assert.Equal(t, c.needed, refusal.Needed)
			assert.EqualError(t, refusal, c.says)
		})
	}
}

// The greatest footprints that there may be still add up to something that does not fit.
func TestTheGreatestFootprintsAreRefused(t *testing.T) {
	facts := stage.Facts{"make.out": 1 << 50, "double.out": 1 << 50, "scratch": 1 << 50}
	prog := bind(t, strings.NewReplacer("50%", "1000000TiB", "400B", "1000000TiB").Replace(chain), nil)
	shape, err := prog.Shape(item(facts))
	require.NoError(t, err)
	require.EqualError(t, shape.Refusal, fmt.Sprintf(`the pool "host" holds 1000 bytes and one item needs %d`, int64(2<<50)))
}

const cachedPipeline = `
pipeline: cached
pools: { host: { limit: 1000B } }
buffers: { vector: { pool: host }, key: { pool: host, cached: true }, scratch: { pool: host } }
stages:
  load: { kind: t.load, measured: %t }
  sum: { kind: t.sum }
edges:
  - { from: load.out, to: sum.in, capacity: 1, bytes: 100%% }
`

func TestACachedOutputStandsAlone(t *testing.T) {
	bind(t, fmt.Sprintf(cachedPipeline, false), nil)
	_, err := program.New(load(t, fmt.Sprintf(cachedPipeline, true)), nil)
	require.ErrorContains(t, err, `stage "load" has a cached output beside other ports; it must be alone`)
}

func TestCacheEntriesAreNamed(t *testing.T) {
	prog := bind(t, fmt.Sprintf(cachedPipeline, false), nil)
	shape, err := prog.Shape(&stage.Item{Facts: stage.Facts{"key": 300}, Payload: "k1"})
	require.NoError(t, err)
	assert.Equal(t, "k1", shape.Sched.Cache[0])
	other, err := prog.Shape(&stage.Item{Facts: stage.Facts{"key": 300}, Payload: "k2"})
	require.NoError(t, err)
	assert.NotSame(t, shape, other, "another entry is another shape")
	_, err = prog.Shape(&stage.Item{Facts: stage.Facts{"key": 300}})
	require.ErrorContains(t, err, "its class is cached and the footprint names no entry")
}

// The least memory does, and one byte less does not.
func TestLeastIsLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		made := rapid.Int64Range(0, 350).Draw(t, "made")
		facts := stage.Facts{
			"make.out": made, "double.out": rapid.Int64Range(0, made).Draw(t, "doubled"),
			"scratch": rapid.Int64Range(0, 300).Draw(t, "scratch"), "heap": rapid.Int64Range(0, 30).Draw(t, "heap"),
		}
		shape, err := bind(t, chain, nil).Shape(item(facts))
		require.NoError(t, err)
		least := bind(t, chain, nil).Least(shape)[0]
		fits := func(limit int64) bool {
			shape, err := bind(t, chain, map[string]int64{"host": limit}).Shape(item(facts))
			require.NoError(t, err)
			return shape.Refusal == nil
		}
		if least == 0 {
			return
		}
		require.True(t, fits(least), "%d bytes do for %v", least, facts)
		if least > 1 {
			require.False(t, fits(least-1), "%d bytes do not for %v", least-1, facts)
		}
	})
}
