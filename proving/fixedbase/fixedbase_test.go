package fixedbase_test

import (
	"context"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/fixedbase"
	"github.com/proofgraph/proofgraph/proving/internal/view"
	"github.com/proofgraph/proofgraph/proving/pairing"
)

var ctx = context.Background()

func TestTableMultiplies(t *testing.T) {
	for _, id := range curve.All() {
		suite, err := pairing.Of(id)
		require.NoError(t, err)
		r := id.ScalarModulus()
		edges := []*big.Int{
			big.NewInt(0), big.NewInt(1), big.NewInt(2), new(big.Int).Lsh(big.NewInt(1), 64),
			new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 65), big.NewInt(1)), new(big.Int).Sub(r, big.NewInt(1)),
		}
		rng := rand.New(rand.NewPCG(1, 2))
		for range 20 {
			x := new(big.Int).SetUint64(rng.Uint64())
			edges = append(edges, x.Exp(x, big.NewInt(5), r))
		}
		scalars := view.Allocate(int64(32 * len(edges)))
		for i, x := range edges {
			curve.PutLittleEndian(scalars[32*i:][:32], x)
		}
		for _, g := range []curve.Group{curve.G1, curve.G2} {
			base := suite.Multiply(g, suite.Generator(g), big.NewInt(77))
			for _, n := range []int{1, 100, 3000} { // tables of several widths
				table, err := fixedbase.New(ctx, id, g, base, n, 2)
				require.NoError(t, err)
				points := view.Allocate(int64(len(edges) * id.PointSize(g)))
				require.NoError(t, table.Multiply(ctx, points, scalars, 2))
				for i, x := range edges {
					require.Equal(t, suite.Multiply(g, base, x), points[i*id.PointSize(g):][:id.PointSize(g)], "%s %s %s", id, g, x)
				}
			}
		}
	}
}

func TestOperandsThatDoNotFit(t *testing.T) {
	suite, err := pairing.Of(curve.BN254)
	require.NoError(t, err)
	table, err := fixedbase.New(ctx, curve.BN254, curve.G1, suite.Generator(curve.G1), 1, 1)
	require.NoError(t, err)
	require.ErrorIs(t, table.Multiply(ctx, view.Allocate(64), view.Allocate(64), 1), fixedbase.ErrOperand)
	require.ErrorIs(t, table.Multiply(ctx, view.Allocate(63), view.Allocate(32), 1), fixedbase.ErrOperand)
	require.ErrorIs(t, table.Multiply(ctx, view.Allocate(68)[4:], view.Allocate(32), 1), fixedbase.ErrOperand)
	_, err = fixedbase.New(ctx, 0, curve.G1, nil, 1, 1)
	require.ErrorIs(t, err, curve.ErrUnknown)
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	_, err = fixedbase.New(cancelled, curve.BN254, curve.G1, suite.Generator(curve.G1), 1, 1)
	require.ErrorIs(t, err, context.Canceled)
}
