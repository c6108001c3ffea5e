package explore_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/proofgraph/proofgraph/graph/explore"
	"github.com/proofgraph/proofgraph/graph/sched"
)

// drawGraph draws a pipeline of up to 5 stages: forks, joins, shared outputs, work in place, async stages, every release
// rule, a resource, cached buffers. Every edge holds 1 or 2 items. With two devices the pool, the resource or both are each
// device's own.
func drawGraph(t *rapid.T, devices int) *sched.Graph {
	g := &sched.Graph{
		Pools: []sched.Pool{{Name: "pool", Limit: -1}}, Resources: []sched.Resource{{Name: "gpu", Count: 2}}, Devices: devices,
	}
	if devices > 1 {
		g.Pools[0].PerDevice = rapid.IntRange(0, 3).Draw(t, "pool per device") > 0
		g.Resources[0].PerDevice = rapid.Bool().Draw(t, "gpu per device")
	}
	for d := 1; d < devices; d++ {
		if g.Pools[0].PerDevice {
			g.Pools = append(g.Pools, sched.Pool{Name: fmt.Sprintf("pool%d", d), Limit: -1})
		}
		if g.Resources[0].PerDevice {
			g.Resources = append(g.Resources, sched.Resource{Name: fmt.Sprintf("gpu%d", d), Count: 2})
		}
	}
	for s := range rapid.IntRange(1, 5).Draw(t, "stages") {
		st := sched.Stage{
			Name: fmt.Sprintf("s%d", s), Workers: rapid.IntRange(1, 2).Draw(t, "workers"),
			Release: sched.Release(rapid.IntRange(0, 2).Draw(t, "release")), Outputs: []int{s},
		}
		if rapid.IntRange(0, 3).Draw(t, "async") == 0 {
			st.Async, st.Pending = true, rapid.IntRange(1, 2).Draw(t, "pending")
		}
		if rapid.IntRange(0, 2).Draw(t, "uses") == 0 {
			st.Uses = []sched.Use{{Count: rapid.IntRange(1, 2).Draw(t, "count")}}
		}
		g.Stages = append(g.Stages, st)
		g.Buffers = append(g.Buffers, sched.Buffer{Name: st.Name + ".out", Stage: s, Takes: -1})
		for from := range s {
			if from == s-1 || rapid.IntRange(0, 2).Draw(t, "edge") == 0 {
				connect(g, from, s, rapid.IntRange(1, 2).Draw(t, "capacity"))
			}
		}
		drawKind(t, g, s)
	}
	return g
}

func connect(g *sched.Graph, from, to, capacity int) {
	e := len(g.Edges)
	g.Edges = append(g.Edges, sched.Edge{Buffer: from, From: from, To: to, Capacity: capacity, Bytes: 12})
	g.Stages[from].Out = append(g.Stages[from].Out, e)
	g.Stages[to].In = append(g.Stages[to].In, e)
	g.Buffers[from].Edges = append(g.Buffers[from].Edges, e)
}

func drawKind(t *rapid.T, g *sched.Graph, s int) {
	switch rapid.IntRange(0, 4).Draw(t, "kind of buffer") {
	case 0:
		g.Buffers[s].Cached = len(g.Stages[s].In) == 0
	case 1:
		for _, e := range g.Stages[s].In {
			in := &g.Buffers[g.Edges[e].Buffer]
			if len(in.Edges) == 1 && !in.Cached && g.Buffers[s].Takes < 0 {
				g.Buffers[s].Takes = g.Edges[e].Buffer
			}
		}
	}
}

// requireSoleTakes undoes work in place on a buffer that later got a second reader.
func requireSoleTakes(g *sched.Graph) {
	for b := range g.Buffers {
		if from := g.Buffers[b].Takes; from >= 0 && len(g.Buffers[from].Edges) > 1 {
			g.Buffers[b].Takes = -1
		}
	}
}

func drawShape(t *rapid.T, g *sched.Graph, scratch bool) *sched.Shape {
	shape := &sched.Shape{
		Carried: make([]int64, len(g.Buffers)), Cache: make([]string, len(g.Buffers)), Scratch: make([][]sched.Need, len(g.Stages)),
	}
	for b, buffer := range g.Buffers {
		shape.Carried[b] = rapid.Int64Range(0, 6).Draw(t, "carried")
		if buffer.Cached {
			key := rapid.Int64Range(0, 1).Draw(t, "key")
			shape.Carried[b], shape.Cache[b] = 4+key, fmt.Sprintf("entry %d of %d", key, b)
		}
		if buffer.Takes >= 0 {
			shape.Carried[b] = min(shape.Carried[b], shape.Carried[buffer.Takes])
		}
	}
	for s := range g.Stages {
		for range rapid.IntRange(0, 2).Draw(t, "scratch") {
			if scratch {
				shape.Scratch[s] = append(shape.Scratch[s], sched.Need{Bytes: rapid.Int64Range(1, 5).Draw(t, "bytes")})
			}
		}
	}
	return shape
}

// What is accepted goes through in every order, in a pool that holds the largest item and little more.
func TestEveryOrderOfRandomPipelines(t *testing.T) {
	for _, devices := range []int{1, 2} {
		t.Run(fmt.Sprintf("devices=%d", devices), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { exploreRandom(t, devices) })
		})
	}
}

func exploreRandom(t *rapid.T, devices int) {
	g := drawGraph(t, devices)
	requireSoleTakes(g)
	shapes := []*sched.Shape{drawShape(t, g, true), drawShape(t, g, true)}
	for p := range g.Pools {
		for _, shape := range shapes {
			g.Pools[p].Limit = max(g.Pools[p].Limit, g.Needs(shape)[p])
		}
		g.Pools[p].Limit += rapid.Int64Range(0, 8).Draw(t, "slack")
		if p > 0 && rapid.IntRange(0, 3).Draw(t, "small") == 0 {
			g.Pools[p].Limit = rapid.Int64Range(0, g.Pools[p].Limit).Draw(t, "limit") // too little for some
		}
	}
	c := explore.Case{
		Graph: g, Failures: rapid.IntRange(0, 2).Draw(t, "failures"), Together: rapid.Bool().Draw(t, "together"), MaxStates: 2000,
	}
	for i := range rapid.IntRange(1, 4).Draw(t, "items") {
		c.Items = append(c.Items, sched.Item{
			ID: sched.ItemID(i), Job: sched.JobID(i / 2), Shape: shapes[i%2], Priority: rapid.IntRange(0, 1).Draw(t, "priority"),
		})
	}
	for b := range g.Buffers {
		if !g.Buffers[b].Cached && g.Buffers[b].Takes < 0 && rapid.IntRange(0, 3).Draw(t, "shrinks") == 0 {
			c.Shrinks = append(c.Shrinks, explore.Shrink{Stage: g.Buffers[b].Stage, Buffer: b, Left: 1})
		}
	}
	dropTakenShrinks(&c)
	_, err := explore.Explore(c)
	require.NoError(t, err)
}

// dropTakenShrinks leaves out the frees of buffers that a later stage works on in place: it needs them whole.
func dropTakenShrinks(c *explore.Case) {
	kept := c.Shrinks[:0]
	for _, s := range c.Shrinks {
		taken := false
		for _, b := range c.Graph.Buffers {
			taken = taken || b.Takes == s.Buffer
		}
		if !taken {
			kept = append(kept, s)
		}
	}
	c.Shrinks = kept
}

// What is refused gets stuck; and without scratch, what is asked for is what some order takes to the byte.
func TestNeedsOfRandomPipelinesAreTheLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, 1)
		requireSoleTakes(g)
		shape := drawShape(t, g, false)
		one := []sched.Item{{ID: 1, Shape: shape}}
		free, err := explore.Explore(explore.Case{Graph: g, Items: one})
		require.NoError(t, err)
		need := g.Needs(shape)[0]
		assert.Equal(t, need, free.Peak[0])
		if need == 0 {
			return
		}
		g.Pools[0].Limit = need - 1
		require.Error(t, g.Fits(shape))
		_, err = explore.Explore(explore.Case{Graph: g, Items: one, Unchecked: true})
		var violation *explore.Violation
		require.True(t, errors.As(err, &violation))
		assert.True(t, violation.Stuck)
	})
}
