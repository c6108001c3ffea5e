//go:build cgo && hostmath

package hostmath_test

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	blsfp "github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	blsfr "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	bnfp "github.com/consensys/gnark-crypto/ecc/bn254/fp"
	bnfr "github.com/consensys/gnark-crypto/ecc/bn254/fr"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind/internal/hostmath"
)

type primeField struct {
	name    string
	field   hostmath.Field
	modulus *big.Int
}

var primeFields = []primeField{
	{"bn254_fp", hostmath.BN254Fp, bnfp.Modulus()},
	{"bn254_fr", hostmath.BN254Fr, bnfr.Modulus()},
	{"bls12-381_fp", hostmath.BLS12381Fp, blsfp.Modulus()},
	{"bls12-381_fr", hostmath.BLS12381Fr, blsfr.Modulus()},
}

func TestFieldAgreesWithBigIntegers(t *testing.T) {
	for _, f := range primeFields {
		t.Run(f.name, func(t *testing.T) {
			values := slices.Concat(edges(f.modulus), inMemory(f.field, f.modulus, edges(f.modulus)), randomBelow(f.modulus, 24))
			for _, a := range values {
				for _, b := range values {
					checkField(t, f.field, f.modulus, a, b)
				}
			}
		})
	}
}

func checkField(t *testing.T, f hostmath.Field, p, a, b *big.Int) {
	t.Helper()
	am, bm := toMemory(f, p, a), toMemory(f, p, b)
	for op, want := range map[hostmath.Op]*big.Int{
		hostmath.Add:    new(big.Int).Add(a, b),
		hostmath.Sub:    new(big.Int).Sub(a, b),
		hostmath.Mul:    new(big.Int).Mul(a, b),
		hostmath.Square: new(big.Int).Mul(a, a),
		hostmath.Dot:    new(big.Int).Lsh(new(big.Int).Mul(a, b), 1),
		hostmath.Negate: new(big.Int).Neg(a),
	} {
		for _, m := range hostmath.Multipliers {
			require.Equal(t, toMemory(f, p, want), f.Apply(m, op, am, bm), "op %d of %v and %v, multiplier %d", op, a, b, m)
		}
	}
}

func TestInverse(t *testing.T) {
	for _, f := range primeFields {
		t.Run(f.name, func(t *testing.T) {
			for _, a := range slices.Concat(edges(f.modulus), inMemory(f.field, f.modulus, edges(f.modulus)), randomBelow(f.modulus, 500)) {
				if a.Sign() == 0 {
					continue
				}
				m := toMemory(f.field, f.modulus, a)
				want := toMemory(f.field, f.modulus, new(big.Int).ModInverse(a, f.modulus))
				require.Equal(t, want, f.field.Apply(hostmath.Device, hostmath.Inverse, m, m))
			}
		})
	}
}

func edges(p *big.Int) []*big.Int {
	below := func(d int64) *big.Int { return new(big.Int).Sub(p, big.NewInt(d)) }
	half := new(big.Int).Rsh(p, 1)
	top := new(big.Int).Lsh(big.NewInt(1), uint(p.BitLen()-1))
	return []*big.Int{
		big.NewInt(0), big.NewInt(1), big.NewInt(2), below(1), below(2), half, new(big.Int).Add(half, big.NewInt(1)),
		top, new(big.Int).Sub(top, big.NewInt(1)), big.NewInt(1<<29 - 1), big.NewInt(1 << 30),
		ones(0, p.BitLen()/2), ones(p.BitLen()/2-3, p.BitLen()-1), ones(64, 192), // halves that carry when added
	}
}

// ones has the bits from..to-1 set.
func ones(from, to int) *big.Int {
	low := new(big.Int).Lsh(big.NewInt(1), uint(from))
	return new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(to)), low)
}

// inMemory are the values whose Montgomery forms are the given ones.
func inMemory(f hostmath.Field, p *big.Int, forms []*big.Int) []*big.Int {
	r := new(big.Int).ModInverse(new(big.Int).Lsh(big.NewInt(1), uint(8*f.Bytes())), p)
	values := make([]*big.Int, len(forms))
	for i, form := range forms {
		values[i] = new(big.Int).Mul(form, r)
		values[i].Mod(values[i], p)
	}
	return values
}

func randomBelow(p *big.Int, n int) []*big.Int {
	source := rand.New(rand.NewPCG(1, uint64(p.BitLen())))
	values := make([]*big.Int, n)
	for i := range values {
		v := new(big.Int)
		for range (p.BitLen() + 63) / 64 {
			v.Lsh(v, 64).Add(v, new(big.Int).SetUint64(source.Uint64()))
		}
		values[i] = v.Mod(v, p)
	}
	return values
}

// toMemory is v's Montgomery form, R = 2^(8 bytes), little-endian.
func toMemory(f hostmath.Field, p, v *big.Int) []byte {
	m := new(big.Int).Lsh(v, uint(8*f.Bytes()))
	return littleEndian(m.Mod(m, p), f.Bytes())
}

func littleEndian(v *big.Int, size int) []byte {
	b := v.FillBytes(make([]byte, size))
	slices.Reverse(b)
	return b
}
