package groth16

import (
	"crypto/rand"
	"fmt"
	"math/big"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
	"github.com/proofgraph/proofgraph/proving/pairing"
)

// Sums are the results of the five queries, affine points by Query.
type Sums [5][]byte

// Add is the sum of two partial sums of a query.
func (q Query) Add(id curve.ID, a, b []byte) ([]byte, error) {
	suite, err := pairing.Of(id)
	if err != nil {
		return nil, err
	}
	return suite.Add(q.Group(), a, b), nil
}

// Blinding is the two scalars that make a proof tell nothing of its witness. They must be secret, uniform and used once:
// whoever knows them, or two proofs of one blinding, can compare witnesses.
type Blinding struct{ R, S *big.Int }

// drawBlinding draws scalars from crypto/rand.
func drawBlinding(id curve.ID) (b Blinding, err error) {
	for _, into := range []**big.Int{&b.R, &b.S} {
		if *into, err = rand.Int(rand.Reader, id.ScalarModulus()); err != nil {
			return b, fmt.Errorf("blinding: %w", err)
		}
	}
	return b, nil
}

// Assemble makes the proof of the sums, blinded with two scalars from crypto/rand.
func Assemble(key *zkey.Key, sums Sums) (*Proof, error) {
	blinding, err := drawBlinding(key.Curve)
	if err != nil {
		return nil, err
	}
	return AssembleBlinded(key, sums, blinding)
}

// AssembleBlinded makes the proof of the sums with a given blinding, for tests that compare the bytes of proofs:
//
//	A = α + Σa + r·δ    B = β + Σb + s·δ    C = Σl + Σh + s·A + r·B − rs·δ
func AssembleBlinded(key *zkey.Key, sums Sums, blinding Blinding) (*Proof, error) {
	suite, err := pairing.Of(key.Curve)
	if err != nil {
		return nil, err
	}
	for _, q := range Queries() {
		if len(sums[q]) != key.Curve.PointSize(q.Group()) {
			return nil, fmt.Errorf("the sum of query %s has %d bytes", q, len(sums[q]))
		}
	}
	r, s := blinding.R, blinding.S
	g1 := adder{suite, curve.G1}
	a := g1.total(key.Alpha1, sums[QueryA], g1.times(key.Delta1, r))
	b1 := g1.total(key.Beta1, sums[QueryB1], g1.times(key.Delta1, s))
	rs := new(big.Int).Mul(r, s)
	c := g1.total(sums[QueryL], sums[QueryH], g1.times(a, s), g1.times(b1, r), g1.times(key.Delta1, rs.Neg(rs)))
	g2 := adder{suite, curve.G2}
	b := g2.total(key.Beta2, sums[QueryB2], g2.times(key.Delta2, s))
	return &Proof{Curve: key.Curve, A: a, B: b, C: c}, nil
}

// adder adds points of one group.
type adder struct {
	suite *pairing.Suite
	group curve.Group
}

func (g adder) times(p []byte, k *big.Int) []byte { return g.suite.Multiply(g.group, p, k) }

func (g adder) total(points ...[]byte) []byte {
	sum := points[0]
	for _, p := range points[1:] {
		sum = g.suite.Add(g.group, sum, p)
	}
	return sum
}
