package budget

import (
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func TestFreeListGivesZeroedMemoryAgain(t *testing.T) {
	tr := newTracker(t, 100<<10, WithFreeList(64<<10))
	l := mustLease(t, tr, abc, 3*pageSize-5, "item 1")
	l.Bytes()[7] = 9
	first := unsafe.SliceData(l.Bytes())
	require.NoError(t, l.Release())

	use := tr.Snapshot().Pools[host]
	require.Equal(t, 3*pageSize, use.Bytes)
	require.Equal(t, 3*pageSize, use.Idle)
	require.Zero(t, use.InFlight)
	require.Equal(t, "idle", use.Classes[2].Name)
	require.Equal(t, int64(1), use.Classes[2].InFlight)

	l = mustLease(t, tr, quotient, 3*pageSize, "item 2")
	require.Same(t, first, unsafe.SliceData(l.Bytes()))
	require.Zero(t, l.Bytes()[7])
	require.Zero(t, tr.Snapshot().Pools[host].Idle)
	require.Equal(t, 3*pageSize, tr.PoolCounts(host).Bytes)
	require.NoError(t, l.Release())
	require.NoError(t, tr.Close())
	require.Zero(t, tr.PoolCounts(host).Bytes)
	require.Zero(t, tr.mapped.Load())
}

func TestIdleMemoryIsGivenUpForALeaseThatFits(t *testing.T) {
	tr := newTracker(t, 10*pageSize, WithFreeList(8*pageSize))
	first, second := mustLease(t, tr, abc, 4*pageSize, "a"), mustLease(t, tr, abc, 3*pageSize, "b")
	require.NoError(t, first.Release())
	require.NoError(t, second.Release())
	require.Equal(t, 7*pageSize, tr.Snapshot().Pools[host].Idle)

	l := mustLease(t, tr, abc, 5*pageSize, "c")
	use := tr.Snapshot().Pools[host]
	require.Equal(t, 3*pageSize, use.Idle, "the oldest goes, and no more than needed")
	require.Equal(t, 8*pageSize, use.Bytes)

	_, err := tr.Charge(abc, 6*pageSize, "d")
	require.ErrorAs(t, err, new(*OverBudgetError))
	require.Equal(t, 3*pageSize, tr.Snapshot().Pools[host].Idle, "what cannot fit takes nothing")
	charge, err := tr.Charge(abc, 5*pageSize, "d")
	require.NoError(t, err)
	require.Zero(t, tr.Snapshot().Pools[host].Idle)
	require.NoError(t, charge.Release())
	require.NoError(t, l.Release())
	tr.Trim()
	require.Zero(t, tr.PoolCounts(host).Bytes)
}

func TestFreeListIsBounded(t *testing.T) {
	tr := newTracker(t, 100*pageSize, WithFreeList(4*pageSize))
	for range 3 {
		a, b := mustLease(t, tr, abc, 3*pageSize, "a"), mustLease(t, tr, abc, 2*pageSize, "b")
		require.NoError(t, a.Release())
		require.NoError(t, b.Release())
		require.Equal(t, 3*pageSize, tr.Snapshot().Pools[host].Idle)
	}
}

// Idle memory, even while it goes back to the system, must never cost a lease that fits without it.
func TestLeasesThatFitAreNeverRefusedForIdleMemory(t *testing.T) {
	const workers, rounds = 4, 300
	tr := newTracker(t, workers*8*pageSize, WithFreeList(workers*8*pageSize))
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for i := range rounds {
				l, err := tr.Lease(abc, int64((i*7+w)%8+1)*pageSize, "worker")
				if err != nil {
					t.Error(err)
					return
				}
				touch(l.Bytes())
				if err := l.Release(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	require.LessOrEqual(t, tr.PoolCounts(host).HighWater, tr.Pools()[host].Limit)
	require.NoError(t, tr.Close())
	require.Zero(t, tr.mapped.Load())
}
