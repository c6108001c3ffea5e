// Package curve names the pairing-friendly curves that proofs are made over and says how their elements lie in
// memory. It does no arithmetic: package pairing works on single points, package engine on whole vectors.
//
// Everywhere in this module a field element is its Montgomery form in little-endian limbs, and a point is its
// affine coordinates one after the other, infinity being all zero. That is how gnark-crypto keeps them and how
// snarkjs writes them into a .zkey, so points are used where they lie in a mapped file.
package curve

import (
	"errors"
	"fmt"
	"math/big"
)

// ID is a curve. The zero value is no curve.
type ID uint8

// The curves this module proves over.
const (
	BN254    ID = iota + 1 // called bn128 or bn254 by snarkjs and circom
	BLS12381               // called bls12381 by snarkjs and circom
)

// ScalarSize is the size in bytes of a scalar field element of either curve.
const ScalarSize = 32

// ErrUnknown is returned for a name or a modulus of no curve supported here.
var ErrUnknown = errors.New("unknown curve")

// All lists the curves in a fixed order.
func All() []ID { return []ID{BN254, BLS12381} }

// parameters holds what distinguishes one curve from another in memory and in files.
type parameters struct {
	name, snarkjs  string
	baseSize       int
	base, scalar   *big.Int
	twoAdicity     int
	rootNonResidue int64
}

var table = map[ID]parameters{
	BN254: {
		name: "bn254", snarkjs: "bn128", baseSize: 32,
		base:       decimal("21888242871839275222246405745257275088696311157297823662689037894645226208583"),
		scalar:     decimal("21888242871839275222246405745257275088548364400416034343698204186575808495617"),
		twoAdicity: 28, rootNonResidue: 5,
	},
	BLS12381: {
		name: "bls12-381", snarkjs: "bls12381", baseSize: 48,
		base: decimal("4002409555221667393417789825735904156556882819939007885332058136124031650490837864442687629129" +
			"015664037894272559787"),
		scalar:     decimal("52435875175126190479447740508185965837690552500527637822603658699938581184513"),
		twoAdicity: 32, rootNonResidue: 5,
	},
}

func decimal(s string) *big.Int {
	n, ok := new(big.Int).SetString(s, 10)
	if !ok {
		panic("curve: bad constant " + s)
	}
	return n
}

// Parse finds a curve by any of its usual names: bn254, bn128, bls12-381, bls12381.
func Parse(name string) (ID, error) {
	switch name {
	case "bn254", "bn128", "BN254", "alt_bn128", "altbn128":
		return BN254, nil
	case "bls12-381", "bls12381", "BLS12381", "BLS12-381", "bls12_381":
		return BLS12381, nil
	}
	return 0, fmt.Errorf("%w %q (known: bn254, bls12-381)", ErrUnknown, name)
}

// FromScalarModulus finds the curve whose scalar field has the modulus r, given in little-endian bytes as the
// iden3 file headers write it.
func FromScalarModulus(r []byte) (ID, error) {
	return find(r, "scalar field modulus", func(p parameters) *big.Int { return p.scalar })
}

// FromBaseModulus finds the curve whose base field has the modulus q, in little-endian bytes.
func FromBaseModulus(q []byte) (ID, error) {
	return find(q, "base field modulus", func(p parameters) *big.Int { return p.base })
}

func find(modulus []byte, what string, of func(parameters) *big.Int) (ID, error) {
	n := FromLittleEndian(modulus)
	for _, id := range All() {
		if of(table[id]).Cmp(n) == 0 {
			return id, nil
		}
	}
	return 0, fmt.Errorf("%w with the %s %s", ErrUnknown, what, n)
}

// Valid says whether id is a curve of this package.
func (id ID) Valid() bool { _, ok := table[id]; return ok }

// String is the curve's usual name, "bn254" or "bls12-381".
func (id ID) String() string {
	if p, ok := table[id]; ok {
		return p.name
	}
	return fmt.Sprintf("curve(%d)", uint8(id))
}

// SnarkjsName is what snarkjs calls the curve in its JSON files: "bn128" or "bls12381".
func (id ID) SnarkjsName() string { return table[id].snarkjs }

// BaseSize is the size in bytes of a base field element: 32 or 48.
func (id ID) BaseSize() int { return table[id].baseSize }

// BaseModulus is a copy of the modulus of the base field, q.
func (id ID) BaseModulus() *big.Int { return new(big.Int).Set(table[id].base) }

// ScalarModulus is a copy of the modulus of the scalar field, r: the order of both groups.
func (id ID) ScalarModulus() *big.Int { return new(big.Int).Set(table[id].scalar) }

// TwoAdicity is the largest k for which the scalar field has a root of unity of order 2^k.
func (id ID) TwoAdicity() int { return table[id].twoAdicity }

// RootOfUnity is the primitive root of order 2^TwoAdicity that snarkjs builds its domains from: the least
// quadratic non-residue raised to (r-1)/2^TwoAdicity. The H points of a .zkey are in the order of its powers.
func (id ID) RootOfUnity() *big.Int {
	p := table[id]
	exponent := new(big.Int).Sub(p.scalar, big.NewInt(1))
	exponent.Rsh(exponent, uint(p.twoAdicity))
	return exponent.Exp(big.NewInt(p.rootNonResidue), exponent, p.scalar)
}

// PointSize is the size in bytes of an affine point of a group of the curve.
func (id ID) PointSize(g Group) int { return 2 * g.degree() * id.BaseSize() }

// Group is one of the two source groups of the pairing.
type Group uint8

// The groups: G1 over the base field, G2 over its quadratic extension.
const (
	G1 Group = iota + 1
	G2
)

func (g Group) degree() int { return int(g) }

// Valid says whether g is G1 or G2.
func (g Group) Valid() bool { return g == G1 || g == G2 }

// String is "G1" or "G2".
func (g Group) String() string { return fmt.Sprintf("G%d", uint8(g)) }
