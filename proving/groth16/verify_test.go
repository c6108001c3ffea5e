package groth16_test

import (
	"bytes"
	"math/big"
	"slices"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381"
	blsfp "github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/format/snarkjson"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
	"github.com/proofgraph/proofgraph/proving/groth16"
	"github.com/proofgraph/proofgraph/proving/internal/view"
	"github.com/proofgraph/proofgraph/proving/pairing"
)

// outsideG2 is a point on the twist that is not in the subgroup.
func outsideG2(id curve.ID) []byte {
	if id == curve.BN254 {
		var x bn254.E2
		x.A0.SetUint64(7)
		jac := bn254.GeneratePointNotInG2(x)
		return slices.Clone(view.One(new(bn254.G2Affine).FromJacobian(&jac)))
	}
	var x bls12381.E2
	x.A0.SetUint64(7)
	jac := bls12381.GeneratePointNotInG2(x)
	return slices.Clone(view.One(new(bls12381.G2Affine).FromJacobian(&jac)))
}

func TestProofsThatAreWrongInOnePoint(t *testing.T) {
	eachGolden(t, func(t *testing.T, g *golden) {
		vk, proof := g.verifyingKey(), g.prove()
		public, err := groth16.PublicInputs(g.key.Header, g.witness.Values)
		require.NoError(t, err)
		require.NoError(t, groth16.Verify(vk, proof, public))
		suite, err := pairing.Of(g.id)
		require.NoError(t, err)
		beyond := func(p []byte) []byte {
			b := slices.Clone(p)
			for i := range g.id.BaseSize() {
				b[i] = 0xff
			}
			return b
		}
		moved := func(p []byte) []byte {
			b := slices.Clone(p)
			b[0] ^= 1
			return b
		}
		for _, test := range []struct {
			name   string
			change func(p *groth16.Proof)
			why    error
		}{
			{"A off the curve", func(p *groth16.Proof) { p.A = moved(p.A) }, pairing.ErrNotCurve},
			{"B off the curve", func(p *groth16.Proof) { p.B = moved(p.B) }, pairing.ErrNotCurve},
			{"C off the curve", func(p *groth16.Proof) { p.C = moved(p.C) }, pairing.ErrNotCurve},
			{"A out of range", func(p *groth16.Proof) { p.A = beyond(p.A) }, pairing.ErrRange},
			{"B out of range", func(p *groth16.Proof) { p.B = beyond(p.B) }, pairing.ErrRange},
			{"B outside the subgroup", func(p *groth16.Proof) { p.B = outsideG2(g.id) }, pairing.ErrSubgroup},
			{"A at infinity", func(p *groth16.Proof) { p.A = make([]byte, len(p.A)) }, nil},
			{"A and B at infinity", func(p *groth16.Proof) { p.A, p.B = make([]byte, len(p.A)), make([]byte, len(p.B)) }, nil},
			{"A negated", func(p *groth16.Proof) { p.A = suite.Negate(curve.G1, p.A) }, nil},
			{"A in the place of C", func(p *groth16.Proof) { p.C = p.A }, nil},
			{"A cut short", func(p *groth16.Proof) { p.A = p.A[1:] }, nil},
			{"nothing", func(p *groth16.Proof) { *p = groth16.Proof{Curve: p.Curve} }, nil},
			{"another curve", func(p *groth16.Proof) { p.Curve = 3 - p.Curve }, nil},
		} {
			t.Run(test.name, func(t *testing.T) {
				wrong := *proof
				test.change(&wrong)
				err := groth16.Verify(vk, &wrong, public)
				require.ErrorIs(t, err, groth16.ErrInvalidProof)
				if test.why != nil {
					require.ErrorIs(t, err, test.why)
				}
			})
		}
	})
}

// BN254's G1 has no cofactor; BLS12-381's has.
func TestPointOfBLS12381OutsideG1(t *testing.T) {
	eachGolden(t, func(t *testing.T, g *golden) {
		if g.id != curve.BLS12381 {
			return
		}
		var x blsfp.Element
		x.SetUint64(7)
		jac := bls12381.GeneratePointNotInG1(x)
		proof := g.prove()
		proof.C = slices.Clone(view.One(new(bls12381.G1Affine).FromJacobian(&jac)))
		public, err := groth16.PublicInputs(g.key.Header, g.witness.Values)
		require.NoError(t, err)
		require.ErrorIs(t, groth16.Verify(g.verifyingKey(), proof, public), pairing.ErrSubgroup)
	})
}

func TestPublicInputsThatAreWrong(t *testing.T) {
	eachGolden(t, func(t *testing.T, g *golden) {
		vk, proof := g.verifyingKey(), g.prove()
		good, err := groth16.PublicInputs(g.key.Header, g.witness.Values)
		require.NoError(t, err)
		with := func(i int, x *big.Int) []*big.Int {
			list := slices.Clone(good)
			list[i] = x
			return list
		}
		r := g.id.ScalarModulus()
		require.ErrorIs(t, groth16.Verify(vk, proof, with(0, r)), groth16.ErrPublicInput)
		// The same residue written otherwise must not pass: it would be a second public input for one proof.
		require.ErrorIs(t, groth16.Verify(vk, proof, with(1, new(big.Int).Add(good[1], r))), groth16.ErrPublicInput)
		require.ErrorIs(t, groth16.Verify(vk, proof, with(2, big.NewInt(-1))), groth16.ErrPublicInput)
		require.ErrorIs(t, groth16.Verify(vk, proof, good[:2]), groth16.ErrPublicInput)
		require.ErrorIs(t, groth16.Verify(vk, proof, append(good, good...)), groth16.ErrPublicInput)
		require.ErrorIs(t, groth16.Verify(vk, proof, with(0, new(big.Int).Add(good[0], big.NewInt(1)))), groth16.ErrInvalidProof)
	})
}

func TestVerifyingKeysThatAreWrong(t *testing.T) {
	eachGolden(t, func(t *testing.T, g *golden) {
		proof := g.prove()
		public, err := groth16.PublicInputs(g.key.Header, g.witness.Values)
		require.NoError(t, err)
		for name, change := range map[string]func(k *groth16.VerifyingKey){
			"delta at infinity":          func(k *groth16.VerifyingKey) { k.Delta2 = make([]byte, len(k.Delta2)) },
			"gamma outside the subgroup": func(k *groth16.VerifyingKey) { k.Gamma2 = outsideG2(g.id) },
			"IC off the curve":           func(k *groth16.VerifyingKey) { k.IC[2] = bytes.Repeat([]byte{1}, len(k.IC[2])) },
			"alpha missing":              func(k *groth16.VerifyingKey) { k.Alpha1 = nil },
		} {
			vk := g.verifyingKey()
			change(vk)
			require.ErrorIs(t, groth16.Verify(vk, proof, public), groth16.ErrVerifyingKey, name)
		}
		require.Error(t, groth16.Verify(&groth16.VerifyingKey{}, proof, public))
	})
}

func TestCheckKeyFindsTheBadPoint(t *testing.T) {
	eachGolden(t, func(t *testing.T, g *golden) {
		for _, test := range []struct {
			says   string
			change func()
		}{
			{"point 17 of query a:", func() { g.key.A = slices.Clone(g.key.A); g.key.A[17*g.id.PointSize(curve.G1)] ^= 1 }},
			{"point 3 of query b_g2:", func() {
				g.key.B2 = slices.Clone(g.key.B2)
				copy(g.key.B2[3*g.id.PointSize(curve.G2):], outsideG2(g.id))
			}},
			{"delta is not the same in both groups", func() { g.key.Delta1 = g.key.Alpha1 }},
			{"beta is not the same in both groups", func() { g.key.Beta1 = make([]byte, len(g.key.Beta1)) }},
			{"delta in G1", func() { g.key.Delta1 = bytes.Repeat([]byte{1}, len(g.key.Delta1)) }},
		} {
			before := *g.key
			test.change()
			err := groth16.CheckKey(ctx, g.key, 2, nil)
			require.ErrorIs(t, err, groth16.ErrProvingKey)
			require.ErrorContains(t, err, test.says)
			*g.key = before
		}
	})
}

func TestProofSurvivesItsJSON(t *testing.T) {
	eachGolden(t, func(t *testing.T, g *golden) {
		proof := g.prove()
		var out bytes.Buffer
		require.NoError(t, snarkjson.WriteProof(&out, proof))
		back, err := snarkjson.ReadProof(out.Bytes())
		require.NoError(t, err)
		require.Equal(t, proof, back)
	})
}

// A key whose public inputs would take memory without end is refused before any of it is taken.
func TestCircuitsOfTooManyPublicInputs(t *testing.T) {
	h := zkey.Header{Curve: curve.BN254, NVars: groth16.MostPublic + 2, NPublic: groth16.MostPublic + 1, DomainSize: 1}
	_, err := groth16.ExportVerifyingKey(&zkey.Key{Header: h})
	require.ErrorIs(t, err, groth16.ErrPublicInput)
	_, err = groth16.PublicInputs(h, make([]byte, 32*h.NVars))
	require.ErrorIs(t, err, groth16.ErrPublicInput)
	require.ErrorContains(t, err, "the circuit has 65537, and at most 65536 are taken")
	require.NoError(t, groth16.CheckPublic(groth16.MostPublic))
}
