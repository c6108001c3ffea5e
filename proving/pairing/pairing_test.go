package pairing_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/pairing"
)

func eachGroup(t *testing.T, test func(t *testing.T, s *pairing.Suite, g curve.Group)) {
	for _, id := range curve.All() {
		for _, g := range []curve.Group{curve.G1, curve.G2} {
			t.Run(id.String()+"/"+g.String(), func(t *testing.T) {
				s, err := pairing.Of(id)
				require.NoError(t, err)
				test(t, s, g)
			})
		}
	}
}

func TestGroupLaws(t *testing.T) {
	eachGroup(t, func(t *testing.T, s *pairing.Suite, g curve.Group) {
		p := s.Generator(g)
		infinity := make([]byte, len(p))
		require.NoError(t, s.CheckPoint(g, p))
		require.NoError(t, s.CheckPoint(g, infinity))
		require.Equal(t, p, s.Add(g, p, infinity))
		require.True(t, pairing.IsInfinity(s.Add(g, p, s.Negate(g, p))))
		require.True(t, pairing.IsInfinity(s.Multiply(g, p, s.Curve().ScalarModulus())))
		require.Equal(t, s.Add(g, p, p), s.Multiply(g, p, big.NewInt(2)))
		rapid.Check(t, func(t *rapid.T) {
			a, b := rapid.Int64().Draw(t, "a"), rapid.Int64().Draw(t, "b")
			sum := new(big.Int).Add(big.NewInt(a), big.NewInt(b))
			require.Equal(t, s.Multiply(g, p, sum), s.Add(g, s.Multiply(g, p, big.NewInt(a)), s.Multiply(g, p, big.NewInt(b))))
		})
	})
}

func TestCoordinatesRoundTrip(t *testing.T) {
	eachGroup(t, func(t *testing.T, s *pairing.Suite, g curve.Group) {
		for k := range int64(5) {
			p := s.Multiply(g, s.Generator(g), big.NewInt(k))
			back, err := s.Point(g, s.Coordinates(p))
			require.NoError(t, err)
			require.Equal(t, p, back)
		}
		c := s.Coordinates(s.Generator(g))
		_, err := s.Point(g, c[1:])
		require.Error(t, err)
		c[0].Add(c[0], s.Curve().BaseModulus())
		_, err = s.Point(g, c)
		require.ErrorIs(t, err, pairing.ErrRange)
	})
}

func TestPairingIsBilinear(t *testing.T) {
	for _, id := range curve.All() {
		s, err := pairing.Of(id)
		require.NoError(t, err)
		p, q := s.Generator(curve.G1), s.Generator(curve.G2)
		left, err := s.Pair(s.Multiply(curve.G1, p, big.NewInt(6)), q)
		require.NoError(t, err)
		right, err := s.Pair(s.Multiply(curve.G1, p, big.NewInt(2)), s.Multiply(curve.G2, q, big.NewInt(3)))
		require.NoError(t, err)
		require.Equal(t, left, right)
		one, err := s.ProductIsOne([][]byte{p, s.Negate(curve.G1, p)}, [][]byte{q, q})
		require.NoError(t, err)
		require.True(t, one)
		one, err = s.ProductIsOne([][]byte{p, p}, [][]byte{q, q})
		require.NoError(t, err)
		require.False(t, one)
	}
	_, err := pairing.Of(0)
	require.ErrorIs(t, err, curve.ErrUnknown)
}
