package cache

import "slices"

// LRU ranks idle entries by when they became idle, the longest ago first. It is deterministic, and its zero value is
// ready for use. It is meant for few entries: every call looks at all idle ones.
type LRU struct {
	keys []string // idle, the first to go first
}

var _ Ranker = (*LRU)(nil)

// Use implements Ranker.
func (r *LRU) Use(key string) { r.Forget(key) }

// Idle implements Ranker.
func (r *LRU) Idle(key string, _ int64) {
	r.Forget(key)
	r.keys = append(r.keys, key)
}

// Forget implements Ranker.
func (r *LRU) Forget(key string) {
	if i := slices.Index(r.keys, key); i >= 0 {
		r.keys = slices.Delete(r.keys, i, i+1)
	}
}

// Next implements Ranker.
func (r *LRU) Next(eligible func(key string) bool) (string, bool) {
	for _, key := range r.keys {
		if eligible(key) {
			return key, true
		}
	}
	return "", false
}

// Keys gives the idle keys, the first to go first; the slice is the LRU's own.
func (r *LRU) Keys() []string { return r.keys }
