package sched

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// drawGraph draws a pipeline of up to 8 stages with every feature the core knows: forks and joins, shared outputs,
// outputs that take over inputs, async stages, every release rule, resources, cached buffers, a bound of items in flight,
// up to three devices with pools and resources of their own.
func drawGraph(t *rapid.T) *Graph {
	g := &Graph{
		Pools:     []Pool{{Name: "host"}, {Name: "device"}},
		Resources: []Resource{{Name: "gpu", Count: rapid.IntRange(1, 3).Draw(t, "gpu")}},
		InFlight:  rapid.IntRange(0, 3).Draw(t, "in flight"),
		Devices:   rapid.IntRange(0, 3).Draw(t, "devices"),
	}
	if g.Devices > 1 {
		g.Pools[1].PerDevice = true
		g.Resources[0].PerDevice = rapid.Bool().Draw(t, "gpu per device")
	}
	for d := 1; d < g.Devices; d++ {
		g.Pools = append(g.Pools, Pool{Name: fmt.Sprintf("device%d", d)})
		if g.Resources[0].PerDevice {
			g.Resources = append(g.Resources, Resource{Name: fmt.Sprintf("gpu%d", d), Count: g.Resources[0].Count})
		}
	}
	n := rapid.IntRange(1, 8).Draw(t, "stages")
	for s := range n {
		g.Stages = append(g.Stages, drawStage(t, g, s))
		g.Buffers = append(g.Buffers, Buffer{
			Name: fmt.Sprintf("s%d.out", s), Stage: s, Takes: -1, Pool: rapid.IntRange(-1, 1).Draw(t, "pool"),
		})
		g.Stages[s].Outputs = []int{s}
		for from := range s {
			if rapid.IntRange(0, 2).Draw(t, "edge") == 0 {
				connect(g, from, s, rapid.IntRange(1, 3).Draw(t, "capacity"))
			}
		}
	}
	for s := range g.Stages {
		drawTakes(t, g, s)
	}
	return g
}

func drawStage(t *rapid.T, g *Graph, s int) Stage {
	st := Stage{
		Name: fmt.Sprintf("s%d", s), Workers: rapid.IntRange(1, 3).Draw(t, "workers"),
		Release: Release(rapid.IntRange(0, 2).Draw(t, "release")),
	}
	if rapid.IntRange(0, 3).Draw(t, "async") == 0 {
		st.Async, st.Pending = true, rapid.IntRange(1, 2).Draw(t, "pending")
	}
	if rapid.Bool().Draw(t, "uses") {
		st.Uses = []Use{{Count: rapid.IntRange(1, g.Resources[0].Count).Draw(t, "count")}}
	}
	return st
}

func connect(g *Graph, from, to, capacity int) {
	e := len(g.Edges)
	g.Edges = append(g.Edges, Edge{Buffer: from, From: from, To: to, Capacity: capacity, Bytes: 60})
	g.Stages[from].Out = append(g.Stages[from].Out, e)
	g.Stages[to].In = append(g.Stages[to].In, e)
	g.Buffers[from].Edges = append(g.Buffers[from].Edges, e)
}

// drawTakes lets a stage work in place on an input that it alone consumes, or makes its output a cached one.
func drawTakes(t *rapid.T, g *Graph, s int) {
	b := &g.Buffers[s]
	if b.Pool < 0 {
		return
	}
	switch rapid.IntRange(0, 3).Draw(t, "kind of buffer") {
	case 0:
		b.Cached = true
	case 1:
		for _, e := range g.Stages[s].In {
			in := g.Edges[e].Buffer
			if len(g.Buffers[in].Edges) == 1 && g.Buffers[in].Pool == b.Pool && !g.Buffers[in].Cached {
				b.Takes = in
				return
			}
		}
	}
}

func drawShape(t *rapid.T, g *Graph) *Shape {
	shape := &Shape{
		Carried: make([]int64, len(g.Buffers)), Cache: make([]string, len(g.Buffers)),
		Scratch: make([][]Need, len(g.Stages)),
	}
	for b, buffer := range g.Buffers {
		if buffer.Pool < 0 {
			continue
		}
		shape.Carried[b] = rapid.Int64Range(0, 30).Draw(t, "carried")
		if buffer.Cached {
			key := rapid.IntRange(0, 2).Draw(t, "key")
			shape.Carried[b] = int64(10 + key)
			shape.Cache[b] = fmt.Sprintf("entry %d in %d", key, buffer.Pool) // buffers of one pool may share one
		}
		if buffer.Takes >= 0 {
			shape.Carried[b] = min(shape.Carried[b], shape.Carried[buffer.Takes])
		}
	}
	for s := range g.Stages {
		for range rapid.IntRange(0, 2).Draw(t, "scratch") {
			pool := rapid.IntRange(0, 1).Draw(t, "pool")
			shape.Scratch[s] = append(shape.Scratch[s], Need{Pool: pool, Bytes: rapid.Int64Range(1, 20).Draw(t, "bytes")})
		}
	}
	return shape
}

// fitPools gives each pool room for the largest item and a little more, the hardest case that is accepted. Some devices
// but the first may have too little.
func fitPools(t *rapid.T, g *Graph, shapes []*Shape) {
	for _, shape := range shapes {
		for p, need := range g.Needs(shape) {
			g.Pools[p].Limit = max(g.Pools[p].Limit, need)
		}
	}
	for p := range g.Pools {
		g.Pools[p].Limit += rapid.Int64Range(0, 60).Draw(t, "slack")
		if p > 1 && rapid.IntRange(0, 3).Draw(t, "small") == 0 {
			g.Pools[p].Limit = rapid.Int64Range(0, g.Pools[p].Limit).Draw(t, "limit")
		}
	}
}

func TestEveryAcceptedPipelineDrains(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		shapes := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) *Shape { return drawShape(t, g) }), 1, 3).Draw(t, "shapes")
		fitPools(t, g, shapes)
		d := newTestDriver(t, g)
		failures := rapid.IntRange(0, 2).Draw(t, "failures")
		for i := range rapid.IntRange(1, 12).Draw(t, "items") {
			shape := shapes[rapid.IntRange(0, len(shapes)-1).Draw(t, "shape")]
			d.submit(Item{
				ID: ItemID(i), Job: JobID(i / 2), Shape: shape, Priority: rapid.IntRange(0, 2).Draw(t, "priority"),
			})
			for rapid.Bool().Draw(t, "run on") && len(d.running) > 0 {
				d.step(&failures)
			}
		}
		for len(d.running) > 0 {
			d.step(&failures)
		}
		d.requireEmpty()
	})
}

// testDriver runs bodies in an order that the test draws, and keeps books of its own that the core is held to.
type testDriver struct {
	t       *rapid.T
	g       *Graph
	c       *Core
	running []Decision
	shapes  map[ItemID]*Shape
	carried map[ItemID][]int64 // per buffer: what is left of it
	jobs    map[ItemID]JobID
	failed  map[ItemID]bool
	ended   map[ItemID]bool
	holders map[ItemID][]int // per buffer: producer and consumers that have not ended
	born    map[ItemID][]bool
	scratch []int64
	used    []int64 // per resource
	entries map[string]int64
	devices map[ItemID]int // of items of which a body has started
	moving  map[ItemID]bool
	brokeOn map[ItemID]int // of items that a device has failed and that begin anew, or did
}

func newTestDriver(t *rapid.T, g *Graph) *testDriver {
	c, err := New(g, nil)
	require.NoError(t, err)
	return &testDriver{
		t: t, g: g, c: c, shapes: map[ItemID]*Shape{}, carried: map[ItemID][]int64{}, jobs: map[ItemID]JobID{}, failed: map[ItemID]bool{},
		ended: map[ItemID]bool{}, holders: map[ItemID][]int{}, born: map[ItemID][]bool{},
		scratch: make([]int64, len(g.Pools)), used: make([]int64, len(g.Resources)), entries: map[string]int64{},
		devices: map[ItemID]int{}, moving: map[ItemID]bool{}, brokeOn: map[ItemID]int{},
	}
}

func (d *testDriver) submit(in Item) {
	d.shapes[in.ID], d.jobs[in.ID] = in.Shape, in.Job
	d.reset(in.ID)
	decisions, err := d.c.Submit(in)
	require.NoError(d.t, err)
	d.carryOut(decisions)
}

// reset lets an item have nothing, and need all.
func (d *testDriver) reset(id ItemID) {
	d.carried[id] = slices.Clone(d.shapes[id].Carried)
	d.born[id] = make([]bool, len(d.g.Buffers))
	d.holders[id] = make([]int, len(d.g.Buffers))
	for b := range d.g.Buffers {
		d.holders[id][b] = 1 + len(d.g.Buffers[b].Edges)
	}
}

// step ends (or launches) one of the bodies under way.
func (d *testDriver) step(failures *int) {
	i := rapid.IntRange(0, len(d.running)-1).Draw(d.t, "which")
	body := d.running[i]
	if d.g.Stages[body.Stage].Async && body.Op == Start && rapid.Bool().Draw(d.t, "launch") {
		d.running[i].Op = Cancel // marks it as launched
		d.carryOut(d.c.Launched(body.Item, body.Stage))
		return
	}
	if rapid.IntRange(0, 3).Draw(d.t, "shrink") == 0 {
		d.shrink(body)
	}
	d.running = append(d.running[:i], d.running[i+1:]...)
	d.bodyEnds(body)
	if *failures > 0 && rapid.IntRange(0, 9).Draw(d.t, "fails") == 0 {
		*failures--
		d.fail(body, d.g.Devices > 1 && rapid.Bool().Draw(d.t, "for its device"))
		return
	}
	d.carryOut(d.c.Finished(body.Item, body.Stage))
}

// fail ends a body with an error, of its own or of its device. An item that is to begin anew does so whatever its other
// bodies come to.
func (d *testDriver) fail(body Decision, byDevice bool) {
	if !byDevice {
		if !d.moving[body.Item] {
			d.failJob(body.Item)
		}
		d.carryOut(d.c.Failed(body.Item, body.Stage))
		return
	}
	again, decisions := d.c.FailedByDevice(body.Item, body.Stage)
	if again {
		d.moving[body.Item], d.brokeOn[body.Item] = true, body.Device
	} else {
		d.failJob(body.Item)
	}
	d.carryOut(decisions)
}

// beginAnew lets an item be as it was submitted.
func (d *testDriver) beginAnew(id ItemID) {
	require.True(d.t, d.moving[id], "it was failed by a device, and its job lives")
	require.False(d.t, slices.ContainsFunc(d.running, func(other Decision) bool { return other.Item == id }))
	delete(d.moving, id)
	delete(d.devices, id)
	d.reset(id)
}

// shrink frees a part of an output of a body, or of an input that nobody else holds: as much as is left for an output
// that takes it over.
func (d *testDriver) shrink(body Decision) {
	buffers := slices.Clone(d.g.Stages[body.Stage].Outputs)
	for _, e := range d.g.Stages[body.Stage].In {
		if b := d.g.Edges[e].Buffer; d.holders[body.Item][b] == 1 {
			buffers = append(buffers, b)
		}
	}
	b := rapid.SampledFrom(buffers).Draw(d.t, "buffer")
	if d.g.Buffers[b].Cached || !d.born[body.Item][b] {
		return
	}
	var least int64
	for other := range d.g.Buffers {
		if d.g.Buffers[other].Takes == b {
			least = d.carried[body.Item][other]
		}
	}
	left := rapid.Int64Range(least, d.carried[body.Item][b]).Draw(d.t, "left")
	d.carried[body.Item][b] = left
	d.carryOut(d.c.Shrunk(body.Item, b, left))
}

// failJob marks the items that an item's failure ends; a second failure of a dead item ends no others.
func (d *testDriver) failJob(failing ItemID) {
	if d.failed[failing] {
		return
	}
	for id, job := range d.jobs {
		if job == d.jobs[failing] && !d.ended[id] {
			d.failed[id] = true
			delete(d.moving, id)
		}
	}
}

func (d *testDriver) bodyEnds(body Decision) {
	for _, u := range d.g.Stages[body.Stage].Uses {
		d.used[d.resourceOn(u.Resource, body.Device)] -= int64(u.Count)
	}
	for _, n := range d.shapes[body.Item].Scratch[body.Stage] {
		d.scratch[d.poolOn(n.Pool, body.Device)] -= n.Bytes
	}
	for _, b := range d.g.Stages[body.Stage].Outputs {
		d.holders[body.Item][b]--
		d.born[body.Item][b] = true
	}
	for _, e := range d.g.Stages[body.Stage].In {
		d.holders[body.Item][d.g.Edges[e].Buffer]--
	}
}

func (d *testDriver) carryOut(decisions []Decision) {
	queue := slices.Clone(decisions)
	for i := 0; i < len(queue); i++ {
		switch dec := queue[i]; dec.Op {
		case Start:
			d.bodyStarts(dec)
		case Drop:
			for b := range d.holders[dec.Item] {
				d.holders[dec.Item][b] = 0
			}
			queue = append(queue, d.c.Dropped(dec.Item)...)
		case Again:
			d.beginAnew(dec.Item)
		case Ended:
			require.False(d.t, d.ended[dec.Item], "item ended twice")
			require.Equal(d.t, !d.failed[dec.Item], dec.OK)
			d.ended[dec.Item] = true
		case Evict:
			delete(d.entries, dec.Key)
			queue = append(queue, d.c.Evicted(dec.Key)...)
		}
	}
	d.requireLimits()
}

func (d *testDriver) bodyStarts(dec Decision) {
	d.running = append(d.running, dec)
	if placed, before := d.devices[dec.Item]; before {
		require.Equal(d.t, placed, dec.Device, "all bodies of an item are on one device")
	}
	d.devices[dec.Item] = dec.Device
	if broken, again := d.brokeOn[dec.Item]; again {
		require.NotEqual(d.t, broken, dec.Device, "an item does not come back to the device that failed it")
	}
	for _, u := range d.g.Stages[dec.Stage].Uses {
		d.used[d.resourceOn(u.Resource, dec.Device)] += int64(u.Count)
	}
	shape := d.shapes[dec.Item]
	for _, n := range shape.Scratch[dec.Stage] {
		d.scratch[d.poolOn(n.Pool, dec.Device)] += n.Bytes
	}
	for _, b := range d.g.Stages[dec.Stage].Outputs {
		if d.g.Buffers[b].Cached {
			d.entries[d.entryOn(shape.Cache[b], d.g.Buffers[b].Pool, dec.Device)] = shape.Carried[b]
		}
		d.born[dec.Item][b] = d.g.Buffers[b].Takes < 0
	}
}

// poolOn, resourceOn and entryOn say what an item on a device has, where there is more than one: of the second pool, and
// perhaps of the resource, each device has its own.
func (d *testDriver) poolOn(pool, device int) int {
	if d.g.Devices > 1 && pool == 1 {
		return 1 + device
	}
	return pool
}

func (d *testDriver) resourceOn(resource, device int) int {
	if len(d.g.Resources) > 1 {
		return resource + device
	}
	return resource
}

func (d *testDriver) entryOn(key string, pool, device int) string {
	if d.g.Devices > 1 && pool == 1 {
		return fmt.Sprintf("%s@%d", key, device)
	}
	return key
}

// requireLimits holds the core to the test's own books.
func (d *testDriver) requireLimits() {
	inPool := append([]int64(nil), d.scratch...)
	for id, holders := range d.holders {
		for b, n := range holders {
			if buffer := d.g.Buffers[b]; n > 0 && d.born[id][b] && buffer.Pool >= 0 && !buffer.Cached {
				inPool[d.poolOn(buffer.Pool, d.devices[id])] += d.carried[id][b]
			}
		}
	}
	for key, bytes := range d.entries {
		inPool[d.poolOf(key)] += bytes
	}
	for p := range d.g.Pools {
		counts := d.c.Pool(p)
		require.LessOrEqual(d.t, counts.Used, d.g.Pools[p].Limit, "pool over its limit")
		require.LessOrEqual(d.t, inPool[p], counts.Used, "bytes exist that were not promised")
	}
	for r := range d.g.Resources {
		require.LessOrEqual(d.t, d.used[r], int64(d.g.Resources[r].Count))
	}
	for e := range d.g.Edges {
		require.LessOrEqual(d.t, d.c.Edge(e).Items, d.g.Edges[e].Capacity)
		require.LessOrEqual(d.t, d.c.Edge(e).Bytes, d.g.Edges[e].Bytes)
	}
}

func (d *testDriver) poolOf(key string) int {
	var n, pool, device int
	if _, err := fmt.Sscanf(key, "entry %d in %d@%d", &n, &pool, &device); err == nil {
		return d.poolOn(pool, device)
	}
	_, err := fmt.Sscanf(key, "entry %d in %d", &n, &pool)
	require.NoError(d.t, err)
	return pool
}

func (d *testDriver) requireEmpty() {
	require.Zero(d.t, d.c.Live(), "items are stuck: %s", d.describe())
	require.Len(d.t, d.ended, len(d.shapes))
	idle := make([]int64, len(d.g.Pools))
	for key, bytes := range d.entries {
		idle[d.poolOf(key)] += bytes
	}
	for p := range d.g.Pools {
		require.Equal(d.t, idle[p], d.c.Pool(p).Used, "only idle entries stay")
	}
	for s := range d.g.Stages {
		require.Len(d.t, d.c.stages[s].free, d.g.Stages[s].Workers, "permits are back")
		require.Zero(d.t, d.c.stages[s].pending)
		require.Nil(d.t, d.c.stages[s].sends.first())
		require.Nil(d.t, d.c.stages[s].starts.first())
	}
	for e := range d.g.Edges {
		require.Zero(d.t, d.c.Edge(e).Items)
		require.Zero(d.t, d.c.Edge(e).Bytes)
	}
}

// describe prints the graph and what every stage and the admission wait for.
func (d *testDriver) describe() string {
	text := fmt.Sprintf("admission %v, pools %+v\n", d.c.admission, d.c.supplies)
	for s, stage := range d.g.Stages {
		text += fmt.Sprintf("%+v ordered=%v block=%v\n", stage, d.c.regions.ordered[s], d.c.stages[s].block)
	}
	for _, b := range d.g.Buffers {
		text += fmt.Sprintf("%+v\n", b)
	}
	for e, edge := range d.g.Edges {
		text += fmt.Sprintf("%+v holds %+v\n", edge, d.c.Edge(e))
	}
	for id, it := range d.c.items {
		text += fmt.Sprintf("item %d prio %d at %v missing %v held %v shape %+v\n", id, it.Priority, it.at, it.missing, it.held, *it.Shape)
	}
	return text
}
