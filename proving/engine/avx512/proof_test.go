package avx512_test

import (
	"bytes"
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/circuits"
	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/format/r1cs"
	"github.com/proofgraph/proofgraph/proving/format/wtns"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
	"github.com/proofgraph/proofgraph/proving/groth16"
	"github.com/proofgraph/proofgraph/proving/internal/view"
)

// statement is a circuit's development key and a witness for it.
func statement(t *testing.T, id curve.ID, kind circuits.Kind, constraints int) (*zkey.Key, []byte) {
	spec := circuits.Spec{
		Kind: kind, Constraints: constraints,
		Curve: map[curve.ID]ecc.ID{curve.BN254: ecc.BN254, curve.BLS12381: ecc.BLS12_381}[id],
	}
	var system, witness, file bytes.Buffer
	require.NoError(t, spec.WriteR1CS(&system))
	require.NoError(t, spec.WriteWitness(&witness, 1))
	s, err := r1cs.Parse(ctx, system.Bytes())
	require.NoError(t, err)
	h, err := groth16.SetupHeader(s)
	require.NoError(t, err)
	require.NoError(t, groth16.Setup(ctx, s, &file, view.Allocate(groth16.SetupNeed(h, 2).Scratch), 2, nil))
	key, err := zkey.Parse(ctx, file.Bytes(), 2)
	require.NoError(t, err)
	w, err := wtns.Parse(witness.Bytes())
	require.NoError(t, err)
	return key, w.Values
}

func quotient(t *testing.T, e engine.Engine, key *zkey.Key, witness []byte) []byte {
	n := groth16.VectorSize(key.Header)
	a, b, c := view.Allocate(n), view.Allocate(n), view.Allocate(n)
	require.NoError(t, groth16.Synthesize(ctx, e, key, engine.Evaluations{A: a, B: b, C: c}, witness, 2))
	require.NoError(t, groth16.Quotient(ctx, e, a, b, c, nil, 2))
	return a
}

func TestProofsHaveTheQuotientOfTheOtherEngineAndVerify(t *testing.T) {
	eachCurve(t, func(t *testing.T, e, other engine.Engine) {
		for kind, sizes := range map[circuits.Kind][]int{circuits.Product: {20, 62, 300, 2000}, circuits.Poseidon: {1100}} {
			for _, constraints := range sizes {
				key, witness := statement(t, e.Curve(), kind, constraints)
				require.Equal(t, quotient(t, other, key, witness), quotient(t, e, key, witness), "%s of %d", kind, constraints)
				memory := view.Allocate(groth16.ProveNeed(e, key.Header, 2).Scratch)
				proof, err := groth16.Prove(ctx, e, key, witness, memory, 2)
				require.NoError(t, err)
				vk, err := groth16.ExportVerifyingKey(key)
				require.NoError(t, err)
				public, err := groth16.PublicInputs(key.Header, witness)
				require.NoError(t, err)
				require.NoError(t, groth16.Verify(vk, proof, public))
			}
		}
	})
}
