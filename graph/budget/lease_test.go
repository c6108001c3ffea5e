package budget

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// The classes of the trackers in these tests.
const (
	abc = iota
	quotient
	key // of a pool without a limit
)

const (
	host = iota
	file
)

func newTracker(t testing.TB, limit int64, opts ...Option) *Tracker {
	t.Helper()
	pools := []Pool{{Name: "host", Limit: limit}, {Name: "file", Limit: -1}}
	classes := []Class{{Name: "abc"}, {Name: "h"}, {Name: "key", Pool: 1}}
	tr, err := New(pools, classes, opts...)
	require.NoError(t, err)
	return tr
}

func mustLease(t testing.TB, tr *Tracker, class int, bytes int64, holder string) *Lease {
	t.Helper()
	l, err := tr.Lease(class, bytes, holder)
	require.NoError(t, err)
	return l
}

func TestNewRefuses(t *testing.T) {
	host := []Pool{{Name: "host", Limit: 1}}
	for name, c := range map[string]struct {
		pools   []Pool
		classes []Class
		want    string
	}{
		"pool without a name":     {[]Pool{{}}, nil, `pool name ""`},
		"two pools of a name":     {[]Pool{{Name: "a"}, {Name: "a"}}, nil, `pool name "a"`},
		"two classes of a name":   {host, []Class{{Name: "a"}, {Name: "a"}}, `class name "a"`},
		"class of no pool":        {host, []Class{{Name: "a", Pool: 1}}, `there is no pool 1`},
		"class of a pool below 0": {host, []Class{{Name: "a", Pool: -1}}, `there is no pool -1`},
		"the tracker's own class": {host, []Class{{Name: "idle"}}, `class name "idle"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := New(c.pools, c.classes)
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestLeaseGivesZeroedMemoryOfItsSize(t *testing.T) {
	tr := newTracker(t, 1<<20)
	l := mustLease(t, tr, abc, 5000, "item 1")
	require.Equal(t, make([]byte, 5000), l.Bytes())
	require.Equal(t, 5000, cap(l.Bytes()))
	require.Equal(t, int64(5000), tr.PoolCounts(host).Bytes)
	require.NoError(t, l.Release())
	require.NoError(t, tr.Close())
}

func TestSecondReleaseIsAnErrorAndCounted(t *testing.T) {
	tr := newTracker(t, 1<<20)
	l := mustLease(t, tr, abc, 10, "item 1")
	require.NoError(t, l.Release())
	require.ErrorIs(t, l.Release(), ErrReleased)
	require.ErrorContains(t, l.Release(), "item 1")
	require.Equal(t, int64(2), tr.Snapshot().DoubleReleases)
	require.Equal(t, int64(1), tr.PoolCounts(host).Frees)
}

func TestReleasedLeaseGivesNothing(t *testing.T) {
	tr := newTracker(t, 1<<20)
	l := mustLease(t, tr, abc, 10, "item 1")
	require.NoError(t, l.Release())
	require.Nil(t, l.Bytes())
	require.Zero(t, l.Size())
	require.ErrorIs(t, l.Shrink(0), ErrReleased)
	require.ErrorIs(t, l.Recast(quotient), ErrReleased)
	require.ErrorIs(t, l.HandOver("item 2"), ErrReleased)
	require.ErrorIs(t, l.Share().Release(), ErrReleased)
	require.Zero(t, tr.PoolCounts(host).Bytes)
}

func TestNilLeaseHasNoBytes(t *testing.T) {
	var l *Lease
	require.Nil(t, l.Bytes())
	require.Nil(t, new(Lease).Bytes())
}

func TestZeroByteLease(t *testing.T) {
	tr := newTracker(t, 0)
	l := mustLease(t, tr, abc, 0, "item 1")
	require.NotNil(t, l.Bytes())
	require.Empty(t, l.Bytes())
	require.Equal(t, int64(1), tr.ClassCounts(abc).InFlight)
	require.NoError(t, l.Shrink(0))
	require.NoError(t, l.Release())
	require.NoError(t, tr.Close())
}

func TestSizesThatCannotBeLeased(t *testing.T) {
	tr := newTracker(t, math.MaxInt64)
	for name, bytes := range map[string]int64{
		"below zero": -1, "least": math.MinInt64, "greatest": math.MaxInt64, "rounds over": math.MaxInt64 - 1,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := tr.Lease(abc, bytes, "item 1")
			require.ErrorIs(t, err, ErrSize)
			_, err = tr.Charge(key, bytes, "item 1")
			require.ErrorIs(t, err, ErrSize)
		})
	}
	_, err := tr.Lease(abc, 1<<62, "item 1")
	require.ErrorAs(t, err, new(*SystemError))
	require.Zero(t, tr.PoolCounts(host).Bytes)
	require.NoError(t, tr.Close())
}

func TestUnlimitedPoolNeverCountsOver(t *testing.T) {
	tr := newTracker(t, 0)
	for range 2 {
		_, err := tr.Charge(key, 1<<62-1, "huge")
		require.NoError(t, err)
	}
	_, err := tr.Charge(key, 1<<62, "huge")
	require.ErrorIs(t, err, ErrSize)
	require.Equal(t, int64(1), tr.PoolCounts(file).Refused)
}

func TestUnknownClass(t *testing.T) {
	tr := newTracker(t, 100)
	for _, class := range []int{-1, 3} {
		_, err := tr.Lease(class, 1, "item 1")
		require.ErrorIs(t, err, ErrClass)
	}
	l := mustLease(t, tr, abc, 1, "item 1")
	for _, class := range []int{-1, 3, key} {
		require.ErrorIs(t, l.Recast(class), ErrClass)
	}
}

func TestExhaustedPoolSaysWhoHoldsIt(t *testing.T) {
	tr := newTracker(t, 10<<20)
	mustLease(t, tr, abc, 6<<20, "item 1")
	mustLease(t, tr, abc, 1<<20, "item 2")
	_, err := tr.Lease(quotient, 4<<20, "item 3")
	var over *OverBudgetError
	require.ErrorAs(t, err, &over)
	require.Equal(t, []Holder{{"item 1", 6 << 20}, {"item 2", 1 << 20}}, over.Holders)
	require.False(t, over.Never())
	require.EqualError(t, err,
		"item 3 asks 4 MiB of h, but pool host has 7 MiB of 10 MiB in use, held by item 1 (6 MiB), item 2 (1 MiB)")
	require.Equal(t, int64(7<<20), tr.PoolCounts(host).Bytes)
	require.Equal(t, int64(1), tr.ClassCounts(quotient).Refused)

	_, err = tr.Lease(quotient, 11<<20, "item 3")
	require.ErrorAs(t, err, &over)
	require.True(t, over.Never())
	require.EqualError(t, err, "item 3 asks 11 MiB of h, more than all of pool host (10 MiB)")
}

func TestChargeIsCountedAndHasNoMemory(t *testing.T) {
	tr := newTracker(t, 100)
	l, err := tr.Charge(abc, 80, "library")
	require.NoError(t, err)
	require.Nil(t, l.Bytes())
	_, err = tr.Lease(abc, 21, "item 1")
	require.ErrorAs(t, err, new(*OverBudgetError))
	require.NoError(t, l.Shrink(30))
	require.Equal(t, int64(30), tr.ClassCounts(abc).Bytes)
	require.NoError(t, l.Release())
	require.NoError(t, tr.Close())
}

func TestShrinkKeepsTheFirstBytes(t *testing.T) {
	tr := newTracker(t, 1<<20)
	l := mustLease(t, tr, abc, 3*pageSize, "item 1")
	for i := range l.Bytes() {
		l.Bytes()[i] = byte(i)
	}
	require.NoError(t, l.Shrink(pageSize+1))
	require.Len(t, l.Bytes(), int(pageSize+1))
	for i, b := range l.Bytes() {
		require.Equal(t, byte(i), b)
	}
	require.ErrorIs(t, l.Shrink(pageSize+2), ErrSize)
	require.ErrorIs(t, l.Shrink(-1), ErrSize)
	want := Counts{InFlight: 1, Bytes: pageSize + 1, HighWater: 3 * pageSize, Leases: 1, LeasedBytes: 3 * pageSize,
		FreedBytes: 2*pageSize - 1, EarlyFreed: 2*pageSize - 1}
	require.Equal(t, want, tr.ClassCounts(abc))
	require.Equal(t, want, tr.PoolCounts(host))
	require.NoError(t, l.Shrink(0))
	require.Empty(t, l.Bytes())
	require.NoError(t, l.Release())
	require.NoError(t, tr.Close())
}

func TestSharedBytesCountOnceAndEndWithTheirLastHolder(t *testing.T) {
	tr := newTracker(t, 100)
	first := mustLease(t, tr, abc, 60, "item 1")
	second := first.Share()
	require.NoError(t, second.HandOver("item 2"))
	second.Bytes()[0] = 7
	require.Equal(t, byte(7), first.Bytes()[0])
	require.Equal(t, []Holder{{"item 1", 60}}, tr.Snapshot().Pools[host].Holders)
	require.ErrorIs(t, first.Shrink(1), ErrShared)
	require.ErrorIs(t, first.Recast(quotient), ErrShared)

	require.NoError(t, first.Release())
	require.Nil(t, first.Bytes())
	require.Equal(t, byte(7), second.Bytes()[0])
	require.Equal(t, []Holder{{"item 2", 60}}, tr.Snapshot().Pools[host].Holders)
	require.Equal(t, int64(60), tr.PoolCounts(host).Bytes)
	require.NoError(t, second.Shrink(10))
	require.NoError(t, second.Release())
	require.Zero(t, tr.PoolCounts(host).Bytes)
	require.NoError(t, tr.Close())
}

func TestRecastMovesBytesBetweenClasses(t *testing.T) {
	tr := newTracker(t, 100)
	l := mustLease(t, tr, abc, 60, "item 1")
	require.NoError(t, l.Shrink(20))
	require.NoError(t, l.Recast(quotient))
	require.Equal(t, quotient, l.Class())
	require.Equal(t, Counts{HighWater: 60, Leases: 1, LeasedBytes: 60, Frees: 1, FreedBytes: 60, EarlyFreed: 40},
		tr.ClassCounts(abc))
	require.Equal(t, Counts{InFlight: 1, Bytes: 20, HighWater: 20, Leases: 1, LeasedBytes: 20}, tr.ClassCounts(quotient))
	require.Equal(t, int64(20), tr.PoolCounts(host).Bytes)
	require.NoError(t, l.Release())
	require.Zero(t, tr.ClassCounts(quotient).Bytes)
}

func TestHandOverChangesTheHolder(t *testing.T) {
	tr := newTracker(t, 100)
	l := mustLease(t, tr, abc, 60, "body of synthesize")
	require.NoError(t, l.HandOver("item 1"))
	require.Equal(t, "item 1", l.Holder())
	require.Equal(t, []Holder{{"item 1", 60}}, tr.Snapshot().Pools[host].Holders)
}

func TestClosedTrackerRefuses(t *testing.T) {
	tr := newTracker(t, 100)
	require.NoError(t, tr.Close())
	_, err := tr.Lease(abc, 1, "item 1")
	require.ErrorIs(t, err, ErrClosed)
	_, err = tr.Charge(abc, 1, "item 1")
	require.ErrorIs(t, err, ErrClosed)
}

func TestLeaseOutlivesItsTracker(t *testing.T) {
	tr := newTracker(t, 100)
	l := mustLease(t, tr, abc, 1, "item 1")
	require.ErrorAs(t, tr.Close(), new(*LeakError))
	l.Bytes()[0] = 1
	require.NoError(t, l.Release())
	require.NoError(t, tr.Close())
}
