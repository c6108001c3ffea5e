//go:build cgo && hostmath

package hostmath_test

import (
	"math/big"
	"testing"

	blsfp "github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	bnfp "github.com/consensys/gnark-crypto/ecc/bn254/fp"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind/internal/hostmath"
)

// complexNumber is c0 + c1 u with u² = -1, integers of any size and sign.
type complexNumber struct{ c0, c1 *big.Int }

func (a complexNumber) times(b complexNumber) complexNumber {
	product := func(x, y *big.Int) *big.Int { return new(big.Int).Mul(x, y) }
	return complexNumber{
		new(big.Int).Sub(product(a.c0, b.c0), product(a.c1, b.c1)),
		new(big.Int).Add(product(a.c0, b.c1), product(a.c1, b.c0)),
	}
}

func (a complexNumber) plus(b complexNumber, sign int64) complexNumber {
	term := func(x, y *big.Int) *big.Int { return new(big.Int).Add(x, new(big.Int).Mul(y, big.NewInt(sign))) }
	return complexNumber{term(a.c0, b.c0), term(a.c1, b.c1)}
}

func (a complexNumber) toMemory(component hostmath.Field, p *big.Int) []byte {
	return append(toMemory(component, p, a.c0), toMemory(component, p, a.c1)...)
}

func TestExtensionAgreesWithBigIntegers(t *testing.T) {
	cases := []struct {
		name             string
		field, component hostmath.Field
		modulus          *big.Int
	}{
		{"bn254", hostmath.BN254Fp2, hostmath.BN254Fp, bnfp.Modulus()},
		{"bn254/halves", hostmath.BN254Fp2Halves, hostmath.BN254Fp, bnfp.Modulus()},
		{"bls12-381", hostmath.BLS12381Fp2, hostmath.BLS12381Fp, blsfp.Modulus()},
		{"bls12-381/halves", hostmath.BLS12381Fp2Halves, hostmath.BLS12381Fp, blsfp.Modulus()},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			numbers := complexNumbers(c.modulus)
			for i, a := range numbers {
				checkExtension(t, c.field, c.component, c.modulus, a, a)
				checkExtension(t, c.field, c.component, c.modulus, a, numbers[(i+7)%len(numbers)])
				checkInverse(t, c.field, c.component, c.modulus, a)
			}
		})
	}
}

// complexNumbers have an edge or a random number in each component.
func complexNumbers(p *big.Int) []complexNumber {
	var numbers []complexNumber
	values := append(edges(p)[:8], randomBelow(p, 3)...)
	for _, c0 := range values {
		for _, c1 := range values {
			numbers = append(numbers, complexNumber{c0, c1})
		}
	}
	return numbers
}

func checkExtension(t *testing.T, f, component hostmath.Field, p *big.Int, a, b complexNumber) {
	t.Helper()
	zero := complexNumber{new(big.Int), new(big.Int)}
	am, bm := a.toMemory(component, p), b.toMemory(component, p)
	for op, want := range map[hostmath.Op]complexNumber{
		hostmath.Add:    a.plus(b, 1),
		hostmath.Sub:    a.plus(b, -1),
		hostmath.Mul:    a.times(b),
		hostmath.Square: a.times(a),
		hostmath.Dot:    a.times(b).plus(a.times(b), 1),
		hostmath.Negate: zero.plus(a, -1),
	} {
		for _, m := range hostmath.Multipliers {
			require.Equal(t, want.toMemory(component, p), f.Apply(m, op, am, bm), "op %d of %v and %v, multiplier %d", op, a, b, m)
		}
	}
}

func checkInverse(t *testing.T, f, component hostmath.Field, p *big.Int, a complexNumber) {
	t.Helper()
	want := complexNumber{new(big.Int), new(big.Int)} // of zero
	if a.c0.Sign() != 0 || a.c1.Sign() != 0 {
		want = complexNumber{big.NewInt(1), new(big.Int)}
	}
	am := a.toMemory(component, p)
	inverse := f.Apply(hostmath.Device, hostmath.Inverse, am, am)
	require.Equal(t, want.toMemory(component, p), f.Apply(hostmath.Device, hostmath.Mul, am, inverse), "inverse of %v", a)
}
