package sched

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What a core keeps does not grow with the number of items that have ended, even if no two have one shape or free the same
// early.
func TestACoreKeepsNothingOfWhatHasEnded(t *testing.T) {
	b := chain(1<<20, Stage{}, Stage{})
	b.g.Buffers[1].Cached = true
	alike := &Shape{Carried: []int64{8192, 10}, Cache: []string{"", "key"}}
	for name, shape := range map[string]func(i int) *Shape{
		"shapes that differ":   func(i int) *Shape { return &Shape{Carried: []int64{8192, 1000}, Cache: []string{"", string(rune(i))}} },
		"one shape, and frees": func(int) *Shape { return alike },
	} {
		t.Run(name, func(t *testing.T) {
			s := newScript(t, b.g)
			for i := 1; i <= 4*keptPlans; i++ {
				s.submit(shape(i), 0)
				s.do(s.c.Shrunk(ItemID(i), 0, int64(i)))
				s.finish(0, i)
				s.finish(1, i)
				s.started = s.started[:0]
			}
			assert.Empty(t, s.c.items)
			assert.Empty(t, s.c.jobs)
			assert.Empty(t, s.c.livePlans)
			assert.LessOrEqual(t, len(s.c.plans), keptPlans)
			assert.LessOrEqual(t, len(s.c.spare), 2)
			for _, p := range s.c.plans {
				assert.LessOrEqual(t, len(p.shrinks), keptShrinks)
			}
			assert.LessOrEqual(t, s.c.Pool(0).Used, int64(1<<20), "idle entries are given up for others")
		})
	}
}

// In a pool without a limit idle entries are in nobody's way, and yet there are never very many of them.
func TestIdleEntriesOfAPoolWithoutALimitAreBounded(t *testing.T) {
	b := chain(-1, Stage{})
	b.g.Buffers[0].Cached = true
	s := newScript(t, b.g)
	key := func(i int) string { return fmt.Sprint("key-", i) }
	for i := 1; i <= keptIdle+3; i++ {
		s.submit(&Shape{Carried: []int64{10}, Cache: []string{key(i)}}, 0)
		s.finish(0, i)
	}
	assert.Len(t, s.c.entries, keptIdle+1, "and that of the item that was last")
	assert.Equal(t, []string{key(1), key(2)}, s.evicted, "those that were idle longest")
	assert.Equal(t, int64(10*(keptIdle+1)), s.c.Pool(0).Used)
}
