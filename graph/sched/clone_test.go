package sched

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A clone, driven by the same events, decides the same and leaves the original alone; and the keys say so.
func TestACloneDecidesAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		shape := drawShape(t, g)
		fitPools(t, g, []*Shape{shape})
		d := newTestDriver(t, g)
		none := 0
		for i := range rapid.IntRange(1, 8).Draw(t, "items") {
			d.submit(Item{ID: ItemID(i), Job: JobID(i / 2), Shape: shape})
			for rapid.Bool().Draw(t, "run on") && len(d.running) > 0 {
				d.step(&none)
			}
		}
		if len(d.running) == 0 {
			return
		}
		twin, err := d.c.Clone()
		require.NoError(t, err)
		before := string(d.c.AppendKey(nil))
		require.Equal(t, before, string(twin.AppendKey(nil)))
		body := d.running[rapid.IntRange(0, len(d.running)-1).Draw(t, "which")]
		decisions := append([]Decision(nil), twin.Finished(body.Item, body.Stage)...)
		require.Equal(t, before, string(d.c.AppendKey(nil)), "the original has not moved")
		require.Equal(t, decisions, append([]Decision(nil), d.c.Finished(body.Item, body.Stage)...))
		require.Equal(t, string(d.c.AppendKey(nil)), string(twin.AppendKey(nil)))
	})
}

func TestNewUncheckedLetsThroughWhatGetsStuck(t *testing.T) {
	g := chain(9, Stage{}, Stage{}).g
	shape := &Shape{Carried: []int64{10, 0}}
	require.Error(t, g.Fits(shape))
	c, err := NewUnchecked(g)
	require.NoError(t, err)
	decisions, err := c.Submit(Item{Shape: shape})
	require.NoError(t, err)
	require.Empty(t, decisions)
	require.Equal(t, Block{Kind: BlockedMemory}, c.Admission())
}
