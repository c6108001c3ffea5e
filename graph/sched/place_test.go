package sched

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// onDevices is one stage without edges, with workers to spare, whose output lies in a pool that every device has: one limit
// for each device.
func onDevices(limits ...int64) *Graph {
	g := &Graph{
		Devices: len(limits),
		Stages:  []Stage{{Name: "a", Workers: 16, Outputs: []int{0}}},
		Buffers: []Buffer{{Name: "a.out", Takes: -1}},
	}
	for d, limit := range limits {
		g.Pools = append(g.Pools, Pool{Name: "device" + string(rune('0'+d)), Limit: limit, PerDevice: d == 0})
	}
	return g
}

func sized(bytes int64) *Shape { return &Shape{Carried: []int64{bytes}} }

// entryShape is a shape of a cached output.
func entryShape(key string, bytes int64) *Shape {
	return &Shape{Carried: []int64{bytes}, Cache: []string{key}}
}

// placer submits items to a graph of one stage and notes where they start. Evictions are answered at once, or not at all.
type placer struct {
	t       *testing.T
	c       *Core
	on      map[ItemID]int
	evicted []string
	patient bool // does not answer
}

func newPlacer(t *testing.T, g *Graph) *placer {
	c, err := New(g, nil)
	require.NoError(t, err)
	return &placer{t: t, c: c, on: map[ItemID]int{}}
}

func (p *placer) note(decisions []Decision) {
	for _, d := range append([]Decision(nil), decisions...) {
		switch d.Op {
		case Start:
			p.on[d.Item] = d.Device
		case Evict:
			p.evicted = append(p.evicted, d.Key)
			if !p.patient {
				p.note(p.c.Evicted(d.Key))
			}
		case Drop:
			p.note(p.c.Dropped(d.Item))
		}
	}
}

func (p *placer) submit(id ItemID, shape *Shape) { p.submitUrgent(id, shape, 0) }

func (p *placer) submitUrgent(id ItemID, shape *Shape, priority int) {
	decisions, err := p.c.Submit(Item{ID: id, Job: JobID(id), Shape: shape, Priority: priority})
	require.NoError(p.t, err)
	p.note(decisions)
}

func (p *placer) end(id ItemID) { p.note(p.c.Finished(id, 0)) }

func TestItemsGoWhereFewestAre(t *testing.T) {
	p := newPlacer(t, onDevices(100, 100, 100))
	for id := range ItemID(5) {
		p.submit(id, sized(10))
	}
	assert.Equal(t, map[ItemID]int{0: 0, 1: 1, 2: 2, 3: 0, 4: 1}, p.on)
	p.end(1)
	p.end(4)
	p.submit(5, sized(10))
	p.submit(6, sized(10))
	assert.Equal(t, 1, p.on[5], "none is there")
	assert.Equal(t, 1, p.on[6], "device 0 has two, device 2 as many as this one, and stands behind it")
}

func TestOfEqualDevicesThatWithTheEntriesIsTaken(t *testing.T) {
	g := onDevices(100, 100)
	g.Buffers[0].Cached = true
	p := newPlacer(t, g)
	p.submit(0, entryShape("k0", 20))
	p.submit(1, entryShape("k1", 20))
	require.Equal(t, map[ItemID]int{0: 0, 1: 1}, p.on)
	p.end(0)
	p.end(1)
	p.submit(2, entryShape("k1", 20))
	assert.Equal(t, 1, p.on[2])
	p.submit(3, entryShape("k1", 20))
	assert.Equal(t, 0, p.on[3], "fewer items weigh more than entries")
	assert.Equal(t, int64(40), p.c.Pool(0).Used, "device 0 has k0 idle and k1 of its own")
	assert.Equal(t, int64(20), p.c.Pool(1).Used)
}

// Entries are given up on the device that needs room, and what is on its way out draws nobody there.
func TestEntriesAreGivenUpWhereRoomIsNeeded(t *testing.T) {
	g := onDevices(60, 100)
	g.Buffers[0].Cached = true
	p := newPlacer(t, g)
	p.submit(0, entryShape("k0", 20))
	p.submit(1, entryShape("k1", 20))
	p.end(0)
	p.end(1)
	p.patient = true
	p.submit(2, entryShape("large", 90)) // fits on device 1 alone
	require.Equal(t, []string{"k1@1"}, p.evicted)
	p.submitUrgent(3, entryShape("k1", 20), 1)
	assert.Equal(t, map[ItemID]int{0: 0, 1: 1, 3: 0}, p.on)
	p.note(p.c.Evicted("k1@1"))
	assert.Equal(t, 1, p.on[2])
}

// Two cores that differ in where an item is are two states.
func TestTheKeyTellsWhereItemsAre(t *testing.T) {
	keyAfter := func(ended ItemID) string {
		p := newPlacer(t, onDevices(100, 100))
		p.submit(0, sized(10))
		p.submit(1, sized(10))
		p.end(ended)
		return string(p.c.AppendKey(nil))
	}
	assert.NotEqual(t, keyAfter(0), keyAfter(1))
}

func TestAnItemGoesOnlyWhereItFits(t *testing.T) {
	p := newPlacer(t, onDevices(10, 0, 100))
	for id := range ItemID(3) {
		p.submit(id, sized(20))
	}
	assert.Equal(t, map[ItemID]int{0: 2, 1: 2, 2: 2}, p.on)
	p.submit(3, sized(0))
	assert.Equal(t, 0, p.on[3])
}

func TestALargeItemWaitsForItsDeviceAndIsNotOvertaken(t *testing.T) {
	p := newPlacer(t, onDevices(100, 40))
	p.submit(0, sized(60)) // fits on device 0 alone
	p.submit(1, sized(5))
	p.submit(2, sized(90)) // waits for device 0
	p.submit(3, sized(5))
	assert.Equal(t, map[ItemID]int{0: 0, 1: 1}, p.on)
	assert.Equal(t, []Waiter{{Item: 2, Stage: -1, Pool: 0, Bytes: 90}}, p.c.Waiters())
	p.end(0)
	assert.Equal(t, 0, p.on[2])
	assert.Contains(t, p.on, ItemID(3))
}

func TestAWaitingItemGoesWhereThereAreFewestByThen(t *testing.T) {
	p := newPlacer(t, onDevices(50, 50))
	for id := range ItemID(4) {
		p.submit(id, sized(25))
	}
	p.submit(4, sized(50))
	require.NotContains(t, p.on, ItemID(4))
	p.end(1)
	p.end(3)
	assert.Equal(t, 1, p.on[4])
}

func TestOnlyWhatNoDeviceTakesIsRefused(t *testing.T) {
	cases := map[string]struct {
		limits  []int64
		needed  int64
		refusal *Refusal
		says    string
	}{
		"the second takes it": {limits: []int64{10, 30}, needed: 20},
		"the largest is named": {
			limits: []int64{10, 30, 20}, needed: 40,
			refusal: &Refusal{Where: `the pool "device1"`, Needed: 40, Limit: 30, Pool: 1, Edge: -1},
			says:    `the pool "device1" holds 30 bytes and one item needs 40`,
		},
		"there is none": {
			limits: []int64{0, 0}, needed: 8,
			refusal: &Refusal{Where: `the pool "device0"`, Needed: 8, Pool: 0, Edge: -1},
			says:    `the pool "device0" has no memory on this machine, and one item needs 8 bytes`,
		},
		"nothing is asked": {limits: []int64{0, 0}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			g := onDevices(c.limits...)
			err := g.Fits(sized(c.needed))
			if c.refusal == nil {
				require.NoError(t, err)
				return
			}
			require.Equal(t, c.refusal, err)
			assert.EqualError(t, err, c.says)
			core, failed := New(g, nil)
			require.NoError(t, failed)
			_, failed = core.Submit(Item{Shape: sized(c.needed)})
			assert.Equal(t, c.refusal, failed)
		})
	}
}

// Where there is none of the memory, a share of it on an edge is nothing too; the pool is what the refusal is about.
func TestARefusalForWantOfMemoryNamesThePool(t *testing.T) {
	g := chain(0, Stage{}, Stage{}).g
	g.Edges[0].Bytes = 0
	var refusal *Refusal
	require.ErrorAs(t, g.Fits(&Shape{Carried: []int64{5, 0}}), &refusal)
	assert.Equal(t, 0, refusal.Pool)
}

func TestEveryDeviceHasItsOwnOfAResource(t *testing.T) {
	g := onDevices(100, 100)
	g.Resources = []Resource{{Name: "lane0", Count: 1, PerDevice: true}, {Name: "lane1", Count: 1}}
	g.Stages[0].Uses = []Use{{Resource: 0, Count: 1}}
	p := newPlacer(t, g)
	for id := range ItemID(3) {
		p.submit(id, sized(1))
	}
	require.Equal(t, map[ItemID]int{0: 0, 1: 1}, p.on)
	p.end(1)
	assert.NotContains(t, p.on, ItemID(2), "it stays with device 0, whose lane is taken")
	_, block := p.c.Stage(0)
	assert.Equal(t, Block{Kind: BlockedResource, Index: 0}, block)
	p.end(0)
	assert.Equal(t, map[ItemID]int{0: 0, 1: 1, 2: 0}, p.on)
}

func TestNeedsAreToldOfEveryDevice(t *testing.T) {
	g := onDevices(100, 100, 100)
	g.Pools = append(g.Pools, Pool{Name: "host", Limit: 100})
	shape := sized(7)
	shape.Scratch = [][]Need{{{Pool: 0, Bytes: 3}, {Pool: 3, Bytes: 2}}}
	assert.Equal(t, []int64{10, 10, 10, 2}, g.Needs(shape))
}

func TestADeviceWithoutAPoolIsAFault(t *testing.T) {
	g := onDevices(1, 1)
	g.Devices = 3
	_, err := New(g, nil)
	require.ErrorContains(t, err, `pool "device0": there are not 3 of it`)
	g = onDevices(1, 1)
	g.Resources = []Resource{{Name: "gpu", Count: 1, PerDevice: true}}
	_, err = New(g, nil)
	require.ErrorContains(t, err, `resource "gpu": there are not 2 of it`)
}

// Room for the largest scratch is kept on the device whose items need it, and on no other.
func TestScratchOfOneDeviceKeepsNoRoomOnAnother(t *testing.T) {
	g := onDevices(100, 50)
	p := newPlacer(t, g)
	large := sized(10)
	large.Scratch = [][]Need{{{Bytes: 80}}}
	p.submit(0, large) // fits on device 0 alone
	p.submit(1, sized(20))
	p.submit(2, sized(20))
	assert.Equal(t, map[ItemID]int{0: 0, 1: 1}, p.on, "two and two of one, so it waits for the first")
	p.end(0)
	assert.Equal(t, map[ItemID]int{0: 0, 1: 1, 2: 0}, p.on)
	p.submit(3, large)
	assert.NotContains(t, p.on, ItemID(3))
	assert.Equal(t, int64(20), p.c.Pool(1).Used)
}
