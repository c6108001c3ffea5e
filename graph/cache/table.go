// Package cache keeps entries that are expensive to load and large to hold (proving keys, compiled circuits) while
// there is room for them.
//
// The Table (table.go) is the truth: which entries exist, who refers to them, which lease their bytes have. Loads are
// single-flight (load.go). A Ranker (rank.go) only advises which idle entry to give up first: LRU (lru.go) is
// deterministic, Frequency (frequency.go) asks ristretto. An entry in use is never given up; an idle one is freed once.
package cache

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"

	"github.com/proofgraph/proofgraph/graph/budget"
)

// ErrClosed is what Get gives once the table is closed.
var ErrClosed = errors.New("the cache is closed")

// ErrReleased is what a second Release of a Ref gives.
var ErrReleased = errors.New("the reference was already released")

// A Table holds entries by key. Its methods may be called concurrently.
type Table struct {
	freeing sync.Mutex // held while an idle entry is given up; taken before mu
	mu      sync.Mutex
	rank    Ranker
	entries map[string]*entry
	loads   sync.WaitGroup
	closed  bool
	failed  []error // of freeing entries; Close gives them
}

// An entry is loading, then ready (and idle while refs is 0), or failed; a loading one that nobody waits for any more,
// and a ready one that is being freed, is doomed. The table's lock guards its fields, but for value and lease, which do
// not change once it is ready.
type entry struct {
	key    string
	state  state
	refs   int           // Refs, and callers of Get that wait for the load
	done   chan struct{} // closed when the load has ended, or the freeing
	err    error         // why the load failed
	cancel context.CancelFunc
	value  any
	lease  *budget.Lease
	bytes  int64
}

type state int

const (
	loading state = iota
	ready
	failed
	doomed
)

// An Entry is an idle entry of the table.
type Entry struct {
	Key   string
	Bytes int64
}

// New makes an empty table whose idle entries rank ranks.
func New(rank Ranker) *Table {
	return &Table{rank: rank, entries: map[string]*entry{}}
}

// A Ref is one user's hold on an entry, which stays until the Ref is released.
type Ref struct {
	table    *Table
	entry    *entry
	released bool
}

// Value gives what the entry's load returned; many users share it.
func (r *Ref) Value() any { return r.entry.value }

// Lease gives the entry's lease, which the table releases: users must not, but may share it.
func (r *Ref) Lease() *budget.Lease { return r.entry.lease }

// Key gives the entry's key.
func (r *Ref) Key() string { return r.entry.key }

// Release ends the hold, exactly once: a second call does nothing and gives an error that wraps ErrReleased.
func (r *Ref) Release() error {
	t := r.table
	t.mu.Lock()
	if r.released {
		t.mu.Unlock()
		return fmt.Errorf("cache entry %q: %w", r.entry.key, ErrReleased)
	}
	r.released = true
	ended := t.drop(r.entry)
	t.mu.Unlock()
	return ended.free()
}

// drop takes one reference from an entry that is ready. With the last one the entry becomes idle, or is over if the
// table is closed: then it is given back for the caller to free, without the lock.
func (t *Table) drop(e *entry) (ended *entry) {
	if e.refs--; e.refs > 0 {
		return nil
	}
	if t.closed {
		delete(t.entries, e.key)
		return e
	}
	t.rank.Idle(e.key, e.bytes)
	return nil
}

// Idle lists the idle entries in the order of their keys.
func (t *Table) Idle() []Entry {
	t.mu.Lock()
	defer t.mu.Unlock()
	var idle []Entry
	for _, key := range slices.Sorted(maps.Keys(t.entries)) {
		if e := t.entries[key]; e.idle() {
			idle = append(idle, Entry{Key: e.key, Bytes: e.bytes})
		}
	}
	return idle
}

func (e *entry) idle() bool { return e.state == ready && e.refs == 0 }

// Victim names the idle entry that should be given up first; ok is false where none is idle.
func (t *Table) Victim() (key string, bytes int64, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e := t.victim(func(*entry) bool { return true })
	if e == nil {
		return "", 0, false
	}
	return e.key, e.bytes, true
}

// victim asks the ranker for an idle entry that eligible admits. The advice is checked against the table.
func (t *Table) victim(eligible func(*entry) bool) *entry {
	candidate := func(key string) bool {
		e := t.entries[key]
		return e != nil && e.idle() && eligible(e)
	}
	if key, ok := t.rank.Next(candidate); ok && candidate(key) {
		return t.entries[key]
	}
	return nil
}

// Evict frees an idle entry, and its bytes are back in their pool when it returns true. An entry that is in use, is
// being loaded or is not there stays as it is, and Evict gives false.
func (t *Table) Evict(key string) bool {
	t.freeing.Lock()
	defer t.freeing.Unlock()
	return t.evict(func() *entry { return t.entries[key] })
}

// evict frees the entry that choose gives, if it is idle. A Get of its key waits meanwhile, lest both lives of the
// entry have bytes at once.
func (t *Table) evict(choose func() *entry) bool {
	t.mu.Lock()
	e := choose()
	if e == nil || !e.idle() {
		t.mu.Unlock()
		return false
	}
	e.state, e.done = doomed, make(chan struct{})
	t.rank.Forget(e.key)
	t.mu.Unlock()
	err := e.free()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.note(err)
	delete(t.entries, e.key)
	close(e.done)
	return true
}

// free closes the entry's value, if it is an io.Closer, and releases its lease. The table is not locked: it takes time.
func (e *entry) free() error {
	if e == nil {
		return nil
	}
	var failed []error
	if closer, ok := e.value.(io.Closer); ok {
		failed = append(failed, closer.Close())
	}
	if e.lease != nil {
		failed = append(failed, e.lease.Release())
	}
	if err := errors.Join(failed...); err != nil {
		return fmt.Errorf("free cache entry %q: %w", e.key, err)
	}
	return nil
}

// note keeps an error for Close; the table is locked.
func (t *Table) note(err error) {
	if err != nil {
		t.failed = append(t.failed, err)
	}
}

// Close cancels loads and waits for them, frees the idle entries, and ends the ranker. Entries in use are freed when
// their last Ref is released; Close names them in its error, which also has what went wrong freeing others.
func (t *Table) Close() error {
	t.shut()
	t.loads.Wait()
	t.freeing.Lock()
	defer t.freeing.Unlock()
	for t.evict(t.anyIdle) {
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	failed := t.failed
	if closer, ok := t.rank.(io.Closer); ok {
		failed = append(failed, closer.Close())
	}
	for _, key := range slices.Sorted(maps.Keys(t.entries)) {
		failed = append(failed, fmt.Errorf("cache entry %q is still in use", key))
	}
	return errors.Join(failed...)
}

// shut refuses later Gets and cancels the loads that are under way.
func (t *Table) shut() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	for _, e := range t.entries {
		if e.state == loading {
			e.cancel()
		}
	}
}

func (t *Table) anyIdle() *entry {
	for _, e := range t.entries {
		if e.idle() {
			return e
		}
	}
	return nil
}
