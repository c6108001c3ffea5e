package groth16

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
	"github.com/proofgraph/proofgraph/proving/pairing"
)

// ErrInvalidProof is wrapped when a proof does not prove its public inputs: the equation does not hold, or a
// point of the proof is none.
var ErrInvalidProof = errors.New("proof is not valid")

// ErrPublicInput is wrapped when public inputs are too few, too many or out of range.
var ErrPublicInput = errors.New("bad public input")

// ErrVerifyingKey is wrapped when a verifying key holds something that is no point.
var ErrVerifyingKey = errors.New("bad verifying key")

// Verify says whether a proof proves its public inputs under a key. Every point is checked for range, curve and
// subgroup, and every input for range, before the pairings:
//
//	e(A, B) = e(α, β) · e(Σ public·IC, γ) · e(C, δ)
func Verify(key *VerifyingKey, proof *Proof, public []*big.Int) error {
	suite, err := pairing.Of(key.Curve)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrVerifyingKey, err)
	}
	if proof.Curve != key.Curve {
		return fmt.Errorf("%w: it is over %s and the key over %s", ErrInvalidProof, proof.Curve, key.Curve)
	}
	if err := checkPublic(key, public); err != nil {
		return err
	}
	if err := key.Check(); err != nil {
		return err
	}
	if err := proof.Check(); err != nil {
		return err
	}
	holds, err := suite.ProductIsOne(
		[][]byte{suite.Negate(curve.G1, proof.A), key.Alpha1, publicPoint(suite, key, public), proof.C},
		[][]byte{proof.B, key.Beta2, key.Gamma2, key.Delta2})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrInvalidProof, err)
	}
	if !holds {
		return fmt.Errorf("%w: the pairing equation does not hold", ErrInvalidProof)
	}
	return nil
}

func checkPublic(key *VerifyingKey, public []*big.Int) error {
	if len(public) != key.NPublic() {
		return fmt.Errorf("%w: the key wants %d, there are %d", ErrPublicInput, key.NPublic(), len(public))
	}
	r := key.Curve.ScalarModulus()
	for i, x := range public {
		if x.Sign() < 0 || x.Cmp(r) >= 0 {
			return fmt.Errorf("%w: number %d is not in the range of the scalar field of %s", ErrPublicInput, i+1, key.Curve)
		}
	}
	return nil
}

// publicPoint is IC[0] + Σ public[i]·IC[i+1].
func publicPoint(suite *pairing.Suite, key *VerifyingKey, public []*big.Int) []byte {
	sum := key.IC[0]
	for i, x := range public {
		sum = suite.Add(curve.G1, sum, suite.Multiply(curve.G1, key.IC[i+1], x))
	}
	return sum
}

// namedPoint is a point and what to call it when it is wrong.
type namedPoint struct {
	name  string
	group curve.Group
	point []byte
}

func checkPoints(id curve.ID, points []namedPoint) error {
	suite, err := pairing.Of(id)
	if err != nil {
		return err
	}
	for _, p := range points {
		if err := suite.CheckPoint(p.group, p.point); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}

// Check says whether the points of a proof are points of their groups; otherwise the error wraps ErrInvalidProof.
func (p *Proof) Check() error {
	err := checkPoints(p.Curve, []namedPoint{{"A", curve.G1, p.A}, {"B", curve.G2, p.B}, {"C", curve.G1, p.C}})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrInvalidProof, err)
	}
	return nil
}

// Check says whether the points of a key are points of their groups, and none at infinity that would make it accept
// anything; otherwise the error wraps ErrVerifyingKey.
func (k *VerifyingKey) Check() error {
	if len(k.IC) == 0 {
		return fmt.Errorf("%w: it has no IC points", ErrVerifyingKey)
	}
	fixed := []namedPoint{
		{"alpha", curve.G1, k.Alpha1}, {"beta", curve.G2, k.Beta2},
		{"gamma", curve.G2, k.Gamma2}, {"delta", curve.G2, k.Delta2},
	}
	for _, p := range fixed {
		if pairing.IsInfinity(p.point) {
			return fmt.Errorf("%w: %s: %w", ErrVerifyingKey, p.name, pairing.ErrInfinity)
		}
	}
	all := fixed
	for i, p := range k.IC {
		all = append(all, namedPoint{fmt.Sprintf("IC[%d]", i), curve.G1, p})
	}
	if err := checkPoints(k.Curve, all); err != nil {
		return fmt.Errorf("%w: %w", ErrVerifyingKey, err)
	}
	return nil
}

// ExportVerifyingKey is the verifying key inside a proving key, its points checked and copied.
func ExportVerifyingKey(key *zkey.Key) (*VerifyingKey, error) {
	if err := CheckPublic(key.NPublic); err != nil {
		return nil, err
	}
	clone := func(b []byte) []byte { return append([]byte(nil), b...) }
	vk := &VerifyingKey{
		Curve: key.Curve, Alpha1: clone(key.Alpha1),
		Beta2: clone(key.Beta2), Gamma2: clone(key.Gamma2), Delta2: clone(key.Delta2),
	}
	size := key.Curve.PointSize(curve.G1)
	for i := range key.NPublic + 1 {
		vk.IC = append(vk.IC, clone(key.IC[i*size:][:size]))
	}
	return vk, vk.Check()
}

// PublicInputs are the public values of a witness: those after the constant wire.
func PublicInputs(h zkey.Header, witness []byte) ([]*big.Int, error) {
	if err := CheckWitness(h, h.Curve, witness); err != nil {
		return nil, err
	}
	if err := CheckPublic(h.NPublic); err != nil {
		return nil, err
	}
	public := make([]*big.Int, h.NPublic)
	for i := range public {
		public[i] = curve.FromLittleEndian(witness[(i+1)*curve.ScalarSize:][:curve.ScalarSize])
	}
	return public, nil
}
