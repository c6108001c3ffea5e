package gnark_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/internal/view"
)

// A sum must not allocate more than it said. (For 2^16 points of BN254's G1 it was seen to take seven tenths of that.)
func TestMSMAllocatesWhatItSays(t *testing.T) {
	eachCurve(t, func(t *testing.T, e engine.Engine) {
		for _, g := range []curve.Group{curve.G1, curve.G2} {
			for _, logn := range []int{6, 10, 13} {
				for _, threads := range []int{1, 4, 64} {
					t.Run(fmt.Sprintf("%s/n=2^%d/threads=%d", g, logn, threads), func(t *testing.T) {
						need := e.MSMNeed(g, 1<<logn, threads)
						used := allocatedByMSM(t, e, g, 1<<logn, threads, need)
						require.LessOrEqual(t, used, need.Heap)
					})
				}
			}
		}
	})
}

func allocatedByMSM(t *testing.T, e engine.Engine, g curve.Group, n, threads int, need engine.Need) int64 {
	size := e.Curve().PointSize(g)
	some, _ := points(e.Curve(), g, 64)
	p, k := make([]byte, 0, n*size), scalars(e.Curve(), n, 5)
	for len(p) < n*size {
		p = append(p, some...)
	}
	out, scratch := make([]byte, size), view.Allocate(need.Scratch)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	require.NoError(t, e.MSM(ctx, g, out, p[:n*size], k, engine.Canonical, scratch, threads))
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc-before.TotalAlloc) + max(int64(after.StackInuse)-int64(before.StackInuse), 0)
}

func TestTransformsAllocateWhatTheySay(t *testing.T) {
	eachCurve(t, func(t *testing.T, e engine.Engine) {
		const n = 1 << 16
		v := view.Allocate(32 * n)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		require.NoError(t, e.ToCoset(ctx, v, nil, 1))
		runtime.ReadMemStats(&after)
		const workspaces = 128 << 10
		require.LessOrEqual(t, int64(after.TotalAlloc-before.TotalAlloc), e.DomainNeed(n).Heap+workspaces)
	})
}

// A sum in slices has one scratch, and its last slice is shorter; a sum leaves out what costs nothing. So what fewer
// points need must be within what more points need.
func TestFewerPointsNeedNoMore(t *testing.T) {
	eachCurve(t, func(t *testing.T, e engine.Engine) {
		for _, g := range []curve.Group{curve.G1, curve.G2} {
			var most engine.Need
			for n := 1; n < 1<<19; n += 1 + n/32 {
				need := e.MSMNeed(g, n, 2)
				require.GreaterOrEqual(t, need.Heap, most.Heap, "%s, %d points", g, n)
				require.GreaterOrEqual(t, need.Scratch, most.Scratch, "%s, %d points", g, n)
				most = need
			}
		}
	})
}
