package canonical_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/internal/canonical"
)

func TestBoundsCompareLikeIntegers(t *testing.T) {
	for _, id := range curve.All() {
		scalar, base := canonical.ScalarBound(id), canonical.BaseBound(id)
		rapid.Check(t, func(t *rapid.T) {
			b := rapid.SliceOfN(rapid.Byte(), id.BaseSize(), id.BaseSize()).Draw(t, "bytes")
			x := curve.FromLittleEndian(b)
			require.Equal(t, x.Cmp(id.BaseModulus()) < 0, base.Exceeds(b))
			require.Equal(t, curve.FromLittleEndian(b[:32]).Cmp(id.ScalarModulus()) < 0, scalar.Exceeds(b[:32]))
		})
		for delta, want := range map[int64]bool{-1: true, 0: false, 1: false} {
			b := make([]byte, id.BaseSize())
			curve.PutLittleEndian(b, new(big.Int).Add(id.BaseModulus(), big.NewInt(delta)))
			require.Equal(t, want, base.Exceeds(b))
		}
	}
}

func TestZeroAndOne(t *testing.T) {
	for i := range 32 {
		b := make([]byte, 32)
		require.True(t, canonical.IsZero(b))
		b[i] = 1
		require.False(t, canonical.IsZero(b))
		require.Equal(t, i == 0, canonical.IsOne(b))
	}
}
