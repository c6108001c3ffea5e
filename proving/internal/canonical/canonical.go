// Package canonical compares scalars that lie in memory as little-endian integers, at any alignment.
package canonical

import (
	"encoding/binary"

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
type Bound struct{ limbs [4]uint64 }

// ScalarBound is the modulus of a curve's scalar field.
func ScalarBound(id curve.ID) (b Bound) {
	var bytes [curve.ScalarSize]byte
	curve.PutLittleEndian(bytes[:], id.ScalarModulus())
	for i := range b.limbs {
		b.limbs[i] = binary.LittleEndian.Uint64(bytes[8*i:])
	}
	return b
}

// Exceeds says whether the bound is greater than a 32-byte scalar.
func (b *Bound) Exceeds(scalar []byte) bool {
	for i := 3; i >= 0; i-- {
		if x := binary.LittleEndian.Uint64(scalar[8*i:]); x != b.limbs[i] {
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
