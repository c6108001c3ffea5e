package groth16_test

import (
	"context"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/groth16"
	"github.com/proofgraph/proofgraph/proving/internal/view"
)

// quotient computes h the plain way.
func (g *golden) quotient() []byte {
	n := groth16.VectorSize(g.key.Header)
	a, b, c := view.Allocate(n), view.Allocate(n), view.Allocate(n)
	require.NoError(g.t, groth16.Synthesize(ctx, g.engine, g.key, engine.Evaluations{A: a, B: b, C: c}, g.witness.Values, 1))
	require.NoError(g.t, groth16.Quotient(ctx, g.engine, a, b, c, nil, 2))
	return a
}

func (g *golden) sum(q groth16.Query, s groth16.Slice, vector []byte) []byte {
	out := make([]byte, g.id.PointSize(q.Group()))
	scratch := view.Allocate(groth16.SumNeed(g.engine, q, s.Count, 2).Scratch)
	require.NoError(g.t, groth16.Sum(ctx, g.engine, g.key, q, s, out, vector, scratch, 2))
	return out
}

func (g *golden) vector(q groth16.Query, h []byte) []byte {
	if q == groth16.QueryH {
		return h
	}
	return g.witness.Values
}

func TestTwoVectorsGiveTheQuotientOfThree(t *testing.T) {
	eachGolden(t, func(t *testing.T, g *golden) {
		n := groth16.VectorSize(g.key.Header)
		x, y := view.Allocate(n), view.Allocate(n)
		require.NoError(t, groth16.QuotientOfWitness(ctx, g.engine, g.key, g.witness.Values, x, y, nil, 1))
		require.Equal(t, g.quotient(), x)
	})
}

func TestRowsMayBeSynthesizedInSlices(t *testing.T) {
	eachGolden(t, func(t *testing.T, g *golden) {
		n := int(groth16.VectorSize(g.key.Header))
		whole := engine.Evaluations{A: view.Allocate(int64(n)), B: view.Allocate(int64(n)), C: view.Allocate(int64(n))}
		require.NoError(t, groth16.Synthesize(ctx, g.engine, g.key, whole, g.witness.Values, 2))
		rapid.Check(t, func(t *rapid.T) {
			first := rapid.IntRange(0, g.key.DomainSize-1).Draw(t, "first")
			count := rapid.IntRange(1, g.key.DomainSize-first).Draw(t, "count")
			a, c := view.Allocate(int64(32*count)), view.Allocate(int64(32*count))
			part := engine.Evaluations{First: first, A: a, C: c}
			require.NoError(t, groth16.Synthesize(ctx, g.engine, g.key, part, g.witness.Values, 1))
			require.Equal(t, whole.A[32*first:32*(first+count)], a)
			require.Equal(t, whole.C[32*first:32*(first+count)], c)
		})
	})
}

func TestQueriesMayBeSummedInSlices(t *testing.T) {
	eachGolden(t, func(t *testing.T, g *golden) {
		h := g.quotient()
		for _, q := range groth16.Queries() {
			want := g.sum(q, q.Whole(g.key.Header), g.vector(q, h))
			for _, size := range []int{1, 7, 30, 100} {
				var total []byte
				for _, s := range q.Slices(g.key.Header, size) {
					part := g.sum(q, s, g.vector(q, h))
					if total == nil {
						total = part
						continue
					}
					var err error
					total, err = q.Add(g.id, total, part)
					require.NoError(t, err)
				}
				require.Equal(t, want, total, "query %s in slices of %d", q, size)
			}
		}
	})
}

func TestSlicesCoverAQueryOnce(t *testing.T) {
	eachGolden(t, func(t *testing.T, g *golden) {
		rapid.Check(t, func(t *rapid.T) {
			q := rapid.SampledFrom(groth16.Queries()).Draw(t, "query")
			next := 0
			for _, s := range q.Slices(g.key.Header, rapid.IntRange(1, 50).Draw(t, "size")) {
				require.Equal(t, next, s.First)
				next += s.Count
			}
			require.Equal(t, q.Terms(g.key.Header), next)
		})
	})
}

// Two proofs of one witness must share nothing, or they could be linked; blinded alike, they are alike.
func TestBlindingMakesTheProof(t *testing.T) {
	eachGolden(t, func(t *testing.T, g *golden) {
		h := g.quotient()
		var sums groth16.Sums
		for _, q := range groth16.Queries() {
			sums[q] = g.sum(q, q.Whole(g.key.Header), g.vector(q, h))
		}
		first, err := groth16.Assemble(g.key, sums)
		require.NoError(t, err)
		second, err := groth16.Assemble(g.key, sums)
		require.NoError(t, err)
		require.NotEqual(t, first.A, second.A)
		require.NotEqual(t, first.B, second.B)
		require.NotEqual(t, first.C, second.C)
		public, err := groth16.PublicInputs(g.key.Header, g.witness.Values)
		require.NoError(t, err)
		for _, blinding := range []int64{0, 1, 12345} {
			one, err := groth16.AssembleBlinded(g.key, sums, groth16.Blinding{R: big.NewInt(blinding), S: big.NewInt(blinding + 1)})
			require.NoError(t, err)
			two, err := groth16.AssembleBlinded(g.key, sums, groth16.Blinding{R: big.NewInt(blinding), S: big.NewInt(blinding + 1)})
			require.NoError(t, err)
			require.Equal(t, one, two)
			require.NoError(t, groth16.Verify(g.verifyingKey(), one, public))
		}
		_, err = groth16.Assemble(g.key, groth16.Sums{})
		require.Error(t, err)
	})
}

func TestOperandsThatDoNotFit(t *testing.T) {
	eachGolden(t, func(t *testing.T, g *golden) {
		n := int(groth16.VectorSize(g.key.Header))
		v, w := view.Allocate(int64(n)), g.witness.Values
		synthesize := func(dst engine.Evaluations, witness []byte) error {
			return groth16.Synthesize(ctx, g.engine, g.key, dst, witness, 1)
		}
		require.ErrorIs(t, synthesize(engine.Evaluations{A: v}, w[32:]), groth16.ErrWitness)
		require.ErrorIs(t, synthesize(engine.Evaluations{A: v}, append(slices.Clone(w), w...)), groth16.ErrWitness)
		require.ErrorIs(t, synthesize(engine.Evaluations{A: v, First: 1}, w), engine.ErrOperand)
		require.ErrorIs(t, synthesize(engine.Evaluations{A: v, First: -1}, w), engine.ErrOperand)
		require.ErrorIs(t, synthesize(engine.Evaluations{A: v, B: v[32:]}, w), engine.ErrOperand)
		require.ErrorIs(t, synthesize(engine.Evaluations{A: v[:31]}, w), engine.ErrOperand)
		sum := func(s groth16.Slice, vector []byte) error {
			scratch := view.Allocate(groth16.SumNeed(g.engine, groth16.QueryA, 30, 1).Scratch)
			return groth16.Sum(ctx, g.engine, g.key, groth16.QueryA, s, make([]byte, g.id.PointSize(curve.G1)), vector, scratch, 1)
		}
		require.NoError(t, sum(groth16.Slice{First: 29, Count: 1}, w))
		require.ErrorIs(t, sum(groth16.Slice{First: 29, Count: 2}, w), engine.ErrOperand)
		require.ErrorIs(t, sum(groth16.Slice{First: -1, Count: 2}, w), engine.ErrOperand)
		require.ErrorIs(t, sum(groth16.Slice{Count: 30}, w[32:]), engine.ErrOperand)
		_, err := groth16.Prove(ctx, g.engine, g.key, w, v, 1)
		require.ErrorIs(t, err, engine.ErrOperand)
		require.ErrorIs(t, groth16.CheckWitness(g.key.Header, 3-g.id, w), groth16.ErrWitness)
	})
}

func TestCancelledProofSaysSo(t *testing.T) {
	eachGolden(t, func(t *testing.T, g *golden) {
		cancelled, cancel := context.WithCancel(ctx)
		cancel()
		memory := view.Allocate(groth16.ProveNeed(g.engine, g.key.Header, 1).Scratch)
		_, err := groth16.Prove(cancelled, g.engine, g.key, g.witness.Values, memory, 1)
		require.ErrorIs(t, err, context.Canceled)
	})
}

func TestQueriesHaveNames(t *testing.T) {
	for _, q := range groth16.Queries() {
		parsed, err := groth16.ParseQuery(q.String())
		require.NoError(t, err)
		require.Equal(t, q, parsed)
	}
	_, err := groth16.ParseQuery("b_g3")
	require.ErrorIs(t, err, groth16.ErrUnknownQuery)
}
