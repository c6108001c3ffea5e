package sched

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// builder makes small graphs: one pool, one buffer a stage.
type builder struct{ g *Graph }

func newBuilder(limit int64) *builder {
	return &builder{&Graph{Pools: []Pool{{Name: "host", Limit: limit}}}}
}

func (b *builder) stage(s Stage) int {
	i := len(b.g.Stages)
	s.Name, s.Outputs = string(rune('a'+i)), []int{i}
	s.Workers = max(s.Workers, 1)
	b.g.Stages = append(b.g.Stages, s)
	b.g.Buffers = append(b.g.Buffers, Buffer{Name: s.Name + ".out", Stage: i, Takes: -1})
	return i
}

func (b *builder) edge(from, to, capacity int) {
	connect(b.g, from, to, capacity)
	b.g.Edges[len(b.g.Edges)-1].Bytes = 1 << 40
}

// chain connects stages one after another with edges of one item.
func chain(limit int64, stages ...Stage) *builder {
	b := newBuilder(limit)
	for i, s := range stages {
		b.stage(s)
		if i > 0 {
			b.edge(i-1, i, 1)
		}
	}
	return b
}

// script drives a core by hand and remembers the bodies that were started.
type script struct {
	t       *testing.T
	c       *Core
	started [][2]int // stage, item
	evicted []string
	nextID  ItemID
}

func newScript(t *testing.T, g *Graph) *script {
	c, err := New(g, nil)
	require.NoError(t, err)
	return &script{t: t, c: c}
}

func (s *script) do(decisions []Decision) {
	var starts [][2]int
	for _, d := range append([]Decision(nil), decisions...) {
		switch d.Op {
		case Start:
			starts = append(starts, [2]int{d.Stage, int(d.Item)})
		case Drop:
			s.do(s.c.Dropped(d.Item))
		case Evict:
			s.evicted = append(s.evicted, d.Key)
			s.do(s.c.Evicted(d.Key))
		}
	}
	s.started = append(s.started, starts...)
}

func (s *script) submit(shape *Shape, priority int) {
	s.nextID++
	decisions, err := s.c.Submit(Item{ID: s.nextID, Job: JobID(s.nextID), Shape: shape, Priority: priority})
	require.NoError(s.t, err)
	s.do(decisions)
}

func (s *script) finish(stage, item int) { s.do(s.c.Finished(ItemID(item), stage)) }

// begun gives the items of which the stage has started a body, in order.
func (s *script) begun(stage int) (items []int) {
	for _, start := range s.started {
		if start[0] == stage {
			items = append(items, start[1])
		}
	}
	return items
}

func TestReleaseRules(t *testing.T) {
	cases := []struct {
		name  string
		rule  Release
		begun []int // items whose synthesis has begun when the consumer still works on the first
	}{
		{"on_complete lets outputs pile up behind a full edge", OnComplete, []int{1, 2, 3, 4, 5}},
		{"after_send stops at one output beside the edge's", AfterSend, []int{1, 2, 3}},
		{"on_consume stops at the edge's", OnConsume, []int{1, 2}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := newScript(t, chain(-1, Stage{Release: c.rule}, Stage{}).g)
			for range 5 {
				s.submit(&Shape{}, 0)
			}
			for item := 1; item <= 5 && len(s.begun(0)) >= item; item++ {
				s.finish(0, item)
			}
			assert.Equal(t, c.begun, s.begun(0))
			assert.Equal(t, []int{1}, s.begun(1))
		})
	}
}

func TestItemsKeepOneOrderBetweenForkAndJoin(t *testing.T) {
	b := newBuilder(-1)
	fork := b.stage(Stage{Workers: 3})
	left, right := b.stage(Stage{Workers: 3}), b.stage(Stage{Workers: 3})
	join := b.stage(Stage{})
	for _, branch := range []int{left, right} {
		b.edge(fork, branch, 3)
		b.edge(branch, join, 1)
	}
	s := newScript(t, b.g)
	for range 3 {
		s.submit(&Shape{}, 0)
	}
	s.finish(fork, 2)
	s.finish(fork, 1)
	assert.Equal(t, []int{2, 1}, s.begun(left), "the fork's sends make the order")
	s.finish(left, 1)
	assert.Zero(t, s.c.Edge(2).Items, "item 1 waits for item 2's turn")
	s.finish(left, 2)
	s.finish(right, 1)
	s.finish(right, 2)
	assert.Equal(t, []int{2}, s.begun(join))
}

func TestPriorityOvertakesWhereAllPathsCross(t *testing.T) {
	s := newScript(t, chain(-1, Stage{Workers: 3}, Stage{}).g)
	s.c.g.Edges[0].Capacity = 3
	s.submit(&Shape{}, 0)
	s.submit(&Shape{}, 0)
	s.submit(&Shape{}, 1)
	for item := 1; item <= 3; item++ {
		s.finish(0, item)
	}
	s.finish(1, 1)
	assert.Equal(t, []int{1, 3}, s.begun(1))
}

func TestAsyncStageFreesItsWorkerAndIsJoined(t *testing.T) {
	b := chain(-1, Stage{Async: true, Pending: 2}, Stage{})
	b.g.Edges[0].Capacity = 3
	s := newScript(t, b.g)
	for range 3 {
		s.submit(&Shape{}, 0)
	}
	assert.Equal(t, []int{1}, s.begun(0), "one worker launches one body at a time")
	s.do(s.c.Launched(1, 0))
	s.do(s.c.Launched(2, 0))
	assert.Equal(t, []int{1, 2}, s.begun(0), "no more than two are pending")
	assert.Empty(t, s.begun(1), "the consumer waits for the work, not for the handle")
	s.finish(0, 2)
	assert.Equal(t, []int{2}, s.begun(1))
	assert.Equal(t, []int{1, 2, 3}, s.begun(0))
}

func TestResourceIsShared(t *testing.T) {
	b := newBuilder(-1)
	b.g.Resources = []Resource{{Name: "gpu", Count: 1}}
	b.stage(Stage{Workers: 2, Uses: []Use{{Count: 1}}})
	s := newScript(t, b.g)
	s.submit(&Shape{}, 0)
	s.submit(&Shape{}, 0)
	assert.Equal(t, []int{1}, s.begun(0))
	_, block := s.c.Stage(0)
	assert.Equal(t, Block{BlockedResource, 0}, block)
	s.finish(0, 1)
	assert.Equal(t, []int{1, 2}, s.begun(0))
}

// The shapes of the next tests: a makes 30 bytes, b turns them into 10 in place, c consumes those.
func inPlace(limit int64, scratch int64) (*Graph, *Shape) {
	b := chain(limit, Stage{Workers: 4}, Stage{}, Stage{})
	b.g.Buffers[1].Takes = 0
	return b.g, &Shape{Carried: []int64{30, 10, 0}, Scratch: [][]Need{nil, {{0, scratch}}, nil}}
}

func TestReservationIsTheGreatestTotalStillToCome(t *testing.T) {
	g, shape := inPlace(100, 20)
	assert.Equal(t, []int64{50}, g.Needs(shape), "30 carried and 20 of scratch; the 10 lie in the 30")
	s := newScript(t, g)
	s.submit(shape, 0)
	assert.Equal(t, int64(30), s.c.Pool(0).Used)
	s.finish(0, 1)
	assert.Equal(t, int64(50), s.c.Pool(0).Used)
	s.finish(1, 1)
	assert.Equal(t, int64(10), s.c.Pool(0).Used)
	s.finish(2, 1)
	assert.Zero(t, s.c.Pool(0).Used)
	assert.Equal(t, int64(50), s.c.Pool(0).Peak)
}

func TestParallelBranchesCountTogether(t *testing.T) {
	b := newBuilder(-1)
	fork := b.stage(Stage{})
	left, right := b.stage(Stage{}), b.stage(Stage{})
	join := b.stage(Stage{})
	for _, branch := range []int{left, right} {
		b.edge(fork, branch, 1)
		b.edge(branch, join, 1)
	}
	shape := &Shape{Carried: []int64{8, 5, 3, 1}}
	assert.Equal(t, []int64{16}, b.g.Needs(shape), "the fork's output is held until both branches have ended")
}

func TestAdmissionLeavesRoomForTheLargestScratch(t *testing.T) {
	g, shape := inPlace(109, 20)
	s := newScript(t, g)
	for range 4 {
		s.submit(shape, 0)
	}
	assert.Equal(t, []int{1, 2}, s.begun(0), "a third item's 30 would leave 19 of 20")
	assert.Equal(t, Block{BlockedMemory, 0}, s.c.Admission())
	assert.Equal(t, []Waiter{{Item: 3, Stage: -1, Bytes: 30}}, s.c.Waiters())
	s.finish(0, 1)
	s.finish(1, 1)
	assert.Equal(t, []int{1, 2, 3}, s.begun(0))
}

func TestEarlyFreeAdmitsTheNextItem(t *testing.T) {
	g, shape := inPlace(79, 20)
	s := newScript(t, g)
	s.submit(shape, 0)
	s.submit(shape, 0)
	s.finish(0, 1)
	assert.Equal(t, []int{1}, s.begun(0))
	s.do(s.c.Shrunk(1, 0, 10))
	assert.Equal(t, []int{1, 2}, s.begun(0), "20 bytes came back while the body ran on")
}

func TestOutputThatShrinksOnItsEdgeMakesRoomThere(t *testing.T) {
	b := chain(-1, Stage{Async: true, Pending: 4}, Stage{})
	b.g.Edges[0].Capacity, b.g.Edges[0].Bytes = 4, 50
	s := newScript(t, b.g)
	shape := &Shape{Carried: []int64{30, 0}}
	for item := 1; item <= 2; item++ {
		s.submit(shape, 0)
		s.do(s.c.Launched(ItemID(item), 0))
	}
	assert.Equal(t, EdgeCounts{Items: 1, PeakItems: 1, Bytes: 30, PeakBytes: 30, Passed: 1}, s.c.Edge(0))
	s.do(s.c.Shrunk(1, 0, 10))
	assert.Equal(t, int64(40), s.c.Edge(0).Bytes, "10 are left of item 1's, and item 2's 30 fit beside them")
	for item := 1; item <= 2; item++ {
		s.finish(0, item)
		s.finish(1, item)
	}
	assert.Zero(t, s.c.Edge(0).Bytes)
	assert.Zero(t, s.c.Edge(0).Items)
}

func TestItemThatFreesAllItsBytesEarlyHoldsNone(t *testing.T) {
	g, shape := inPlace(100, 20)
	s := newScript(t, g)
	s.submit(shape, 0)
	s.finish(0, 1)
	s.do(s.c.Shrunk(1, 1, 0))
	s.do(s.c.Shrunk(1, 0, 0))
	assert.Equal(t, int64(20), s.c.Pool(0).Used, "only the scratch of the body under way")
	s.finish(1, 1)
	s.finish(2, 1)
	assert.Zero(t, s.c.Pool(0).Used)
}

func TestInFlightBoundsAdmittedItems(t *testing.T) {
	b := chain(-1, Stage{Workers: 4}, Stage{})
	b.g.InFlight = 2
	s := newScript(t, b.g)
	for range 3 {
		s.submit(&Shape{}, 0)
	}
	assert.Equal(t, []int{1, 2}, s.begun(0))
	s.finish(0, 1)
	assert.Equal(t, []int{1, 2}, s.begun(0), "item 1 is still under way")
	s.finish(1, 1)
	assert.Equal(t, []int{1, 2, 3}, s.begun(0))
}

func TestEarlyFreeOfWhatLiesOnAnEdgeComesOffIt(t *testing.T) {
	b := chain(-1, Stage{Async: true, Pending: 1}, Stage{})
	b.g.Buffers[0].Pool = 0
	s := newScript(t, b.g)
	s.submit(&Shape{Carried: []int64{30, 0}}, 0)
	s.do(s.c.Launched(1, 0))
	assert.Equal(t, int64(30), s.c.Edge(0).Bytes)
	s.do(s.c.Shrunk(1, 0, 10))
	assert.Equal(t, int64(10), s.c.Edge(0).Bytes)
	s.finish(0, 1)
	assert.Zero(t, s.c.Edge(0).Bytes)
}

func TestLargeScratchIsNotStarvedBySmall(t *testing.T) {
	b := newBuilder(10)
	b.stage(Stage{Workers: 4})
	s := newScript(t, b.g)
	small, large := &Shape{Scratch: [][]Need{{{0, 4}}}}, &Shape{Scratch: [][]Need{{{0, 8}}}}
	for _, shape := range []*Shape{small, small, large, small} {
		s.submit(shape, 0)
	}
	s.finish(0, 1)
	assert.Equal(t, []int{1, 2}, s.begun(0), "item 4 would fit, but item 3 was first")
	assert.Equal(t, []Waiter{{Item: 3, Bytes: 8}}, s.c.Waiters())
	s.finish(0, 2)
	assert.Equal(t, []int{1, 2, 3}, s.begun(0))
}

func TestWhatCanNeverFitIsRefusedInWords(t *testing.T) {
	g, shape := inPlace(49, 20)
	_, err := newScript(t, g).c.Submit(Item{Shape: shape})
	var refusal *Refusal
	require.ErrorAs(t, err, &refusal)
	assert.Equal(t, Refusal{Where: `the pool "host"`, Needed: 50, Limit: 49, Edge: -1}, *refusal)

	g, shape = inPlace(-1, 20)
	g.Edges[0].Bytes = 29
	require.ErrorAs(t, g.Fits(shape), &refusal)
	assert.Equal(t, Refusal{Where: "the edge from a.out to b", Needed: 30, Limit: 29, Pool: -1}, *refusal)
}

func TestFailureEndsTheJobAndGivesAllBack(t *testing.T) {
	g, shape := inPlace(100, 20)
	s := newScript(t, g)
	for i := range 2 {
		decisions, err := s.c.Submit(Item{ID: ItemID(i + 1), Job: 7, Shape: shape})
		require.NoError(t, err)
		s.do(decisions)
	}
	s.finish(0, 2)
	s.do(s.c.Failed(1, 0))
	assert.Equal(t, 1, s.c.Running(), "item 2's body is cancelled and has not answered")
	assert.Equal(t, int64(50), s.c.Pool(0).Used)
	s.do(s.c.Failed(2, 1))
	assert.Zero(t, s.c.Live())
	assert.Zero(t, s.c.Pool(0).Used)
}

func cachedChain(limit int64) (*Graph, func(key string) *Shape) {
	b := chain(limit, Stage{}, Stage{})
	b.g.Buffers[0].Cached = true
	return b.g, func(key string) *Shape {
		return &Shape{Carried: []int64{10, 0}, Cache: []string{key, ""}}
	}
}

func TestIdleEntriesStayUntilTheirBytesAreNeeded(t *testing.T) {
	g, of := cachedChain(25)
	s := newScript(t, g)
	for i, key := range []string{"x", "y", "x", "z"} {
		s.submit(of(key), 0)
		s.finish(0, i+1)
		s.finish(1, i+1)
	}
	assert.Equal(t, []string{"y"}, s.evicted, "x was used since, and z needs the room of one")
	assert.Equal(t, int64(20), s.c.Pool(0).Used)
}

func TestEntryInUseIsNeverEvicted(t *testing.T) {
	g, of := cachedChain(15)
	s := newScript(t, g)
	s.submit(of("x"), 0)
	s.submit(of("y"), 0)
	s.finish(0, 1)
	assert.Empty(t, s.evicted)
	assert.Equal(t, []int{1}, s.begun(0))
	s.finish(1, 1)
	assert.Equal(t, []string{"x"}, s.evicted)
	assert.Equal(t, []int{1, 2}, s.begun(0))
}

func TestEntryThatFailedToLoadIsForgotten(t *testing.T) {
	g, of := cachedChain(15)
	s := newScript(t, g)
	s.submit(of("x"), 0)
	s.do(s.c.Failed(1, 0))
	assert.Equal(t, []string{"x"}, s.evicted)
	assert.Zero(t, s.c.Pool(0).Used)
}
