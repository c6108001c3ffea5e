//go:build cgo && linux

package gpu_test

import (
	"math/big"
	"math/rand/v2"

	"github.com/consensys/gnark-crypto/ecc"
	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	blsfr "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	bn "github.com/consensys/gnark-crypto/ecc/bn254"
	bnfr "github.com/consensys/gnark-crypto/ecc/bn254/fr"

	"github.com/proofgraph/proofgraph/cudabind"
)

// group is one of the four groups, with gnark-crypto behind it, in bytes.
type group struct {
	name      string
	group     cudabind.Group
	curve     cudabind.Curve
	modulus   *big.Int // the group's order
	generator []byte
	multiple  func(k *big.Int) []byte               // of the generator
	msm       func(points, canonical []byte) []byte // the reference
	random    func(source *rand.Rand, n int) []byte // scalars, Montgomery form
}

func groups() []group {
	_, _, bn1, bn2 := bn.Generators()
	_, _, bls1, bls2 := bls.Generators()
	return []group{
		{
			"bn254_g1", cudabind.BN254G1, cudabind.BN254, bnfr.Modulus(), asBytes(bn1),
			func(k *big.Int) []byte { return asBytes(*new(bn.G1Affine).ScalarMultiplication(&bn1, k)) },
			func(points, scalars []byte) []byte {
				p, err := new(bn.G1Affine).MultiExp(valuesOf[bn.G1Affine](points), montgomery[bnfr.Element](scalars), ecc.MultiExpConfig{})
				return result(*p, err)
			},
			func(s *rand.Rand, n int) []byte { return bytesOf(bn254().random(s, n)) },
		},
		{
			"bn254_g2", cudabind.BN254G2, cudabind.BN254, bnfr.Modulus(), asBytes(bn2),
			func(k *big.Int) []byte { return asBytes(*new(bn.G2Affine).ScalarMultiplication(&bn2, k)) },
			func(points, scalars []byte) []byte {
				p, err := new(bn.G2Affine).MultiExp(valuesOf[bn.G2Affine](points), montgomery[bnfr.Element](scalars), ecc.MultiExpConfig{})
				return result(*p, err)
			},
			func(s *rand.Rand, n int) []byte { return bytesOf(bn254().random(s, n)) },
		},
		{
			"bls12-381_g1", cudabind.BLS12381G1, cudabind.BLS12381, blsfr.Modulus(), asBytes(bls1),
			func(k *big.Int) []byte { return asBytes(*new(bls.G1Affine).ScalarMultiplication(&bls1, k)) },
			func(points, scalars []byte) []byte {
				p, err := new(bls.G1Affine).MultiExp(valuesOf[bls.G1Affine](points), montgomery[blsfr.Element](scalars), ecc.MultiExpConfig{})
				return result(*p, err)
			},
			func(s *rand.Rand, n int) []byte { return bytesOf(bls12381().random(s, n)) },
		},
		{
			"bls12-381_g2", cudabind.BLS12381G2, cudabind.BLS12381, blsfr.Modulus(), asBytes(bls2),
			func(k *big.Int) []byte { return asBytes(*new(bls.G2Affine).ScalarMultiplication(&bls2, k)) },
			func(points, scalars []byte) []byte {
				p, err := new(bls.G2Affine).MultiExp(valuesOf[bls.G2Affine](points), montgomery[blsfr.Element](scalars), ecc.MultiExpConfig{})
				return result(*p, err)
			},
			func(s *rand.Rand, n int) []byte { return bytesOf(bls12381().random(s, n)) },
		},
	}
}

func result[P any](point P, err error) []byte {
	if err != nil {
		panic(err) // a reference that fails is the test's own mistake
	}
	return asBytes(point)
}

// montgomery reads plain integers into elements.
func montgomery[E any, P arithmetic[E]](scalars []byte) []E {
	out := make([]E, len(scalars)/cudabind.ScalarBytes)
	for i := range out {
		P(&out[i]).SetBigInt(integer(scalars[i*cudabind.ScalarBytes : (i+1)*cudabind.ScalarBytes]))
	}
	return out
}

func integer(littleEndian []byte) *big.Int {
	big_ := make([]byte, len(littleEndian))
	for i, b := range littleEndian {
		big_[len(big_)-1-i] = b
	}
	return new(big.Int).SetBytes(big_)
}

func littleEndian(v *big.Int) []byte {
	b := v.FillBytes(make([]byte, cudabind.ScalarBytes))
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return b
}

// canonicalOf takes Montgomery scalars of the group's field to plain integers.
func (g group) canonicalOf(scalars []byte) []byte {
	if g.curve == cudabind.BN254 {
		return bytesOf(canonical[bnfr.Element](valuesOf[bnfr.Element](scalars)))
	}
	return bytesOf(canonical[blsfr.Element](valuesOf[blsfr.Element](scalars)))
}
