// Package canonical compares scalars that lie in memory as little-endian integers, at any alignment.
package canonical

import (
	"encoding/binary"
	"math/big"

	"github.com/proofgraph/proofgraph/proving/curve"
)

// IsOne says whether a 32-byte scalar is the integer 1.
func IsOne(b []byte) bool {
	return binary.LittleEndian.Uint64(b) == 1 && binary.LittleEndian.Uint64(b[8:]) == 0 &&
		binary.LittleEndian.Uint64(b[16:]) == 0 && binary.LittleEndian.Uint64(b[24:]) == 0
}

// IsZero says whether a 32-byte scalar is 0.
func IsZero(b []byte) bool {
	return binary.LittleEndian.Uint64(b)|binary.LittleEndian.Uint64(b[8:])|
		binary.LittleEndian.Uint64(b[16:])|binary.LittleEndian.Uint64(b[24:]) == 0
}

// Bound is a modulus to compare with.
type Bound struct {
	limbs [6]uint64
	n     int
}

var (
	scalarBounds = bounds(curve.ID.ScalarModulus, func(curve.ID) int { return curve.ScalarSize })
	baseBounds   = bounds(curve.ID.BaseModulus, curve.ID.BaseSize)
)

func bounds(modulus func(curve.ID) *big.Int, size func(curve.ID) int) map[curve.ID]Bound {
	all := map[curve.ID]Bound{}
	for _, id := range curve.All() {
		bytes := make([]byte, size(id))
		curve.PutLittleEndian(bytes, modulus(id))
		b := Bound{n: len(bytes) / 8}
		for i := range b.n {
			b.limbs[i] = binary.LittleEndian.Uint64(bytes[8*i:])
		}
		all[id] = b
	}
	return all
}

// ScalarBound is the modulus of a curve's scalar field, for elements of 32 bytes.
func ScalarBound(id curve.ID) Bound { return scalarBounds[id] }

// BaseBound is the modulus of a curve's base field, for elements of its BaseSize.
func BaseBound(id curve.ID) Bound { return baseBounds[id] }

// Exceeds says whether the bound is greater than an element of its size.
func (b *Bound) Exceeds(element []byte) bool {
	for i := b.n - 1; i >= 0; i-- {
		if x := binary.LittleEndian.Uint64(element[8*i:]); x != b.limbs[i] {
			return x < b.limbs[i]
		}
	}
	return false
}

// FirstOutOfRange is the index of the first scalar that is not less than the modulus, or -1.
func FirstOutOfRange(id curve.ID, scalars []byte) int {
	bound := ScalarBound(id)
	for i := range len(scalars) / curve.ScalarSize {
		if !bound.Exceeds(scalars[i*curve.ScalarSize:][:curve.ScalarSize]) {
			return i
		}
	}
	return -1
}
