package transform_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/internal/view"
)

func TestTransformsAllocateWhatTheySay(t *testing.T) {
	eachCurve(t, func(t *testing.T, p *pair) {
		const n = 1 << 16
		v := view.Allocate(32 * n)
		const small = 64 << 10 // big integers, goroutines
		require.LessOrEqual(t, allocated(func() { require.NoError(t, p.kernels.ToCoset(ctx, v, nil, 2)) }), p.kernels.DomainNeed(n).Heap+small)
		again := allocated(func() { require.NoError(t, p.kernels.ToCoset(ctx, v, nil, 2)) })
		require.LessOrEqual(t, again, int64(8<<10), "the tables are kept")
	})
}

func allocated(work func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}
