//go:build cgo && linux

package gpu_test

import (
	"math/big"
	"math/rand/v2"
	"unsafe"

	blsfr "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	blsfft "github.com/consensys/gnark-crypto/ecc/bls12-381/fr/fft"
	bnfr "github.com/consensys/gnark-crypto/ecc/bn254/fr"
	bnfft "github.com/consensys/gnark-crypto/ecc/bn254/fr/fft"

	"github.com/proofgraph/proofgraph/cudabind"
)

// arithmetic is what the tests need of gnark-crypto's scalar field elements.
type arithmetic[E any] interface {
	*E
	Add(a, b *E) *E
	Sub(a, b *E) *E
	Mul(a, b *E) *E
	Inverse(a *E) *E
	Exp(a E, exponent *big.Int) *E
	SetUint64(uint64) *E
	SetBigInt(*big.Int) *E
	Bits() [4]uint64
}

// field is one scalar field with gnark-crypto's transforms as the reference: natural order in and out.
type field[E comparable, P arithmetic[E]] struct {
	name      string
	curve     cudabind.Curve
	modulus   *big.Int
	generator E // of the multiplicative group
	root      func(logN int) E
	forward   func(logN int, values []E)
	inverse   func(logN int, values []E)
}

func bn254() field[bnfr.Element, *bnfr.Element] {
	domain := func(logN int) *bnfft.Domain { return bnfft.NewDomain(1 << logN) }
	return field[bnfr.Element, *bnfr.Element]{
		"bn254", cudabind.BN254, bnfr.Modulus(), domain(1).FrMultiplicativeGen,
		func(logN int) bnfr.Element { return domain(logN).Generator },
		func(logN int, v []bnfr.Element) { domain(logN).FFT(v, bnfft.DIF); bnfft.BitReverse(v) },
		func(logN int, v []bnfr.Element) { domain(logN).FFTInverse(v, bnfft.DIF); bnfft.BitReverse(v) },
	}
}

func bls12381() field[blsfr.Element, *blsfr.Element] {
	domain := func(logN int) *blsfft.Domain { return blsfft.NewDomain(1 << logN) }
	return field[blsfr.Element, *blsfr.Element]{
		"bls12-381", cudabind.BLS12381, blsfr.Modulus(), domain(1).FrMultiplicativeGen,
		func(logN int) blsfr.Element { return domain(logN).Generator },
		func(logN int, v []blsfr.Element) { domain(logN).FFT(v, blsfft.DIF); blsfft.BitReverse(v) },
		func(logN int, v []blsfr.Element) { domain(logN).FFTInverse(v, blsfft.DIF); blsfft.BitReverse(v) },
	}
}

// random fills a vector, with the field's edges (0, 1, -1) strewn in.
func (f field[E, P]) random(source *rand.Rand, n int) []E {
	var one, zero E
	P(&one).SetUint64(1)
	minusOne := zero
	P(&minusOne).Sub(&zero, &one)
	edges := []E{zero, one, minusOne}
	values := make([]E, n)
	words := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(values))), 4*n)
	for i := range values {
		// Any words below the modulus are some element's Montgomery form.
		for j := range 4 {
			words[4*i+j] = source.Uint64()
		}
		words[4*i+3] >>= 3
		if source.IntN(16) == 0 {
			values[i] = edges[source.IntN(3)]
		}
	}
	return values
}

// canonical gives elements as plain integers, the form MSM scalars have.
func canonical[E comparable, P arithmetic[E]](values []E) [][4]uint64 {
	out := make([][4]uint64, len(values))
	for i := range values {
		out[i] = P(&values[i]).Bits()
	}
	return out
}

func (f field[E, P]) power(base E, exponent int64) E {
	var out E
	P(&out).Exp(base, big.NewInt(exponent))
	return out
}

func (f field[E, P]) inverted(a E) E {
	var out E
	P(&out).Inverse(&a)
	return out
}

func (f field[E, P]) product(a, b E) E {
	var out E
	P(&out).Mul(&a, &b)
	return out
}

func (f field[E, P]) number(n uint64) E {
	var out E
	P(&out).SetUint64(n)
	return out
}

// scaleByPowers multiplies value i by factor base^i.
func (f field[E, P]) scaleByPowers(values []E, base, factor E) {
	for i := range values {
		P(&values[i]).Mul(&values[i], &factor)
		P(&factor).Mul(&factor, &base)
	}
}

func reversed[E any](values []E, logN int) []E {
	out := make([]E, len(values))
	for i := range values {
		j := 0
		for bit := range logN {
			j |= (i >> bit & 1) << (logN - 1 - bit)
		}
		out[j] = values[i]
	}
	return out
}
