package view_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/internal/view"
)

func TestViewsShareMemory(t *testing.T) {
	b := view.Allocate(64)
	words, err := view.Of[[4]uint64](b)
	require.NoError(t, err)
	require.Len(t, words, 2)
	words[1][0] = 0x0102
	require.Equal(t, []byte{2, 1}, b[32:34])
	require.Equal(t, b, view.Bytes(words))
	require.Equal(t, b[32:], view.One(&words[1]))
}

func TestWhatCannotBeViewed(t *testing.T) {
	b := view.Allocate(72)
	_, err := view.Of[[4]uint64](b[4:68])
	require.ErrorIs(t, err, view.ErrMisaligned)
	_, err = view.Of[[4]uint64](b[:33])
	require.ErrorContains(t, err, "no whole number")
	empty, err := view.Of[[4]uint64](b[4:4])
	require.NoError(t, err)
	require.Empty(t, empty)
	require.Nil(t, view.Bytes([]uint64(nil)))
}

func TestAllocatedMemoryIsAligned(t *testing.T) {
	for n := range int64(200) {
		b := view.Allocate(n)
		require.Len(t, b, int(n))
		require.True(t, view.Aligned(b))
	}
}
