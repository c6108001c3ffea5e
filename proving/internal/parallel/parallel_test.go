package parallel_test

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
	"pgregory.net/rapid"

	"github.com/proofgraph/proofgraph/proving/internal/parallel"
)

func TestRangesCoverOnceInGrains(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, grain := rapid.IntRange(0, 500).Draw(t, "n"), rapid.IntRange(0, 40).Draw(t, "grain")
		threads := rapid.IntRange(-1, 9).Draw(t, "threads")
		seen, parts := make([]int, n), 0
		var mu sync.Mutex
		require.NoError(t, parallel.Ranges(context.Background(), n, grain, threads, func(from, to int) error {
			mu.Lock()
			defer mu.Unlock()
			parts++
			for i := from; i < to; i++ {
				seen[i]++
			}
			require.Zero(t, from%max(grain, 1))
			return nil
		}))
		require.LessOrEqual(t, parts, max(threads, 1))
		for i, times := range seen {
			require.Equal(t, 1, times, "index %d", i)
		}
	})
}

func TestRangesReturnAnErrorAfterAllHaveEnded(t *testing.T) {
	broken := errors.New("broken")
	ended := make(chan int, 4)
	err := parallel.Ranges(context.Background(), 4, 1, 4, func(from, _ int) error {
		ended <- from
		if from == 2 {
			return broken
		}
		return nil
	})
	require.ErrorIs(t, err, broken)
	require.Len(t, ended, 4)
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, parallel.Ranges(cancelled, 4, 1, 4, func(int, int) error { panic("not called") }), context.Canceled)
}

func TestPanicOfAPartIsTheCallers(t *testing.T) {
	var ended atomic.Int32
	defer func() {
		p, ok := recover().(*parallel.Panic)
		require.True(t, ok)
		require.Equal(t, "broken", p.Cause)
		require.Contains(t, p.String(), "TestPanicOfAPartIsTheCallers")
		require.Equal(t, int32(3), ended.Load())
	}()
	_ = parallel.Ranges(context.Background(), 4, 1, 4, func(from, _ int) error {
		if from == 2 {
			panic("broken")
		}
		ended.Add(1)
		return nil
	})
	require.Fail(t, "no panic")
}

// A fault in a part is a panic of Ranges where its caller wants faults to panic.
func TestAFaultInAPartIsAPanicOfRanges(t *testing.T) {
	gone, err := unix.Mmap(-1, 0, 4096, unix.PROT_NONE, unix.MAP_ANON|unix.MAP_PRIVATE)
	require.NoError(t, err)
	defer unix.Munmap(gone)
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	require.Panics(t, func() {
		_ = parallel.Ranges(context.Background(), 4, 1, 4, func(from, _ int) error {
			if from == 2 && gone[0] == 1 {
				return errors.New("there is no such byte")
			}
			return nil
		})
	})
}
