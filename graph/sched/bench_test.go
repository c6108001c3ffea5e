package sched

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkCore measures the decisions for one item: its admission, and the starts and ends of its bodies, which carry
// bytes and need scratch.
func BenchmarkCore(b *testing.B) {
	for _, stages := range []int{1, 5} {
		b.Run(fmt.Sprintf("stages=%d", stages), func(b *testing.B) {
			g := chain(1000, make([]Stage, stages)...).g
			shape := &Shape{Carried: make([]int64, stages), Scratch: make([][]Need, stages)}
			for s := range stages {
				shape.Carried[s], shape.Scratch[s] = 10, []Need{{Bytes: 5}}
			}
			c, err := New(g, nil)
			require.NoError(b, err)
			var queue []Decision
			for i := range b.N {
				decisions, err := c.Submit(Item{ID: ItemID(i), Shape: shape})
				require.NoError(b, err)
				queue = append(queue[:0], decisions...)
				for q := 0; q < len(queue); q++ {
					if d := queue[q]; d.Op == Start {
						queue = append(queue, c.Finished(d.Item, d.Stage)...)
					}
				}
			}
		})
	}
}
