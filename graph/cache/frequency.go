package cache

import (
	"fmt"

	"github.com/dgraph-io/ristretto/v2"
)

// Frequency ranks idle entries by how often they were used of late, as ristretto's TinyLFU estimates it; among those
// used equally often the longest idle goes first.
//
// Ristretto is a cache that evicts on its own, drops what it likes and cannot pin, so it is given no entries: only the
// uses of all keys, and, when a victim is wanted, pairs of keys that compete for its one place. Whichever it keeps is
// worth more.
type Frequency struct {
	idle  LRU
	cache *ristretto.Cache[string, string]
	loser string // of the latest duel: "" where ristretto said nothing
}

var _ Ranker = (*Frequency)(nil)

// NewFrequency makes a ranker for about so many different keys (at least 100 are allowed for). It must be closed.
func NewFrequency(keys int64) (*Frequency, error) {
	f := &Frequency{}
	lost := func(item *ristretto.Item[string]) { f.loser = item.Value }
	cache, err := ristretto.NewCache(&ristretto.Config[string, string]{
		NumCounters: 10 * max(keys, 100), MaxCost: 1, BufferItems: 1, IgnoreInternalCost: true,
		OnEvict: lost, OnReject: lost,
	})
	if err != nil {
		return nil, fmt.Errorf("rank by frequency: %w", err)
	}
	f.cache = cache
	return f, nil
}

// Use implements Ranker.
func (f *Frequency) Use(key string) {
	f.idle.Use(key)
	f.cache.Get(key)
}

// Idle implements Ranker.
func (f *Frequency) Idle(key string, bytes int64) { f.idle.Idle(key, bytes) }

// Forget implements Ranker. How often the key was used stays known, should it come back.
func (f *Frequency) Forget(key string) { f.idle.Forget(key) }

// Next implements Ranker: the longest idle key duels with each of the others in turn, and the loser goes on.
func (f *Frequency) Next(eligible func(key string) bool) (victim string, ok bool) {
	for _, key := range f.idle.Keys() {
		if !eligible(key) {
			continue
		}
		if ok && f.duel(victim, key) != key {
			continue
		}
		victim, ok = key, true
	}
	return victim, ok
}

// duel gives the place to holder, lets challenger ask for it, and tells which of the two ristretto would not keep.
// Wait makes its goroutine, on which the callbacks run, catch up.
func (f *Frequency) duel(holder, challenger string) (loser string) {
	f.loser = ""
	f.cache.Set(holder, holder, 1)
	f.cache.Wait()
	f.cache.Set(challenger, challenger, 1)
	f.cache.Wait()
	loser = f.loser
	f.cache.Del(holder)
	f.cache.Del(challenger)
	f.cache.Wait()
	return loser
}

// Close ends ristretto's goroutines. The ranker then ranks like LRU.
func (f *Frequency) Close() error {
	f.cache.Close()
	return nil
}
