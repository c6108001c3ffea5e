package transform_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/proofgraph/proofgraph/proving/engine"
)

type elementwise struct {
	name string
	of   func(e engine.VectorEngine, dst, a, b, c []byte, threads int) error
}

var elementwises = []elementwise{
	{"Mul", func(e engine.VectorEngine, dst, a, b, _ []byte, n int) error { return e.Mul(ctx, dst, a, b, n) }},
	{"Sub", func(e engine.VectorEngine, dst, a, b, _ []byte, n int) error { return e.Sub(ctx, dst, a, b, n) }},
	{"MulSub", func(e engine.VectorEngine, dst, a, b, c []byte, n int) error { return e.MulSub(ctx, dst, a, b, c, n) }},
	{"ToCanonical", func(e engine.VectorEngine, dst, a, _, _ []byte, n int) error { return e.ToCanonical(ctx, dst, a, n) }},
	{"ToMontgomery", func(e engine.VectorEngine, dst, a, _, _ []byte, n int) error { return e.ToMontgomery(ctx, dst, a, n) }},
}

// compareElementwise does an operation on both sides; place tells which operand dst is: 0 none, or a, b, c.
func (p *pair) compareElementwise(t require.TestingT, f elementwise, n, place, threads int, seed uint64, fill string) {
	var v [4]*vector
	for i := range v {
		v[i] = p.vector(n, seed+uint64(i), fills[fill])
	}
	want := make([]byte, 32*n)
	require.NoError(t, f.of(p.gnark, want, slices.Clone(v[1].elements), slices.Clone(v[2].elements), slices.Clone(v[3].elements), 1))
	require.NoError(t, f.of(p.kernels, v[place].elements, v[1].elements, v[2].elements, v[3].elements, threads))
	v[place].check(t, want, f.name)
}

func TestElementwiseOperationsAgreeWithTheOtherEngine(t *testing.T) {
	eachCurve(t, func(t *testing.T, p *pair) {
		for _, f := range elementwises {
			for _, n := range []int{0, 1, 7, 8, 9, 63, 64, 65, 1000, 1<<15 + 3} {
				p.compareElementwise(t, f, n, n%4, 1+n%3, uint64(n), "edges")
			}
			for fill := range fills {
				p.compareElementwise(t, f, 24, 0, 1, 5, fill)
			}
		}
	})
}

func TestAnyElementwiseOperationIsAlike(t *testing.T) {
	eachCurve(t, func(t *testing.T, p *pair) {
		rapid.Check(t, func(t *rapid.T) {
			p.compareElementwise(t, rapid.SampledFrom(elementwises).Draw(t, "operation"), rapid.IntRange(0, 300).Draw(t, "n"),
				rapid.IntRange(0, 3).Draw(t, "place"), rapid.IntRange(0, 3).Draw(t, "threads"), rapid.Uint64().Draw(t, "seed"), "edges")
		})
	})
}

func TestOperandsThatDoNotAgree(t *testing.T) {
	eachCurve(t, func(t *testing.T, p *pair) {
		v, w := make([]byte, 64), make([]byte, 32)
		require.ErrorIs(t, p.kernels.Mul(ctx, v, v, w, 1), engine.ErrOperand)
		require.ErrorIs(t, p.kernels.MulSub(ctx, v, v, v, w, 1), engine.ErrOperand)
		require.ErrorIs(t, p.kernels.Sub(ctx, w, v, v, 1), engine.ErrOperand)
		require.ErrorIs(t, p.kernels.ToCanonical(ctx, v[:33], v[:33], 1), engine.ErrOperand)
		require.ErrorIs(t, p.kernels.ToMontgomery(ctx, v[4:36], v[:32], 1), engine.ErrOperand)
	})
}
