package cache

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func rankers(t *testing.T) map[string]Ranker {
	t.Helper()
	frequency, err := NewFrequency(100)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, frequency.Close()) })
	return map[string]Ranker{"lru": &LRU{}, "frequency": frequency}
}

func anyKey(string) bool { return true }

// Every ranker names idle entries only, each until it is forgotten or used.
func TestRankersNameEveryIdleEntry(t *testing.T) {
	for name, r := range rankers(t) {
		t.Run(name, func(t *testing.T) {
			_, ok := r.Next(anyKey)
			require.False(t, ok)
			for i := range 6 {
				r.Use(fmt.Sprint(i))
				r.Idle(fmt.Sprint(i), 10)
			}
			r.Use("3")
			key, ok := r.Next(func(key string) bool { return key == "5" })
			require.True(t, ok)
			require.Equal(t, "5", key)
			seen := map[string]bool{}
			for key, ok := r.Next(anyKey); ok; key, ok = r.Next(anyKey) {
				require.False(t, seen[key])
				seen[key] = true
				r.Forget(key)
			}
			require.Equal(t, map[string]bool{"0": true, "1": true, "2": true, "4": true, "5": true}, seen)
		})
	}
}

func TestLRUOrder(t *testing.T) {
	r := &LRU{}
	for _, key := range []string{"a", "b", "c", "a"} {
		r.Use(key)
		r.Idle(key, 1)
	}
	require.Equal(t, []string{"b", "c", "a"}, r.Keys())
	r.Forget("c")
	require.Equal(t, []string{"b", "a"}, r.Keys())
}

// What is used often stays, though it was idle the longest; among equals the longest idle goes.
func TestFrequencyKeepsWhatIsUsedOften(t *testing.T) {
	r, err := NewFrequency(100)
	require.NoError(t, err)
	defer r.Close()
	// Ristretto counts beside us, and drops uses when more than three wait to be counted.
	for range 3 {
		r.Use("often")
	}
	time.Sleep(20 * time.Millisecond)
	for _, key := range []string{"often", "first", "second"} {
		r.Use(key)
		r.Idle(key, 1)
	}
	want := []string{"first", "second", "often"}
	require.Eventually(t, func() bool { return slices.Equal(want, order(r)) }, 5*time.Second, 5*time.Millisecond)
}

// order asks for the victims one after the other, and forgets none.
func order(r Ranker) (keys []string) {
	for {
		key, ok := r.Next(func(key string) bool { return !slices.Contains(keys, key) })
		if !ok {
			return keys
		}
		keys = append(keys, key)
	}
}

func TestFrequencyRanksLikeLRUWhenClosed(t *testing.T) {
	r, err := NewFrequency(100)
	require.NoError(t, err)
	require.NoError(t, r.Close())
	r.Use("a")
	r.Idle("a", 1)
	r.Idle("b", 1)
	key, ok := r.Next(anyKey)
	require.True(t, ok)
	require.Equal(t, "a", key)
}
