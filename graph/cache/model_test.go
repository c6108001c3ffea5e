package cache

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The table against a model: which entries exist, in which order they became idle, and who holds which.

type modelTable struct {
	*loader
	limit  int64
	bytes  map[string]int64 // of the entries in the table
	idle   []string         // the longest idle first
	refs   []*Ref
	values []*value
}

var errBroken = errors.New("broken file")

func TestTableAgainstModel(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		m := &modelTable{loader: newLoader(t, 100, 0), limit: 100, bytes: map[string]int64{}}
		r.Repeat(map[string]func(*rapid.T){
			"get":     m.get,
			"fail":    m.fail,
			"release": m.release,
			"evict":   m.evict,
			"":        m.check,
		})
		for len(m.refs) > 0 {
			m.drop(r, 0)
		}
		m.close(t)
		for _, v := range m.values {
			require.Equal(r, int32(1), v.closed.Load())
		}
	})
}

func (m *modelTable) draw(t *rapid.T) string {
	return rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "key")
}

func (m *modelTable) inUse() (bytes int64) {
	for key, size := range m.bytes {
		if !slices.Contains(m.idle, key) {
			bytes += size
		}
	}
	return bytes
}

func (m *modelTable) total() (bytes int64) {
	for _, size := range m.bytes {
		bytes += size
	}
	return bytes
}

func (m *modelTable) get(t *rapid.T) {
	name := m.draw(t)
	m.loader.bytes = rapid.Int64Range(1, 110).Draw(t, "bytes")
	_, there := m.bytes[name]
	ref, err := m.table.Get(t.Context(), name, m.load(name))
	if !there && m.inUse()+m.loader.bytes > m.limit {
		require.ErrorAs(t, err, new(*budget.OverBudgetError))
		return
	}
	require.NoError(t, err)
	m.refs = append(m.refs, ref)
	if there {
		m.idle = slices.DeleteFunc(m.idle, func(key string) bool { return key == name })
		return
	}
	m.values = append(m.values, ref.Value().(*value))
	m.bytes[name] = m.loader.bytes
	for m.total() > m.limit { // the longest idle made room
		delete(m.bytes, m.idle[0])
		m.idle = m.idle[1:]
	}
}

func (m *modelTable) fail(t *rapid.T) {
	name := m.draw(t)
	if _, there := m.bytes[name]; there {
		t.Skip("no load")
	}
	_, err := m.table.Get(t.Context(), name, func(context.Context) (any, *budget.Lease, error) { return nil, nil, errBroken })
	require.ErrorIs(t, err, errBroken)
}

func (m *modelTable) release(t *rapid.T) {
	if len(m.refs) == 0 {
		t.Skip("nothing held")
	}
	m.drop(t, rapid.IntRange(0, len(m.refs)-1).Draw(t, "ref"))
}

func (m *modelTable) drop(t *rapid.T, i int) {
	ref := m.refs[i]
	require.NoError(t, ref.Release())
	require.ErrorIs(t, ref.Release(), ErrReleased)
	m.refs = slices.Delete(m.refs, i, i+1)
	if !slices.ContainsFunc(m.refs, func(other *Ref) bool { return other.Key() == ref.Key() }) {
		m.idle = append(m.idle, ref.Key())
	}
}

func (m *modelTable) evict(t *rapid.T) {
	name := m.draw(t)
	i := slices.Index(m.idle, name)
	require.Equal(t, i >= 0, m.table.Evict(name))
	if i >= 0 {
		m.idle = slices.Delete(m.idle, i, i+1)
		delete(m.bytes, name)
	}
}

func (m *modelTable) check(t *rapid.T) {
	require.Equal(t, m.total(), m.tracker.PoolCounts(0).Bytes)
	idle := m.table.Idle()
	require.Len(t, idle, len(m.idle))
	for _, e := range idle {
		require.Contains(t, m.idle, e.Key)
		require.Equal(t, m.bytes[e.Key], e.Bytes)
	}
	key, _, ok := m.table.Victim()
	require.Equal(t, len(m.idle) > 0, ok)
	if ok {
		require.Equal(t, m.idle[0], key)
	}
	for _, ref := range m.refs {
		require.Zero(t, ref.Value().(*value).closed.Load())
	}
}
