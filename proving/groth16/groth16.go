// Package groth16 is the prover, a step at a time, and the verifier. It knows nothing of pipelines: each step is a
// function that is told where to write and how many threads to use, and package engine does the work on vectors.
//
// A proof is made in this order:
//
//	Synthesize           the rows of A·w, B·w and their product, from the key's coefficients and the witness w
//	Quotient             evaluations of the quotient on the odd coset: h
//	Sum, five queries    a, b_g1, l and b_g2 over the witness, h over h; each may be cut into slices
//	Assemble             blinds the sums and makes the proof
//	Verify               before the proof is handed out
//
// Setup makes development keys, CheckKey reads every point of a key, FirstUnsatisfied explains a witness that does not
// satisfy its circuit.
//
// The protocol is that of https://eprint.iacr.org/2016/260, §3.2, with the key of snarkjs.
package groth16

import (
	"errors"
	"fmt"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
)

// Proof is a Groth16 proof: affine Montgomery points.
type Proof struct {
	Curve curve.ID
	A     []byte // G1
	B     []byte // G2
	C     []byte // G1
}

// VerifyingKey is what a proof is verified with.
type VerifyingKey struct {
	Curve                 curve.ID
	Alpha1                []byte
	Beta2, Gamma2, Delta2 []byte
	IC                    [][]byte // one for the constant wire, then one for each public wire
}

// MostPublic is the most public inputs of a circuit that is proved or verified. Each takes some hundred bytes of heap, which
// nothing charges, and a multiplication in every verification; circuits have dozens, and hash what is more.
const MostPublic = 1 << 16

// CheckPublic refuses circuits with more public inputs than MostPublic; the error wraps ErrPublicInput.
func CheckPublic(n int) error {
	if n > MostPublic {
		return fmt.Errorf("%w: the circuit has %d, and at most %d are taken", ErrPublicInput, n, MostPublic)
	}
	return nil
}

// NPublic is the number of public inputs that the key wants.
func (k *VerifyingKey) NPublic() int { return len(k.IC) - 1 }

// ErrWitness is wrapped when a witness does not fit a key: another curve, another length.
var ErrWitness = errors.New("witness does not fit the key")

// CheckWitness says whether canonical values of a curve can be a witness for a key: the curve and the length. That
// they are in range and begin with 1 is checked where witnesses are read.
func CheckWitness(h zkey.Header, id curve.ID, values []byte) error {
	if id != h.Curve {
		return fmt.Errorf("%w: the witness is over %s and the key over %s", ErrWitness, id, h.Curve)
	}
	if len(values) != h.NVars*curve.ScalarSize {
		return fmt.Errorf("%w: the circuit has %d wires, the witness %d", ErrWitness, h.NVars,
			len(values)/curve.ScalarSize)
	}
	return nil
}
