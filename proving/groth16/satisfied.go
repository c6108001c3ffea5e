package groth16

import (
	"context"
	"fmt"
	"math/big"
	"strings"

	blsfr "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	bnfr "github.com/consensys/gnark-crypto/ecc/bn254/fr"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/field"
	"github.com/proofgraph/proofgraph/proving/format/r1cs"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
	"github.com/proofgraph/proofgraph/proving/internal/view"
)

// Unsatisfied is a constraint that a witness does not satisfy: A·B ≠ C.
type Unsatisfied struct {
	Constraint int // counted from 0
	A, B, C    *big.Int
	Terms      [3][]Term // the first few of A, B and C
	More       [3]int    // how many there are beside

	modulus *big.Int
}

// Term is a wire in a constraint.
type Term struct {
	Wire               int
	Coefficient, Value *big.Int
}

// shownTerms is how many terms of a combination are kept and shown: a hostile circuit has some of millions.
const shownTerms = 8

// String tells the constraint and the values of its wires.
func (u *Unsatisfied) String() string {
	combination := func(m int, value *big.Int) string {
		shown := make([]string, 0, shownTerms)
		for _, t := range u.Terms[m] {
			shown = append(shown, fmt.Sprintf("%s·w%d (w%d = %s)", u.signed(t.Coefficient), t.Wire, t.Wire, u.signed(t.Value)))
		}
		if u.More[m] > 0 {
			shown = append(shown, fmt.Sprintf("%d more", u.More[m]))
		}
		if len(shown) == 0 {
			return "0"
		}
		return fmt.Sprintf("[%s] = %s", strings.Join(shown, " + "), u.signed(value))
	}
	return fmt.Sprintf("constraint %d is not satisfied: A × B ≠ C where A = %s, B = %s, C = %s", u.Constraint,
		combination(0, u.A), combination(1, u.B), combination(2, u.C))
}

// signed gives the representative of least magnitude: the circuit says -1 where the field says r - 1.
func (u *Unsatisfied) signed(v *big.Int) *big.Int {
	if u.modulus == nil || new(big.Int).Lsh(v, 1).Cmp(u.modulus) <= 0 {
		return v
	}
	return new(big.Int).Sub(v, u.modulus)
}

// FirstUnsatisfied is the first constraint that a witness does not satisfy, or nil. The witness is canonical.
func FirstUnsatisfied(ctx context.Context, s *r1cs.System, witness []byte) (*Unsatisfied, error) {
	if err := CheckWitness(zkey.Header{Curve: s.Curve, NVars: s.Wires}, s.Curve, witness); err != nil {
		return nil, err
	}
	switch s.Curve {
	case curve.BN254:
		return firstUnsatisfied[bnfr.Element](ctx, s, witness)
	case curve.BLS12381:
		return firstUnsatisfied[blsfr.Element](ctx, s, witness)
	}
	return nil, fmt.Errorf("%w: %s", curve.ErrUnknown, s.Curve)
}

func firstUnsatisfied[E any, P field.Element[E]](ctx context.Context, s *r1cs.System, witness []byte) (*Unsatisfied, error) {
	var sums [3]E
	var left, right, plainOne E
	view.One(&plainOne)[0] = 1
	for i, constraint := range s.All() {
		if i%(1<<14) == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for m, combination := range constraint {
			weigh[E, P](&sums[m], combination, witness)
		}
		// Products of plain words come out over R = 2^256: the sums are a/R, b/R and c/R, their product is ab/R³,
		// and two multiplications by the plain word 1 make c/R³ of the third.
		P(&left).Mul(&sums[0], &sums[1])
		P(&right).Mul(P(&right).Mul(&sums[2], &plainOne), &plainOne)
		if !P(&left).Equal(&right) {
			return explain(s, i, constraint, witness), nil
		}
	}
	return nil, nil
}

// weigh sums coefficient·value over a combination, both as plain words.
func weigh[E any, P field.Element[E]](sum *E, c r1cs.Combination, witness []byte) {
	var coefficient, value E
	*sum = value
	for i := range c.Len() {
		wire, bytes := c.Term(i)
		copy(view.One(&coefficient), bytes)
		copy(view.One(&value), witness[wire*curve.ScalarSize:][:curve.ScalarSize])
		P(sum).Add(sum, P(&value).Mul(&value, &coefficient))
	}
}

// explain works a constraint out in integers.
func explain(s *r1cs.System, index int, constraint r1cs.Constraint, witness []byte) *Unsatisfied {
	u := &Unsatisfied{Constraint: index, modulus: s.Curve.ScalarModulus()}
	for m, into := range []**big.Int{&u.A, &u.B, &u.C} {
		sum := new(big.Int)
		for i := range constraint[m].Len() {
			wire, coefficient := constraint[m].Term(i)
			value := witness[wire*curve.ScalarSize:][:curve.ScalarSize]
			t := Term{wire, curve.FromLittleEndian(coefficient), curve.FromLittleEndian(value)}
			if i < shownTerms {
				u.Terms[m] = append(u.Terms[m], t)
			}
			sum.Add(sum, new(big.Int).Mul(t.Coefficient, t.Value))
		}
		u.More[m] = max(constraint[m].Len()-shownTerms, 0)
		*into = sum.Mod(sum, u.modulus)
	}
	return u
}
