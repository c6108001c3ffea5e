//go:build cgo && amd64

package ifma

import (
	"math/big"
	"math/rand"
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/stretchr/testify/require"
)

// lanesOf is how many elements a kernel works on at a time.
const lanesOf = 16

// baseField is a curve's base field as the kernels have it: radix 2^52, R = 2^(52·limbs), values up to 2·loaded + 4p.
type baseField struct {
	name   string
	curve  Curve
	p      *big.Int
	limbs  int
	loaded *big.Int // bound of a coordinate as loaded: 2^shift · p
}

func baseFields() []baseField {
	field := func(name string, c Curve, p *big.Int, limbs int, shift uint) baseField {
		return baseField{name, c, p, limbs, new(big.Int).Lsh(p, shift)}
	}
	return []baseField{
		field("bn254", BN254, ecc.BN254.BaseField(), 5, 4),
		field("bls12381", BLS12381, ecc.BLS12_381.BaseField(), 8, 32),
	}
}

func (f baseField) r() *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(52*f.limbs)) }

// limbsOf lays values out limb by limb.
func (f baseField) limbsOf(values []*big.Int) []uint64 {
	out, mask := make([]uint64, lanesOf*f.limbs), big.NewInt(1<<52-1)
	for lane, v := range values {
		for i := range f.limbs {
			limb := new(big.Int).Rsh(v, uint(52*i))
			out[i*lanesOf+lane] = limb.And(limb, mask).Uint64()
		}
	}
	return out
}

// valuesOf checks that limbs are normal, and puts them together.
func (f baseField) valuesOf(t *testing.T, limbs []uint64) []*big.Int {
	values := make([]*big.Int, lanesOf)
	for lane := range values {
		values[lane] = new(big.Int)
		for i := f.limbs - 1; i >= 0; i-- {
			limb := limbs[i*lanesOf+lane]
			require.Less(t, limb, uint64(1)<<52, "limb %d", i)
			values[lane].Lsh(values[lane], 52).Add(values[lane], new(big.Int).SetUint64(limb))
		}
	}
	return values
}

// edges are sixteen values up to bound: the ends, multiples of p around them, limbs full of ones, and random ones.
func (f baseField) edges(random *rand.Rand, bound *big.Int) []*big.Int {
	values := []*big.Int{big.NewInt(0), big.NewInt(1), new(big.Int).Set(f.p)}
	add := func(base *big.Int, d int64) { values = append(values, new(big.Int).Add(base, big.NewInt(d))) }
	add(f.p, -1)
	add(f.p, 1)
	add(bound, 0)
	add(bound, -1)
	add(new(big.Int).Lsh(big.NewInt(1), uint(bound.BitLen()-1)), -1)
	add(new(big.Int).Lsh(big.NewInt(1), 52), -1)
	add(new(big.Int).Lsh(big.NewInt(1), 104), -1)
	for len(values) < lanesOf {
		values = append(values, new(big.Int).Rand(random, bound))
	}
	random.Shuffle(lanesOf, func(i, j int) { values[i], values[j] = values[j], values[i] })
	return values
}

func (f baseField) probe(t *testing.T, op operation, a, b []*big.Int) []*big.Int {
	out := make([]uint64, lanesOf*f.limbs)
	require.True(t, probe(f.curve, op, f.limbsOf(a), f.limbsOf(b), out))
	return f.valuesOf(t, out)
}

func times(v *big.Int, k int64) *big.Int { return new(big.Int).Mul(v, big.NewInt(k)) }

// forEdges runs body on many pairs of edge values up to the two bounds.
func forEdges(t *testing.T, body func(t *testing.T, f baseField, random *rand.Rand)) {
	requireKernels(t)
	for _, f := range baseFields() {
		t.Run(f.name, func(t *testing.T) {
			random := rand.New(rand.NewSource(1))
			for range 50 {
				body(t, f, random)
			}
		})
	}
}

func TestFieldProducts(t *testing.T) {
	forEdges(t, func(t *testing.T, f baseField, random *rand.Rand) {
		a := f.edges(random, new(big.Int).Add(times(f.loaded, 4), times(f.p, 8)))
		b := f.edges(random, times(f.p, 3))
		products, dots := f.probe(t, opMul, a, b), f.probe(t, opDot, a, b)
		for i := range a {
			ab := new(big.Int).Mul(a[i], b[i])
			f.requireMontgomery(t, ab, products[i])
			f.requireMontgomery(t, ab.Add(ab, new(big.Int).Mul(b[i], b[i])), dots[i])
		}
	})
}

// requireMontgomery checks that got is t/R mod p, and at most t/R + p.
func (f baseField) requireMontgomery(t *testing.T, product, got *big.Int) {
	t.Helper()
	r := f.r()
	back := new(big.Int).Mul(got, r)
	require.Zero(t, back.Sub(back, product).Mod(back, f.p).Sign(), "congruence")
	bound := new(big.Int).Add(new(big.Int).Div(product, r), f.p)
	require.LessOrEqual(t, got.Cmp(bound), 0, "bound")
}

func TestFieldDifference(t *testing.T) {
	forEdges(t, func(t *testing.T, f baseField, random *rand.Rand) {
		a, b := f.edges(random, f.loaded), f.edges(random, f.loaded)
		bias := new(big.Int).Add(f.loaded, times(f.p, 4))
		for i, got := range f.probe(t, opDifference, a, b) {
			want := new(big.Int).Sub(a[i], b[i])
			require.Zero(t, want.Add(want, bias).Cmp(got))
		}
	})
}

func TestFieldReductions(t *testing.T) {
	forEdges(t, func(t *testing.T, f baseField, random *rand.Rand) {
		a := f.edges(random, new(big.Int).Sub(f.r(), times(f.p, 2)))
		for i := range a {
			a[i].Add(a[i], f.p) // reduce takes values of at least p
		}
		reduced := f.probe(t, opReduce, a, a)
		for i, got := range reduced {
			require.Negative(t, got.Cmp(times(f.p, 3)))
			require.Zero(t, new(big.Int).Mod(a[i], f.p).Cmp(new(big.Int).Mod(got, f.p)))
		}
		small := f.edges(random, new(big.Int).Sub(times(f.p, 3), big.NewInt(1)))
		for i, got := range f.probe(t, opCanonical, small, small) {
			require.Zero(t, new(big.Int).Mod(small[i], f.p).Cmp(got))
		}
	})
}

func TestFieldInverse(t *testing.T) {
	forEdges(t, func(t *testing.T, f baseField, random *rand.Rand) {
		a := f.edges(random, new(big.Int).Sub(times(f.p, 2), big.NewInt(1)))
		out := make([]uint64, lanesOf*f.limbs)
		require.False(t, probe(f.curve, opInverse, f.limbsOf(a), f.limbsOf(a), out), "a zero among them")
		for i := range a {
			if new(big.Int).Mod(a[i], f.p).Sign() == 0 {
				a[i] = big.NewInt(int64(1 + i))
			}
		}
		square := new(big.Int).Mul(f.r(), f.r())
		for i, got := range f.probe(t, opInverse, a, a) {
			product := new(big.Int).Mul(a[i], got)
			require.Zero(t, product.Sub(product, square).Mod(product, f.p).Sign())
		}
	})
}
