package transform_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	blsfr "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	blsfft "github.com/consensys/gnark-crypto/ecc/bls12-381/fr/fft"
	bnfr "github.com/consensys/gnark-crypto/ecc/bn254/fr"
	bnfft "github.com/consensys/gnark-crypto/ecc/bn254/fr/fft"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/engine/gnark"
	"github.com/proofgraph/proofgraph/proving/ifma/transform"
	"github.com/proofgraph/proofgraph/proving/internal/view"
)

var ctx = context.Background()

// pair is the kernels beside the engine that they must agree with bit for bit.
type pair struct {
	id      curve.ID
	kernels *transform.Scalars
	gnark   engine.Engine
}

func newPair(t testing.TB, id curve.ID) *pair {
	if ok, why := transform.Available(); !ok {
		t.Skip(why)
	}
	kernels, err := transform.New(id)
	require.NoError(t, err)
	other, err := gnark.New(id)
	require.NoError(t, err)
	return &pair{id, kernels, other}
}

func eachCurve(t *testing.T, test func(t *testing.T, p *pair)) {
	for _, id := range curve.All() {
		t.Run(id.String(), func(t *testing.T) { test(t, newPair(t, id)) })
	}
}

// fills are ways to make elements: words below r, which are also elements in Montgomery form.
var fills = map[string]func(rng *rand.Rand, r *big.Int) *big.Int{
	"zero":     func(*rand.Rand, *big.Int) *big.Int { return new(big.Int) },
	"one":      func(*rand.Rand, *big.Int) *big.Int { return big.NewInt(1) },
	"minusOne": func(_ *rand.Rand, r *big.Int) *big.Int { return new(big.Int).Sub(r, big.NewInt(1)) },
	"random":   random,
	"edges":    edge,
}

func random(rng *rand.Rand, r *big.Int) *big.Int {
	v := new(big.Int)
	for range 4 {
		v.Add(v.Lsh(v, 64), new(big.Int).SetUint64(rng.Uint64()))
	}
	return v.Mod(v, r)
}

// large is n random elements below 2^253, made faster than by big integers, on a cache line's boundary.
func large(n int) []byte {
	rng, v := rand.New(rand.NewPCG(uint64(n), 1)), view.Allocate(int64(32*n))
	for i := range 4 * n {
		word := rng.Uint64()
		if i%4 == 3 {
			word >>= 3
		}
		binary.LittleEndian.PutUint64(v[8*i:], word)
	}
	return v
}

// edge is zero, a small number, one near r, or one at or beside a limit of limbs or words.
func edge(rng *rand.Rand, r *big.Int) *big.Int {
	v := big.NewInt(int64(rng.IntN(3) - 1))
	switch rng.IntN(4) {
	case 0:
		v.Add(v, new(big.Int).Lsh(big.NewInt(1), uint(52*rng.IntN(5))))
	case 1:
		v.Add(v, new(big.Int).Lsh(big.NewInt(1), uint(64*rng.IntN(4))))
	case 2:
		v = random(rng, r)
	}
	return v.Mod(v, r)
}

// vector is n elements in the middle of guard bytes (or none), at an address that is a multiple of 8 but not of 16.
type vector struct{ whole, elements []byte }

const guard = 72

func (p *pair) vector(n int, seed uint64, fill func(*rand.Rand, *big.Int) *big.Int) *vector {
	rng, r := rand.New(rand.NewPCG(seed, uint64(n))), p.id.ScalarModulus()
	whole := view.Allocate(int64(32*n + 2*guard))
	for i := range whole {
		whole[i] = 0xa5
	}
	v := &vector{whole, whole[guard : guard+32*n]}
	for e := range slices.Chunk(v.elements, 32) {
		curve.PutLittleEndian(e, fill(rng, r))
	}
	return v
}

// check compares the elements and the guards.
func (v *vector) check(t require.TestingT, want []byte, what string) {
	require.True(t, slices.Equal(want, v.elements), what)
	if v.whole == nil {
		return
	}
	for _, b := range slices.Concat(v.whole[:guard], v.whole[len(v.whole)-guard:]) {
		require.Equal(t, byte(0xa5), b, "guard of %s", what)
	}
}

type transformation struct {
	name string
	of   func(e engine.DomainEngine, v []byte, threads int) error
}

var transformations = []transformation{
	{"Inverse", func(e engine.DomainEngine, v []byte, n int) error { return e.Inverse(ctx, v, nil, n) }},
	{"Forward", func(e engine.DomainEngine, v []byte, n int) error { return e.Forward(ctx, v, nil, n) }},
	{"ShiftToOdd", func(e engine.DomainEngine, v []byte, n int) error { return e.ShiftToOdd(ctx, v, n) }},
	{"ToCoset", func(e engine.DomainEngine, v []byte, n int) error { return e.ToCoset(ctx, v, nil, n) }},
}

func (p *pair) compare(t require.TestingT, v *vector, f transformation, threads int) {
	want := view.Allocate(int64(len(v.elements)))
	copy(want, v.elements)
	require.NoError(t, f.of(p.gnark, want, 2))
	require.NoError(t, f.of(p.kernels, v.elements, threads))
	v.check(t, want, fmt.Sprintf("%s of %d elements on %d threads", f.name, len(want)/32, threads))
}

func TestTransformsAgreeWithTheOtherEngine(t *testing.T) {
	eachCurve(t, func(t *testing.T, p *pair) {
		for log := 6; log <= 15; log++ {
			for name, fill := range fills {
				if log > 12 && name != "random" {
					continue
				}
				for i, f := range transformations {
					p.compare(t, p.vector(1<<log, uint64(log), fill), f, 1+(i+log)%3)
				}
			}
		}
	})
}

func TestLargeTransformsAgreeWithTheOtherEngine(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	eachCurve(t, func(t *testing.T, p *pair) {
		for log := 16; log <= 19; log++ {
			v := large(1 << log)
			p.compare(t, &vector{elements: v}, transformations[3], 1+log%2)
		}
	})
}

func TestAnyVectorTransformsAlike(t *testing.T) {
	eachCurve(t, func(t *testing.T, p *pair) {
		rapid.Check(t, func(t *rapid.T) {
			n := 1 << rapid.IntRange(6, 11).Draw(t, "log")
			fill := fills[rapid.SampledFrom([]string{"random", "edges"}).Draw(t, "fill")]
			v := p.vector(n, rapid.Uint64().Draw(t, "seed"), fill)
			p.compare(t, v, rapid.SampledFrom(transformations).Draw(t, "transform"), rapid.IntRange(0, 3).Draw(t, "threads"))
		})
	})
}

func TestInverseAgreesWithGnarkCrypto(t *testing.T) {
	for log := 6; log <= 12; log++ {
		n := uint64(1) << log
		t.Run(fmt.Sprintf("bn254/n=2^%d", log), func(t *testing.T) {
			domain := bnfft.NewDomain(n)
			compareInverse(t, curve.BN254, int(n), func(v []bnfr.Element) { domain.FFTInverse(v, bnfft.DIF) })
		})
	}
	// gnark-crypto takes the root of unity of another non-residue than iden3's files for BLS12-381, so only constant vectors,
	// whose coefficients do not depend on it, are alike.
	domain := blsfft.NewDomain(64)
	p := newPair(t, curve.BLS12381)
	v := p.vector(64, 1, fills["minusOne"])
	want := slices.Clone(v.elements)
	elements, err := view.Of[blsfr.Element](want)
	require.NoError(t, err)
	domain.FFTInverse(elements, blsfft.DIF)
	require.NoError(t, p.kernels.Inverse(ctx, v.elements, nil, 1))
	v.check(t, want, "inverse of a constant")
}

func compareInverse[E any](t *testing.T, id curve.ID, n int, inverse func([]E)) {
	p := newPair(t, id)
	v := p.vector(n, 7, random)
	original, want := slices.Clone(v.elements), slices.Clone(v.elements)
	elements, err := view.Of[E](want)
	require.NoError(t, err)
	inverse(elements)
	require.NoError(t, p.kernels.Inverse(ctx, v.elements, nil, 2))
	v.check(t, want, "inverse")
	require.NoError(t, p.kernels.Forward(ctx, v.elements, nil, 1))
	v.check(t, original, "forward of the inverse")
}

func TestToCosetIsItsThreeSteps(t *testing.T) {
	eachCurve(t, func(t *testing.T, p *pair) {
		for log := 6; log <= 17; log++ {
			v, w := p.vector(1<<log, 3, random), p.vector(1<<log, 3, random)
			for _, f := range transformations[:1] {
				require.NoError(t, f.of(p.kernels, w.elements, 3))
			}
			require.NoError(t, p.kernels.ShiftToOdd(ctx, w.elements, 2))
			require.NoError(t, p.kernels.Forward(ctx, w.elements, nil, 1))
			require.NoError(t, p.kernels.ToCoset(ctx, v.elements, nil, 2))
			v.check(t, w.elements, fmt.Sprintf("2^%d elements", log))
		}
	})
}

func TestWhatIsNotTransformed(t *testing.T) {
	eachCurve(t, func(t *testing.T, p *pair) {
		for _, f := range transformations {
			for _, n := range []int{0, 1, 32, 96, 100} {
				require.ErrorIs(t, f.of(p.kernels, make([]byte, 32*n), 1), engine.ErrDomainSize, "%s of %d", f.name, n)
			}
			require.ErrorIs(t, f.of(p.kernels, make([]byte, 33), 1), engine.ErrOperand)
			require.ErrorIs(t, f.of(p.kernels, make([]byte, 4+32*64)[4:], 1), engine.ErrOperand)
		}
		cancelled, cancel := context.WithCancel(ctx)
		cancel()
		v := p.vector(1024, 1, random)
		original := slices.Clone(v.elements)
		require.ErrorIs(t, p.kernels.ToCoset(cancelled, v.elements, nil, 2), context.Canceled)
		require.ErrorIs(t, p.kernels.MulSub(cancelled, v.elements, v.elements, v.elements, v.elements, 2), context.Canceled)
		v.check(t, original, "a cancelled operation")
	})
	_, err := transform.New(0)
	require.ErrorIs(t, err, curve.ErrUnknown)
}
