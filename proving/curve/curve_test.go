package curve_test

import (
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/proofgraph/proofgraph/proving/curve"
)

func TestCurvesAreThoseOfGnarkCrypto(t *testing.T) {
	for id, theirs := range map[curve.ID]ecc.ID{curve.BN254: ecc.BN254, curve.BLS12381: ecc.BLS12_381} {
		require.Zero(t, id.BaseModulus().Cmp(theirs.BaseField()))
		require.Zero(t, id.ScalarModulus().Cmp(theirs.ScalarField()))
		require.Equal(t, (theirs.BaseField().BitLen()+63)/64*8, id.BaseSize())
	}
}

func TestCurvesAreFoundByNameAndModulus(t *testing.T) {
	for _, id := range curve.All() {
		for _, name := range []string{id.String(), id.SnarkjsName()} {
			found, err := curve.Parse(name)
			require.NoError(t, err)
			require.Equal(t, id, found)
		}
		q, r := make([]byte, id.BaseSize()), make([]byte, curve.ScalarSize)
		curve.PutLittleEndian(q, id.BaseModulus())
		curve.PutLittleEndian(r, id.ScalarModulus())
		byBase, err := curve.FromBaseModulus(q)
		require.NoError(t, err)
		byScalar, err := curve.FromScalarModulus(r)
		require.NoError(t, err)
		require.Equal(t, []curve.ID{id, id}, []curve.ID{byBase, byScalar})
		_, err = curve.FromScalarModulus(q[:31])
		require.ErrorIs(t, err, curve.ErrUnknown)
	}
	_, err := curve.Parse("goldilocks")
	require.ErrorIs(t, err, curve.ErrUnknown)
	require.False(t, curve.ID(0).Valid())
	require.Equal(t, "curve(9)", curve.ID(9).String())
}

func TestPointSizes(t *testing.T) {
	require.Equal(t, 64, curve.BN254.PointSize(curve.G1))
	require.Equal(t, 128, curve.BN254.PointSize(curve.G2))
	require.Equal(t, 96, curve.BLS12381.PointSize(curve.G1))
	require.Equal(t, 192, curve.BLS12381.PointSize(curve.G2))
}

func TestLittleEndianRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOfN(rapid.Byte(), 1, 80).Draw(t, "bytes")
		back := make([]byte, len(b))
		curve.PutLittleEndian(back, curve.FromLittleEndian(b))
		require.Equal(t, b, back)
	})
}
