// Package circuits makes circuits of real size without a compiler: Poseidon and multiplication
// chains with full-width witnesses, and SHA-256 whose witness is almost all zeros and ones.
//
// A Spec names a circuit; its methods stream the iden3 files that any prover reads: WriteR1CS the
// constraints, WriteWitness an assignment drawn from a seed. Everything is reproducible from the
// Spec and the seed.
//
// A circuit is one program (poseidon.go, sha256.go, product.go) over a builder (builder.go). It is
// run once to count rows and wires, once more to write either the constraints or the values, so
// nothing but the witness is ever held in memory.
package circuits

import (
	"errors"
	"fmt"
	"io"

	"github.com/consensys/gnark-crypto/ecc"
	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	bn254 "github.com/consensys/gnark-crypto/ecc/bn254/fr"
)

// Kind names a family of circuits.
type Kind string

const (
	// Poseidon chains Poseidon(2) as circomlib writes it: 517 rows a hash, half of them linear.
	Poseidon Kind = "poseidon"
	// SHA256 hashes whole blocks as circomlib writes it: 31776 rows a block, a witness of bits.
	SHA256 Kind = "sha256"
	// Product is x[i+1] = (x[i]+b)(x[i]+i+1): one row a step, every wire of full width.
	Product Kind = "mul"
)

// Kinds returns every family, in the order in which tables list them.
func Kinds() []Kind { return []Kind{Poseidon, SHA256, Product} }

// MaxConstraints is the largest target that a Spec may ask for.
const MaxConstraints = 1 << 24

// ErrSpec reports a Spec that names no circuit: an unknown kind or curve, or a target out of range.
var ErrSpec = errors.New("no such circuit")

// Spec asks for a circuit over the scalar field of a curve (BN254 or BLS12_381) with as many of its
// family's units as fit in Constraints rows. The rows that Groth16 adds for the constant and each
// public signal count too, so a power of two gives an evaluation domain of just that size.
type Spec struct {
	Kind        Kind
	Curve       ecc.ID
	Constraints int
}

// Size is what a circuit came to.
type Size struct {
	Units       int // hashes, blocks or steps
	Constraints int
	Wires       int // with the constant wire 0
	Outputs     int // public signals, all of them outputs, on wires 1 to Outputs
	Inputs      int // private inputs, on the wires after the outputs
	terms       int // coefficients in all rows; 0 where they were not counted
}

// Size returns the circuit's dimensions, or an error that wraps ErrSpec.
func (s Spec) Size() (Size, error) {
	c, err := s.open()
	if err != nil {
		return Size{}, err
	}
	return c.dimensions(), nil
}

// WriteR1CS writes the circuit as an iden3 .r1cs file.
func (s Spec) WriteR1CS(w io.Writer) error {
	c, err := s.open()
	if err != nil {
		return err
	}
	return c.writeR1CS(w)
}

// WriteWitness writes the assignment that follows from the inputs drawn with seed as an iden3 .wtns
// file. It holds 32 bytes for each wire while it works.
func (s Spec) WriteWitness(w io.Writer, seed uint64) error {
	c, err := s.open()
	if err != nil {
		return err
	}
	return c.writeWitness(w, seed)
}

// circuit hides the field that a circuit is over.
type circuit interface {
	dimensions() Size
	writeR1CS(w io.Writer) error
	writeWitness(w io.Writer, seed uint64) error
}

func (s Spec) open() (circuit, error) {
	if s.Constraints < 1 || s.Constraints > MaxConstraints {
		return nil, fmt.Errorf("%w: %d constraints asked for, 1 to %d can be made", ErrSpec, s.Constraints, MaxConstraints)
	}
	switch s.Curve {
	case ecc.BN254:
		return fit[bn254.Element](s)
	case ecc.BLS12_381:
		return fit[bls12381.Element](s)
	}
	return nil, fmt.Errorf("%w: curve %s is neither bn254 nor bls12_381", ErrSpec, s.Curve)
}
