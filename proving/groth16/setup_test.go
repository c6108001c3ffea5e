package groth16_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/engine/gnark"
	"github.com/proofgraph/proofgraph/proving/format/r1cs"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
	"github.com/proofgraph/proofgraph/proving/groth16"
	"github.com/proofgraph/proofgraph/proving/internal/view"
)

// developmentKey makes a key for a circuit from a seed.
func developmentKey(t testing.TB, system []byte) *zkey.Key {
	s, err := r1cs.Parse(ctx, system)
	require.NoError(t, err)
	h, err := groth16.SetupHeader(s)
	require.NoError(t, err)
	var out bytes.Buffer
	memory := view.Allocate(groth16.SetupNeed(h, 2).Scratch)
	require.NoError(t, groth16.SetupFromSeed(ctx, s, &out, 7, memory, 2))
	require.Equal(t, zkey.Size(h, groth16.SetupRecords(s), 68), int64(out.Len()))
	key := developmentKeyOf(t, out.Bytes())
	require.Equal(t, h, key.Header)
	return key
}

func developmentKeyOf(t testing.TB, file []byte) *zkey.Key {
	key, err := zkey.Parse(ctx, file, 2)
	require.NoError(t, err)
	require.True(t, groth16.IsDevelopmentKey(key))
	return key
}

func prove(t testing.TB, e engine.Engine, key *zkey.Key, witness []byte) *groth16.Proof {
	memory := view.Allocate(groth16.ProveNeed(e, key.Header, 2).Scratch)
	proof, err := groth16.Prove(ctx, e, key, witness, memory, 2)
	require.NoError(t, err)
	return proof
}

func TestProofsUnderDevelopmentKeysVerify(t *testing.T) {
	for _, id := range curve.All() {
		for _, constraints := range []int{1, 2, 5, 200, 3000} {
			system, witness := chain(t, id, constraints)
			e, err := gnark.New(id)
			require.NoError(t, err)
			key := developmentKey(t, system)
			vk, err := groth16.ExportVerifyingKey(key)
			require.NoError(t, err)
			public, err := groth16.PublicInputs(key.Header, witness)
			require.NoError(t, err)
			require.NoError(t, groth16.Verify(vk, prove(t, e, key, witness), public), "%s, %d constraints", id, constraints)
			public[0].Add(public[0], public[0]).Mod(public[0], id.ScalarModulus())
			require.ErrorIs(t, groth16.Verify(vk, prove(t, e, key, witness), public), groth16.ErrInvalidProof)
		}
	}
}

func TestSetupIsDeterministicForASeedAndNotOtherwise(t *testing.T) {
	system, _ := chain(t, curve.BN254, 20)
	s, err := r1cs.Parse(ctx, system)
	require.NoError(t, err)
	h, err := groth16.SetupHeader(s)
	require.NoError(t, err)
	memory := view.Allocate(groth16.SetupNeed(h, 2).Scratch)
	var a, b, c bytes.Buffer
	require.NoError(t, groth16.SetupFromSeed(ctx, s, &a, 1, memory, 1))
	require.NoError(t, groth16.SetupFromSeed(ctx, s, &b, 1, memory, 3))
	require.Equal(t, a.Bytes(), b.Bytes())
	var last float64
	require.NoError(t, groth16.Setup(ctx, s, &c, memory, 2, func(share float64) {
		require.GreaterOrEqual(t, share, last)
		last = share
	}))
	require.NotEqual(t, a.Bytes(), c.Bytes())
	require.InDelta(t, 1, last, 1e-9)
}
