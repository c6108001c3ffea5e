//go:build cgo && hostmath

package hostmath_test

import (
	"math/big"
	"math/rand/v2"
	"testing"
	"unsafe"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	bn "github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind/internal/hostmath"
)

// group is one of gnark-crypto's four groups as this test needs it: small multiples of the generator.
type group struct {
	name     string
	field    hostmath.Field
	multiple func(k int64) []byte
}

func groups() []group {
	_, _, bn1, bn2 := bn.Generators()
	_, _, bls1, bls2 := bls.Generators()
	bnG2 := multiples(func(k *big.Int) bn.G2Affine { return *new(bn.G2Affine).ScalarMultiplication(&bn2, k) })
	blsG2 := multiples(func(k *big.Int) bls.G2Affine { return *new(bls.G2Affine).ScalarMultiplication(&bls2, k) })
	return []group{
		{"bn254_g1", hostmath.BN254Fp, multiples(func(k *big.Int) bn.G1Affine { return *new(bn.G1Affine).ScalarMultiplication(&bn1, k) })},
		{"bn254_g2", hostmath.BN254Fp2, bnG2},
		{"bn254_g2_halves", hostmath.BN254Fp2Halves, bnG2},
		{"bls12-381_g1", hostmath.BLS12381Fp, multiples(func(k *big.Int) bls.G1Affine { return *new(bls.G1Affine).ScalarMultiplication(&bls1, k) })},
		{"bls12-381_g2", hostmath.BLS12381Fp2, blsG2},
		{"bls12-381_g2_halves", hostmath.BLS12381Fp2Halves, blsG2},
	}
}

func multiples[P any](times func(*big.Int) P) func(int64) []byte {
	return func(k int64) []byte {
		p := times(big.NewInt(k))
		return append([]byte(nil), unsafe.Slice((*byte)(unsafe.Pointer(&p)), unsafe.Sizeof(p))...)
	}
}

func TestPointSums(t *testing.T) {
	cases := []struct {
		name      string
		multiples []int64 // negative ones reach the kernel as a positive point to subtract
		doublings int
	}{
		{"nothing but infinity", []int64{0, 0, 0}, 1},
		{"one point", []int64{7}, 0},
		{"negated first", []int64{-7}, 0},
		{"distinct", []int64{1, 2, 4, 9, 16, 25, -3}, 0},
		{"infinity among points", []int64{0, 5, 0, 11, 0}, 3},
		{"a point twice doubles", []int64{6, 6}, 0},
		{"a point and its negative vanish", []int64{6, -6}, 0},
		{"vanish, then go on", []int64{6, -6, 3, 8}, 2},
		{"sum meets a point", []int64{1, 2, 3, 6, 12, -24, 5}, 0},
		{"halves meet", []int64{3, 4, 9, 8}, 1},
		{"halves cancel", []int64{3, -4, 9, -8}, 4},
		{"halves equal", []int64{5, 5, 9, 9}, 0},
		{"many doublings", []int64{3, 4}, 20},
	}
	for _, g := range groups() {
		for _, c := range cases {
			t.Run(g.name+"/"+c.name, func(t *testing.T) {
				checkSum(t, g, c.multiples, c.doublings)
			})
		}
	}
}

func TestLongRandomSums(t *testing.T) {
	source := rand.New(rand.NewPCG(3, 4))
	for _, g := range groups() {
		t.Run(g.name, func(t *testing.T) {
			terms := make([]int64, 200)
			for i := range terms {
				terms[i] = source.Int64N(1<<40) - 1<<39
			}
			checkSum(t, g, terms, 5)
		})
	}
}

func checkSum(t *testing.T, g group, terms []int64, doublings int) {
	t.Helper()
	var points, negative []byte
	var total int64
	for _, k := range terms {
		total += k
		points = append(points, g.multiple(max(k, -k))...)
		sign := byte(0)
		if k < 0 {
			sign = 1
		}
		negative = append(negative, sign)
	}
	want := g.multiple(total << doublings)
	for _, m := range hostmath.Multipliers {
		require.Equal(t, want, g.field.Sum(m, points, negative, doublings, false), "one sum, multiplier %d", m)
		require.Equal(t, want, g.field.Sum(m, points, negative, doublings, true), "two sums, multiplier %d", m)
	}
}
