package explore_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/explore"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/sched"
	"github.com/proofgraph/proofgraph/graph/sim"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/graph/stage"
)

func load(t *testing.T, file string) *program.Program {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return compile(t, file, text, 1)
}

func compile(t *testing.T, file string, text []byte, devices int) *program.Program {
	t.Helper()
	registry, err := stage.NewRegistry(sim.Kinds()...)
	require.NoError(t, err)
	p, err := spec.Load(file, text, registry, nil)
	require.NoError(t, err)
	prog, err := program.New(p, nil, program.Devices(devices))
	require.NoError(t, err)
	return prog
}

// loadOnDevices loads a pipeline of the corpus for two devices, as it is written, or with all of its memory and resources
// in the devices if it speaks of none.
func loadOnDevices(t *testing.T, file string, moved bool) *program.Program {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	if moved && !bytes.Contains(text, []byte("memory: device")) {
		text = regexp.MustCompile(`\{ limit: (\d+) \}`).ReplaceAll(text, []byte("{ limit: $1, memory: device }"))
		text = regexp.MustCompile(`(?m)^resources: .*$`).ReplaceAllFunc(text, func(line []byte) []byte {
			return regexp.MustCompile(`(\w+): (\d)`).ReplaceAll(line, []byte("$1: { count: $2, per: device }"))
		})
	}
	return compile(t, file, text, 2)
}

// items makes n items, two of each job, for circuits 0, 1, 0, ...; the last but one is urgent.
func items(t *testing.T, prog *program.Program, n int) []sched.Item {
	var all []sched.Item
	for i := range n {
		shape, err := prog.Shape(&stage.Item{Facts: stage.Facts{"circuit": int64(i % 2)}})
		require.NoError(t, err)
		require.NoError(t, shape.Refusal)
		item := sched.Item{ID: sched.ItemID(i), Job: sched.JobID(i / 2), Shape: shape.Sched}
		if i == n-2 {
			item.Priority = 1
		}
		all = append(all, item)
	}
	return all
}

// early are the frees that bodies of a corpus pipeline may make: stage, buffer and what is left.
var early = map[string][]explore.Shrink{
	"early-free": {{Stage: 1, Buffer: 0, Left: 2}, {Stage: 1, Buffer: 1, Left: 3}},
}

func TestEveryOrderOfTheCorpus(t *testing.T) {
	files, err := filepath.Glob("testdata/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		prog := load(t, file)
		for _, failures := range []int{0, 1} {
			t.Run(fmt.Sprintf("%s with %d failures", name, failures), func(t *testing.T) {
				n := 5 - failures
				result, err := explore.Explore(explore.Case{
					Graph: prog.Graph, Items: items(t, prog, n), Failures: failures, Shrinks: early[name], Together: failures == 0,
				})
				require.NoError(t, err)
				assert.True(t, result.Complete, "%d states are not all", result.States)
				assert.Positive(t, result.Ends)
				t.Logf("%d states, %d events", result.States, result.Events)
			})
		}
	}
}

// The same on two devices: what lies in the host's memory they share, of all else each has its own.
func TestEveryOrderOfTheCorpusOnTwoDevices(t *testing.T) {
	files, err := filepath.Glob("testdata/*.yaml")
	require.NoError(t, err)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		for _, moved := range []bool{false, true} {
			prog := loadOnDevices(t, file, moved)
			t.Run(fmt.Sprintf("%s moved=%t", name, moved), func(t *testing.T) {
				n := 3
				if moved {
					n = 4
				}
				c := explore.Case{Graph: prog.Graph, Items: items(t, prog, n), Failures: 1, Shrinks: early[name]}
				result, err := explore.Explore(c)
				require.NoError(t, err)
				assert.True(t, result.Complete, "%d states are not all", result.States)
				t.Logf("%d states, %d events, peaks %v", result.States, result.Events, result.Peak)
				requireAllUsed(t, prog, result.Peak)
			})
		}
	}
}

// Fewer items, and two of the failures: both devices fail one, or one fails an item whose job is cancelled meanwhile.
func TestEveryOrderOfTwoFailuresOnTwoDevices(t *testing.T) {
	files, err := filepath.Glob("testdata/*.yaml")
	require.NoError(t, err)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		prog := loadOnDevices(t, file, true)
		t.Run(name, func(t *testing.T) {
			c := explore.Case{Graph: prog.Graph, Items: items(t, prog, 2), Failures: 2, Together: true}
			result, err := explore.Explore(c)
			require.NoError(t, err)
			assert.True(t, result.Complete, "%d states are not all", result.States)
			t.Logf("%d states, %d events", result.States, result.Events)
		})
	}
}

func requireAllUsed(t *testing.T, prog *program.Program, peaks []int64) {
	for i, p := range prog.Pools {
		assert.Positive(t, peaks[i], p.Name)
	}
}

// What Needs asks for is what some order takes: where no body has scratch, an item whose core has no limits comes to hold
// just that. And with one byte or one place less, a core that refuses nothing gets stuck.
func TestNeedsAreTheLeast(t *testing.T) {
	files, err := filepath.Glob("testdata/*.yaml")
	require.NoError(t, err)
	for _, file := range files {
		prog := load(t, file)
		one := items(t, prog, 1)
		for pool, need := range prog.Graph.Needs(one[0].Shape) {
			if need == 0 {
				continue
			}
			t.Run(fmt.Sprintf("%s in pool %d", filepath.Base(file), pool), func(t *testing.T) {
				requireAttained(t, *prog.Graph, one, pool, need)
				requireFits(t, *prog.Graph, one, pool, need)
				requireStuck(t, *prog.Graph, one, pool, need-1)
			})
		}
	}
}

func requireAttained(t *testing.T, g sched.Graph, one []sched.Item, pool int, need int64) {
	if largestScratch(one[0].Shape, pool) > 0 {
		return // the largest body may not run where most is carried
	}
	g.Pools = withLimits(g.Pools, -1)
	result, err := explore.Explore(explore.Case{Graph: &g, Items: one})
	require.NoError(t, err)
	assert.Equal(t, need, result.Peak[pool])
}

func requireFits(t *testing.T, g sched.Graph, one []sched.Item, pool int, need int64) {
	g.Pools = withLimits(g.Pools, -1)
	g.Pools[pool].Limit = need
	require.NoError(t, g.Fits(one[0].Shape))
	_, err := explore.Explore(explore.Case{Graph: &g, Items: one})
	require.NoError(t, err)
}

func requireStuck(t *testing.T, g sched.Graph, one []sched.Item, pool int, limit int64) {
	g.Pools = withLimits(g.Pools, -1)
	g.Pools[pool].Limit = limit
	var refusal *sched.Refusal
	require.ErrorAs(t, g.Fits(one[0].Shape), &refusal)
	assert.Equal(t, pool, refusal.Pool)
	assert.Equal(t, limit+1, refusal.Needed)
	_, err := explore.Explore(explore.Case{Graph: &g, Items: one, Unchecked: true})
	var violation *explore.Violation
	require.ErrorAs(t, err, &violation)
	assert.True(t, violation.Stuck, violation.Reason)
}

func withLimits(pools []sched.Pool, limit int64) []sched.Pool {
	pools = append([]sched.Pool(nil), pools...)
	for p := range pools {
		pools[p].Limit = limit
	}
	return pools
}

func largestScratch(shape *sched.Shape, pool int) int64 {
	var most int64
	for _, needs := range shape.Scratch {
		for _, n := range needs {
			if n.Pool == pool {
				most = max(most, n.Bytes)
			}
		}
	}
	return most
}

// An edge that is a byte too small is refused, and a core that refuses nothing gets stuck on it.
func TestEdgeBytesAreTheLeast(t *testing.T) {
	prog := load(t, "testdata/chain.yaml")
	g := *prog.Graph
	g.Edges = append([]sched.Edge(nil), g.Edges...)
	one := items(t, prog, 1)
	for e := range g.Edges {
		g.Edges[e].Bytes = one[0].Shape.Carried[g.Edges[e].Buffer]
		require.NoError(t, g.Fits(one[0].Shape))
	}
	_, err := explore.Explore(explore.Case{Graph: &g, Items: one})
	require.NoError(t, err)
	g.Edges[1].Bytes--
	require.Error(t, g.Fits(one[0].Shape))
	_, err = explore.Explore(explore.Case{Graph: &g, Items: one, Unchecked: true})
	var violation *explore.Violation
	require.ErrorAs(t, err, &violation)
	assert.True(t, violation.Stuck)
	assert.Contains(t, violation.Error(), "item 0 ends at b")
	assert.Contains(t, violation.Error(), "waits for edge 1")
}
