package curve

import (
	"math/big"
	"slices"
)

// FromLittleEndian reads an unsigned integer from little-endian bytes of any length.
func FromLittleEndian(b []byte) *big.Int {
	reversed := slices.Clone(b)
	slices.Reverse(reversed)
	return new(big.Int).SetBytes(reversed)
}

// PutLittleEndian writes n into the whole of dst in little-endian order. n must be non-negative and fit.
func PutLittleEndian(dst []byte, n *big.Int) {
	n.FillBytes(dst)
	slices.Reverse(dst)
}
