package sched

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// An async body's output lies on its edge while the body works; what it frees of it early is off the edge too, and the
// edge is empty when the output is taken.
func TestAnEarlyFreeCountsOnTheEdge(t *testing.T) {
	b := chain(-1, Stage{Async: true, Pending: 2, Workers: 2}, Stage{})
	b.g.Edges[0].Capacity, b.g.Edges[0].Bytes = 2, 15
	s := newScript(t, b.g)
	shape := &Shape{Carried: []int64{10, 0}}
	s.submit(shape, 0)
	s.submit(shape, 0)
	s.do(s.c.Launched(1, 0))
	s.do(s.c.Launched(2, 0))
	assert.Equal(t, 1, s.c.Edge(0).Items, "the second does not fit beside the first")
	s.do(s.c.Shrunk(1, 0, 4))
	assert.Equal(t, EdgeCounts{Items: 2, PeakItems: 2, Bytes: 14, PeakBytes: 14, Passed: 2}, s.c.Edge(0))
	s.finish(0, 1)
	s.finish(0, 2)
	s.finish(1, 1)
	assert.Equal(t, []int{1, 2}, s.begun(1))
	assert.Zero(t, s.c.Edge(0).Bytes)
}
