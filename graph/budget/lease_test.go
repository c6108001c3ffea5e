package budget

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	abc = iota
	key
	vk
)

func newTracker(t *testing.T, limit int64, opts ...Option) *Tracker {
	t.Helper()
	pools := []Pool{{Name: "host", Limit: limit}, {Name: "file", Limit: -1}}
	tr, err := New(pools, []Class{{Name: "abc"}, {Name: "h"}, {Name: "key", Pool: 1}}, opts...)
	require.NoError(t, err)
	return tr
}

func TestLeaseGivesZeroedMemoryOfItsSize(t *testing.T) {
	tr := newTracker(t, 1<<20)
	l, err := tr.Lease(abc, 5000, "item 1")
	require.NoError(t, err)
	require.Equal(t, make([]byte, 5000), l.Bytes())
	require.Equal(t, 5000, cap(l.Bytes()))
	require.Equal(t, int64(5000), tr.PoolCounts(0).Bytes)
	require.NoError(t, l.Release())
	require.Nil(t, l.Bytes())
	require.ErrorIs(t, l.Release(), ErrReleased)
	require.NoError(t, tr.Close())
}
