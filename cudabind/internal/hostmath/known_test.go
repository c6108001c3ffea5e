//go:build cgo && hostmath

package hostmath_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind/internal/hostmath"
)

// scalarFields are those that transforms work in.
var scalarFields = slices.DeleteFunc(slices.Clone(primeFields), func(f primeField) bool {
	return f.field != hostmath.BN254Fr && f.field != hostmath.BLS12381Fr
})

func TestKnownFactors(t *testing.T) {
	for _, f := range scalarFields {
		t.Run(f.name, func(t *testing.T) {
			factors := slices.Concat(edges(f.modulus), inMemory(f.field, f.modulus, edges(f.modulus)), randomBelow(f.modulus, 40))
			numbers := slices.Concat(edges(f.modulus), looseEdges(f.modulus), randomBelow(ones(0, 256), 40))
			for _, w := range factors {
				for _, x := range numbers {
					checkKnown(t, f.field, f.modulus, w, x)
				}
			}
		})
	}
}

// looseEdges are numbers of 256 bits around multiples of p, and others whose products with w' carry far.
func looseEdges(p *big.Int) []*big.Int {
	var numbers []*big.Int
	for multiple := new(big.Int); multiple.BitLen() <= 256; multiple = new(big.Int).Add(multiple, p) {
		for d := int64(-2); d <= 2; d++ {
			if v := new(big.Int).Add(multiple, big.NewInt(d)); v.Sign() >= 0 && v.BitLen() <= 256 {
				numbers = append(numbers, v)
			}
		}
	}
	for word := range 8 {
		numbers = append(numbers, ones(32*word, 32*word+32), ones(32*word, 256), ones(0, 32*word+32))
	}
	return numbers
}

func checkKnown(t *testing.T, f hostmath.Field, p, w, x *big.Int) {
	t.Helper()
	factor, quotient, product := f.Known(toMemory(f, p, w), littleEndian(x, 32))
	require.Equal(t, littleEndian(w, 32), factor, "factor %v", w)
	scaled := new(big.Int).Lsh(w, 288)
	require.Equal(t, littleEndian(scaled.Div(scaled, p), 36), quotient, "quotient of %v", w)

	got, want := fromMemory(product), new(big.Int).Mul(x, w)
	require.Zero(t, new(big.Int).Mod(want.Sub(want, got), p).Sign(), "%v times %v", x, w)
	bound := new(big.Int).Add(p, new(big.Int).Rsh(p, 29))
	require.Negative(t, got.Cmp(bound), "%v times %v", x, w)
}

func fromMemory(b []byte) *big.Int {
	b = slices.Clone(b)
	slices.Reverse(b)
	return new(big.Int).SetBytes(b)
}
