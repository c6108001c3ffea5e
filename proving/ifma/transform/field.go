package transform

import (
	"math/big"

	"github.com/proofgraph/proofgraph/proving/curve"
)

const (
	limbs    = 5  // of a scalar inside
	limbBits = 52 // and their width
	radix    = limbs * limbBits
	maxDepth = 5 // stages that one pass joins
)

// field is what the kernels know of a prime, laid out as their transform_field.
type field struct {
	p, complement [limbs]uint64
	bias          [maxDepth][limbs]uint64
	minusInverse  uint64
	quotient      uint64
}

func newField(p *big.Int) *field {
	f := &field{p: cut(p), complement: cut(new(big.Int).Sub(power(radix), p))}
	for k := range f.bias {
		f.bias[k] = raised(cut(new(big.Int).Mul(p, big.NewInt(1<<k+1))), uint(57+k))
	}
	inverse := new(big.Int).ModInverse(p, power(limbBits))
	f.minusInverse = inverse.Sub(power(limbBits), inverse).Uint64()
	f.quotient = new(big.Int).Div(power(304), p).Uint64()
	return f
}

// cut is the limbs of v, least first.
func cut(v *big.Int) (l [limbs]uint64) {
	mask := new(big.Int).Sub(power(limbBits), big.NewInt(1))
	for i := range l {
		limb := new(big.Int).Rsh(v, uint(limbBits*i))
		l[i] = limb.And(limb, mask).Uint64()
	}
	return l
}

// raised adds 2^bit to every limb but the last and takes as much from the next, so that the value is the same.
func raised(l [limbs]uint64, bit uint) [limbs]uint64 {
	for i := range limbs - 1 {
		l[i] += 1 << bit
		l[i+1] -= 1 << (bit - limbBits)
	}
	return l
}

func power(bits uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), bits) }

// inside is v·2^260 mod p in words: the form of factors.
func inside(v, p *big.Int) (element [curve.ScalarSize]byte) {
	w := new(big.Int).Lsh(v, radix)
	curve.PutLittleEndian(element[:], w.Mod(w, p))
	return element
}
