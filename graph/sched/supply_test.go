package sched

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A body with scratch of two classes in one pool takes the sum of both, or waits.
func TestScratchOfSeveralClassesIsTakenWhole(t *testing.T) {
	s := newScript(t, chain(20, Stage{Workers: 2}).g)
	shape := &Shape{Scratch: [][]Need{{{Bytes: 6}, {Bytes: 6}}}}
	s.submit(shape, 0)
	s.submit(shape, 0)
	assert.Equal(t, []int{1}, s.begun(0))
	assert.Equal(t, int64(12), s.c.Pool(0).Used)
	s.finish(0, 1)
	assert.Equal(t, []int{1, 2}, s.begun(0))
	assert.Equal(t, int64(12), s.c.Pool(0).Peak)
}
