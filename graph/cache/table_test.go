package cache

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/stretchr/testify/require"
)

const keyClass = 0

func newTracker(t testing.TB, limit int64) *budget.Tracker {
	t.Helper()
	pools := []budget.Pool{{Name: "host", Limit: limit}, {Name: "device", Limit: limit}}
	tr, err := budget.New(pools, []budget.Class{{Name: "key"}, {Name: "device key", Pool: 1}})
	require.NoError(t, err)
	return tr
}

// value is an entry's value that knows how often it was closed.
type value struct {
	name   string
	closed atomic.Int32
}

func (v *value) Close() error {
	if v.closed.Add(1) > 1 {
		return errors.New("closed twice")
	}
	return nil
}

// loader loads entries of one size into the table, and counts.
type loader struct {
	table   *Table
	tracker *budget.Tracker
	bytes   int64
	class   int
	loads   atomic.Int32
}

func (l *loader) load(name string) Load {
	return func(ctx context.Context) (any, *budget.Lease, error) {
		l.loads.Add(1)
		lease, err := l.table.Reserve(l.class, func() (*budget.Lease, error) {
			return l.tracker.Charge(l.class, l.bytes, name)
		})
		return &value{name: name}, lease, err
	}
}

func (l *loader) get(t testing.TB, name string) *Ref {
	t.Helper()
	ref, err := l.table.Get(t.Context(), name, l.load(name))
	require.NoError(t, err)
	require.Equal(t, name, ref.Value().(*value).name)
	return ref
}

func newLoader(t testing.TB, limit, bytes int64) *loader {
	return &loader{table: New(&LRU{}), tracker: newTracker(t, limit), bytes: bytes}
}

func (l *loader) close(t testing.TB) {
	t.Helper()
	require.NoError(t, l.table.Close())
	require.NoError(t, l.tracker.Close())
}

func TestGetLoadsOnceAndKeepsTheEntryWhenIdle(t *testing.T) {
	l := newLoader(t, 100, 60)
	first, second := l.get(t, "a"), l.get(t, "a")
	require.Same(t, first.Value(), second.Value())
	require.Empty(t, l.table.Idle())
	require.NoError(t, first.Release())
	require.NoError(t, second.Release())
	require.ErrorIs(t, second.Release(), ErrReleased)
	require.Equal(t, []Entry{{"a", 60}}, l.table.Idle())
	require.NoError(t, l.get(t, "a").Release())
	require.Equal(t, int32(1), l.loads.Load())
	l.close(t)
}

func TestTwoEntriesAlternateInRoomForOneAndAHalf(t *testing.T) {
	l := newLoader(t, 90, 60)
	for range 3 {
		for _, name := range []string{"a", "b"} {
			ref := l.get(t, name)
			require.Equal(t, int64(60), l.tracker.PoolCounts(0).Bytes)
			require.NoError(t, ref.Release())
			require.Equal(t, []Entry{{name, 60}}, l.table.Idle())
		}
	}
	require.Equal(t, int32(6), l.loads.Load())
	require.Equal(t, int64(60), l.tracker.PoolCounts(0).HighWater)
	l.close(t)
}

func TestEntryInUseIsNeverEvicted(t *testing.T) {
	l := newLoader(t, 90, 60)
	ref := l.get(t, "a")
	require.False(t, l.table.Evict("a"))
	_, _, ok := l.table.Victim()
	require.False(t, ok)
	_, err := l.table.Get(t.Context(), "b", l.load("b"))
	require.ErrorAs(t, err, new(*budget.OverBudgetError))
	require.ErrorContains(t, err, `load cache entry "b"`)
	require.Zero(t, ref.Value().(*value).closed.Load())
	require.NoError(t, ref.Release())
	require.True(t, l.table.Evict("a"))
	require.Equal(t, int32(1), ref.Value().(*value).closed.Load())
	require.Zero(t, l.tracker.PoolCounts(0).Bytes)
	require.False(t, l.table.Evict("a"))
	l.close(t)
}

func TestVictimIsTheLongestIdle(t *testing.T) {
	l := newLoader(t, 300, 60)
	for _, name := range []string{"a", "b", "c", "a"} {
		require.NoError(t, l.get(t, name).Release())
	}
	for _, want := range []string{"b", "c", "a"} {
		key, bytes, ok := l.table.Victim()
		require.True(t, ok)
		require.Equal(t, want, key)
		require.Equal(t, int64(60), bytes)
		require.True(t, l.table.Evict(key))
	}
	l.close(t)
}

func TestReserveGivesUpOnlyWhatHelps(t *testing.T) {
	l := newLoader(t, 100, 40)
	require.NoError(t, l.get(t, "a").Release())
	l.class = 1
	require.NoError(t, l.get(t, "on the device").Release())
	l.class = 0
	held := l.get(t, "b")

	l.bytes = 70
	_, err := l.table.Get(t.Context(), "c", l.load("c"))
	require.ErrorAs(t, err, new(*budget.OverBudgetError))
	require.Len(t, l.table.Idle(), 2, "70 would not fit beside the 40 in use, so nothing was given up")
	l.bytes = 101
	_, err = l.table.Get(t.Context(), "c", l.load("c"))
	require.ErrorAs(t, err, new(*budget.OverBudgetError))
	require.Len(t, l.table.Idle(), 2)
	l.bytes = 60
	require.NoError(t, l.get(t, "c").Release())
	require.Equal(t, []Entry{{"c", 60}, {"on the device", 40}}, l.table.Idle())
	require.NoError(t, held.Release())
	l.close(t)
}

func TestFailedLoadIsEveryonesErrorAndIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLoader(t, 100, 60)
		broken, release := errors.New("truncated file"), make(chan struct{})
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				_, err := l.table.Get(context.Background(), "a", func(context.Context) (any, *budget.Lease, error) {
					l.loads.Add(1)
					<-release
					return nil, nil, broken
				})
				if !errors.Is(err, broken) {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		close(release)
		all.Wait()
		require.Equal(t, int32(1), l.loads.Load())
		require.NoError(t, l.get(t, "a").Release())
		l.close(t)
	})
}

func TestLoadThatBreaksItsContract(t *testing.T) {
	l := newLoader(t, 100, 60)
	for name, load := range map[string]Load{
		"panics": func(context.Context) (any, *budget.Lease, error) { panic("index out of range") },
		"keeps its lease": func(context.Context) (any, *budget.Lease, error) {
			lease, _ := l.tracker.Lease(keyClass, 5, "a")
			return nil, lease, errors.New("bad point")
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := l.table.Get(t.Context(), "a", load)
			require.ErrorContains(t, err, map[string]string{"panics": "panic: index", "keeps its lease": "bad point"}[name])
			require.Zero(t, l.tracker.PoolCounts(0).Bytes)
		})
	}
	l.close(t)
}

func TestEntryWithoutALease(t *testing.T) {
	l := newLoader(t, 10, 10)
	ref, err := l.table.Get(t.Context(), "a", func(context.Context) (any, *budget.Lease, error) { return 7, nil, nil })
	require.NoError(t, err)
	require.Equal(t, 7, ref.Value())
	require.Nil(t, ref.Lease())
	require.NoError(t, ref.Release())
	require.NoError(t, l.get(t, "b").Release())
	require.Equal(t, []Entry{{"a", 0}, {"b", 10}}, l.table.Idle(), "giving up a would have gained nothing")
	l.close(t)
}

// slowLoad ends when release is closed, or with its context.
func (l *loader) slowLoad(name string, release chan struct{}) Load {
	return func(ctx context.Context) (any, *budget.Lease, error) {
		select {
		case <-release:
			return l.load(name)(ctx)
		case <-ctx.Done():
			l.loads.Add(1)
			return nil, nil, context.Cause(ctx)
		}
	}
}

func TestLoadGoesOnWhenItsFirstCallerLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLoader(t, 100, 60)
		release := make(chan struct{})
		first, cancel := context.WithCancelCause(context.Background())
		var all sync.WaitGroup
		stopped := errors.New("the client went away")
		all.Go(func() {
			_, err := l.table.Get(first, "a", l.slowLoad("a", release))
			if !errors.Is(err, stopped) {
				t.Error(err)
			}
		})
		synctest.Wait()
		all.Go(func() {
			if ref, err := l.table.Get(context.Background(), "a", l.slowLoad("a", release)); err != nil {
				t.Error(err)
			} else if err := ref.Release(); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		cancel(stopped)
		synctest.Wait()
		close(release)
		all.Wait()
		require.Equal(t, int32(1), l.loads.Load())
		require.Equal(t, []Entry{{"a", 60}}, l.table.Idle())
		l.close(t)
	})
}

func TestLoadEndsWithItsLastCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLoader(t, 100, 60)
		ctx, cancel := context.WithCancel(context.Background())
		var all sync.WaitGroup
		for range 2 {
			all.Go(func() {
				_, err := l.table.Get(ctx, "a", l.slowLoad("a", nil))
				if !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		cancel()
		all.Wait()
		synctest.Wait()
		require.Equal(t, int32(1), l.loads.Load())
		_, err := l.table.Get(ctx, "a", l.load("a"))
		require.ErrorIs(t, err, context.Canceled)
		l.close(t)
	})
}

// A load that does not heed its end is still the only one: the next caller waits for it, and takes what it made.
func TestCallerAfterADoomedLoadWaitsForIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLoader(t, 100, 60)
		release := make(chan struct{})
		stubborn := func(ctx context.Context) (any, *budget.Lease, error) {
			<-release
			return l.load("a")(ctx)
		}
		ctx, cancel := context.WithCancel(context.Background())
		var all sync.WaitGroup
		all.Go(func() { _, _ = l.table.Get(ctx, "a", stubborn) })
		synctest.Wait()
		cancel()
		all.Wait()
		all.Go(func() {
			if ref, err := l.table.Get(context.Background(), "a", l.load("a")); err != nil {
				t.Error(err)
			} else if err := ref.Release(); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		require.Zero(t, l.loads.Load())
		close(release)
		all.Wait()
		require.Equal(t, int32(1), l.loads.Load())
		l.close(t)
	})
}

func TestCloseNamesWhatIsInUseAndEndsLoads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLoader(t, 200, 60)
		held := l.get(t, "held")
		require.NoError(t, l.get(t, "idle").Release())
		var all sync.WaitGroup
		all.Go(func() {
			_, err := l.table.Get(context.Background(), "slow", l.slowLoad("slow", nil))
			if !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
		synctest.Wait()
		require.EqualError(t, l.table.Close(), `cache entry "held" is still in use`)
		all.Wait()
		_, err := l.table.Get(context.Background(), "new", l.load("new"))
		require.ErrorIs(t, err, ErrClosed)
		require.Equal(t, int64(60), l.tracker.PoolCounts(0).Bytes)
		require.NoError(t, held.Release())
		require.Equal(t, int32(1), held.Value().(*value).closed.Load())
		l.close(t)
	})
}

func TestFaultsOfFreeingReachClose(t *testing.T) {
	l := newLoader(t, 100, 60)
	ref := l.get(t, "a")
	require.NoError(t, ref.Lease().Release())
	require.NoError(t, ref.Release())
	require.True(t, l.table.Evict("a"))
	err := l.table.Close()
	require.ErrorIs(t, err, budget.ErrReleased)
	require.ErrorContains(t, err, `free cache entry "a"`)
}

// Many users of more entries than fit, with evictions from outside: what is used is alive, what is idle goes once.
func TestGetRacesWithEvict(t *testing.T) {
	for name, rank := range rankers(t) {
		t.Run(name, func(t *testing.T) {
			l := &loader{table: New(rank), tracker: newTracker(t, 250), bytes: 60}
			var all sync.WaitGroup
			for w := range 4 {
				all.Go(func() { useOften(t, l, w) })
			}
			for i := range 300 {
				if key, _, ok := l.table.Victim(); ok && i%2 == 0 {
					l.table.Evict(key)
				}
			}
			all.Wait()
			require.LessOrEqual(t, l.tracker.PoolCounts(0).HighWater, int64(250))
			l.close(t)
			require.Zero(t, l.tracker.Snapshot().DoubleReleases)
		})
	}
}

// useOften holds one entry at a time: 4 workers with 60 bytes each fit in 250, so that no load may fail.
func useOften(t *testing.T, l *loader, worker int) {
	for i := range 150 {
		name := fmt.Sprint("key ", (i*3+worker)%6)
		ref, err := l.table.Get(context.Background(), name, l.load(name))
		if err != nil {
			t.Error(err)
			return
		}
		if v := ref.Value().(*value); v.name != name || v.closed.Load() != 0 || ref.Lease().Size() != 60 {
			t.Errorf("%s: got %s, closed %d times", name, v.name, v.closed.Load())
		}
		if err := ref.Release(); err != nil {
			t.Error(err)
		}
	}
}
