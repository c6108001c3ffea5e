package groth16_test

import (
	"bytes"
	"context"
	"io"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/format/r1cs"
	"github.com/proofgraph/proofgraph/proving/groth16"
)

func TestFirstUnsatisfied(t *testing.T) {
	for _, id := range curve.All() {
		system, witness := chain(t, id, 100)
		s, err := r1cs.Parse(ctx, system)
		require.NoError(t, err)
		u, err := groth16.FirstUnsatisfied(ctx, s, witness)
		require.NoError(t, err)
		require.Nil(t, u)

		broken := slices.Clone(witness)
		copy(broken[32*50:], canonical(id, big.NewInt(77))) // x[47], the result of constraint 46
		u, err = groth16.FirstUnsatisfied(ctx, s, broken)
		require.NoError(t, err)
		require.Equal(t, 46, u.Constraint)
		require.Equal(t, big.NewInt(77), u.C)
		require.Equal(t, 50, u.Terms[2][0].Wire)
		require.Contains(t, u.String(), "constraint 46 is not satisfied")
		require.Contains(t, u.String(), "1·w50 (w50 = 77)")

		_, err = groth16.FirstUnsatisfied(ctx, s, witness[32:])
		require.ErrorIs(t, err, groth16.ErrWitness)
	}
}

func TestGoldenWitnessSatisfiesItsCircuit(t *testing.T) {
	eachGolden(t, func(t *testing.T, g *golden) {
		s, err := r1cs.Open(ctx, g.path("cells.r1cs"))
		require.NoError(t, err)
		defer s.Close()
		u, err := groth16.FirstUnsatisfied(ctx, s, g.witness.Values)
		require.NoError(t, err)
		require.Nil(t, u)
	})
}

func TestCheckKeyAcceptsKeysOfSnarkjsAndOfSetup(t *testing.T) {
	eachGolden(t, func(t *testing.T, g *golden) {
		all := 0
		require.NoError(t, groth16.CheckKey(ctx, g.key, 1, func(done, of int) { all = of - done }))
		require.Zero(t, all)
		system, _ := chain(t, g.id, 50)
		require.NoError(t, groth16.CheckKey(ctx, developmentKey(t, system), 2, nil))
		cancelled, cancel := context.WithCancel(ctx)
		cancel()
		require.ErrorIs(t, groth16.CheckKey(cancelled, g.key, 1, nil), context.Canceled)
	})
}

// A constraint of very many terms is told by a few of them.
func TestUnsatisfiedConstraintsOfManyTermsAreToldInShort(t *testing.T) {
	const terms = 10_000
	wires, coefficients := make([]int, terms), make([][]byte, terms)
	for i := range coefficients {
		coefficients[i] = canonical(curve.BN254, big.NewInt(1))
	}
	var constraint []byte
	for range 3 {
		constraint = r1cs.Append(constraint, wires, coefficients)
	}
	var file bytes.Buffer
	h := r1cs.Header{Curve: curve.BN254, Wires: 1, Constraints: 1}
	write := func(to io.Writer) error { _, err := to.Write(constraint); return err }
	require.NoError(t, r1cs.Write(&file, h, int64(len(constraint)), write))
	s, err := r1cs.Parse(ctx, file.Bytes())
	require.NoError(t, err)
	u, err := groth16.FirstUnsatisfied(ctx, s, canonical(curve.BN254, big.NewInt(1)))
	require.NoError(t, err)
	require.Len(t, u.Terms[0], 8)
	require.Contains(t, u.String(), "9992 more] = 10000")
}
