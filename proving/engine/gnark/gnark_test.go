package gnark_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bn254"
	bnfr "github.com/consensys/gnark-crypto/ecc/bn254/fr"
	"github.com/consensys/gnark-crypto/ecc/bn254/fr/fft"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/engine/gnark"
	"github.com/proofgraph/proofgraph/proving/internal/view"
)

var ctx = context.Background()

func eachCurve(t *testing.T, test func(t *testing.T, e engine.Engine)) {
	for _, id := range curve.All() {
		t.Run(id.String(), func(t *testing.T) {
			e, err := gnark.New(id)
			require.NoError(t, err)
			test(t, e)
		})
	}
}

// scalars are seeded and in canonical form; some of them are 0, 1 and r-1.
func scalars(id curve.ID, n int, seed uint64) []byte {
	rng := rand.New(rand.NewPCG(seed, 1))
	out := make([]byte, n*curve.ScalarSize)
	for i := range n {
		e := out[i*curve.ScalarSize:][:curve.ScalarSize]
		switch rng.IntN(4) {
		case 0:
			e[0] = byte(rng.IntN(2))
		case 1:
			minusOne := new(big.Int).Sub(id.ScalarModulus(), big.NewInt(1))
			curve.PutLittleEndian(e, minusOne)
		default:
			for j := 0; j < 32; j += 8 {
				binary.LittleEndian.PutUint64(e[j:], rng.Uint64())
			}
			curve.PutLittleEndian(e, new(big.Int).Mod(curve.FromLittleEndian(e), id.ScalarModulus()))
		}
	}
	return out
}

func montgomery(t *testing.T, e engine.Engine, canonical []byte) []byte {
	out := make([]byte, len(canonical))
	require.NoError(t, e.ToMontgomery(ctx, out, canonical, 2))
	return out
}

func integers(t *testing.T, e engine.Engine, v []byte) []*big.Int {
	out := make([]byte, len(v))
	require.NoError(t, e.ToCanonical(ctx, out, v, 2))
	var list []*big.Int
	for element := range slices.Chunk(out, curve.ScalarSize) {
		list = append(list, curve.FromLittleEndian(element))
	}
	return list
}

func TestToCosetEvaluatesThePolynomialThere(t *testing.T) {
	eachCurve(t, func(t *testing.T, e engine.Engine) {
		const n = 16
		r := e.Curve().ScalarModulus()
		g := new(big.Int).Exp(e.Curve().RootOfUnity(), new(big.Int).Lsh(big.NewInt(1), uint(e.Curve().TwoAdicity()-5)), r)
		omega := new(big.Int).Mod(new(big.Int).Mul(g, g), r)
		coefficients := integers(t, e, montgomery(t, e, scalars(e.Curve(), n, 3)))
		at := func(shift *big.Int, i int64) *big.Int {
			x := new(big.Int).Exp(omega, big.NewInt(i), r)
			x.Mul(x, shift)
			y := new(big.Int)
			for _, c := range slices.Backward(coefficients) {
				y.Mod(y.Add(y.Mul(y, x), c), r)
			}
			return y
		}
		v := make([]byte, n*curve.ScalarSize)
		for i := range n {
			curve.PutLittleEndian(v[i*32:][:32], at(big.NewInt(1), int64(i)))
		}
		v = montgomery(t, e, v)
		require.NoError(t, e.ToCoset(ctx, v, nil, 1))
		for i, got := range integers(t, e, v) {
			require.Zero(t, got.Cmp(at(g, int64(i))), "evaluation %d", i)
		}
	})
}

func TestTransformsAgreeWithGnarkCrypto(t *testing.T) {
	e, err := gnark.New(curve.BN254)
	require.NoError(t, err)
	for logn := range 17 {
		t.Run(fmt.Sprintf("n=2^%d", logn), func(t *testing.T) {
			n := 1 << logn
			v := montgomery(t, e, scalars(curve.BN254, n, uint64(logn)))
			want := slices.Clone(v)
			d := fft.NewDomain(uint64(n))
			elements, err := view.Of[bnfr.Element](want)
			require.NoError(t, err)
			d.FFTInverse(elements, fft.DIF)
			original := slices.Clone(v)
			require.NoError(t, e.Inverse(ctx, v, nil, 1+logn%3))
			require.True(t, slices.Equal(want, v), "inverse")
			require.NoError(t, e.Forward(ctx, v, nil, 1+logn%3))
			require.True(t, slices.Equal(original, v), "forward")
		})
	}
}

func TestToCosetIsItsThreeSteps(t *testing.T) {
	eachCurve(t, func(t *testing.T, e engine.Engine) {
		for _, logn := range []int{0, 1, 2, 3, 5, 8, 9, 13, 14, 17} {
			v := montgomery(t, e, scalars(e.Curve(), 1<<logn, 9))
			w := slices.Clone(v)
			require.NoError(t, e.ToCoset(ctx, v, nil, 2))
			require.NoError(t, e.Inverse(ctx, w, nil, 3))
			require.NoError(t, e.ShiftToOdd(ctx, w, 2))
			require.NoError(t, e.Forward(ctx, w, nil, 1))
			require.True(t, slices.Equal(v, w), "n = 2^%d", logn)
		}
	})
}

func TestDomainsThatDoNotExist(t *testing.T) {
	eachCurve(t, func(t *testing.T, e engine.Engine) {
		for _, n := range []int{0, 3, 12} {
			require.ErrorIs(t, e.ToCoset(ctx, make([]byte, 32*n), nil, 1), engine.ErrDomainSize, "%d elements", n)
		}
		require.ErrorIs(t, e.Inverse(ctx, make([]byte, 33), nil, 1), engine.ErrOperand)
		unaligned := make([]byte, 4+32)[4:]
		require.ErrorIs(t, e.Forward(ctx, unaligned, nil, 1), engine.ErrOperand)
	})
}

func TestVectorOperationsAgreeWithIntegers(t *testing.T) {
	eachCurve(t, func(t *testing.T, e engine.Engine) {
		r := e.Curve().ScalarModulus()
		for _, n := range []int{1, 7, 8, 255, 256, 257, 1000} {
			a, b, c := montgomery(t, e, scalars(e.Curve(), n, 1)), montgomery(t, e, scalars(e.Curve(), n, 2)), montgomery(t, e, scalars(e.Curve(), n, 3))
			ai, bi, ci := integers(t, e, a), integers(t, e, b), integers(t, e, c)
			product, difference := make([]byte, 32*n), make([]byte, 32*n)
			require.NoError(t, e.Mul(ctx, product, a, b, 2))
			require.NoError(t, e.Sub(ctx, difference, a, b, 2))
			require.NoError(t, e.MulSub(ctx, c, a, b, c, 2))
			pi, di, mi := integers(t, e, product), integers(t, e, difference), integers(t, e, c)
			for i := range n {
				ab := new(big.Int).Mul(ai[i], bi[i])
				require.Zero(t, pi[i].Cmp(new(big.Int).Mod(ab, r)))
				require.Zero(t, di[i].Cmp(new(big.Int).Mod(new(big.Int).Sub(ai[i], bi[i]), r)))
				require.Zero(t, mi[i].Cmp(new(big.Int).Mod(ab.Sub(ab, ci[i]), r)))
			}
		}
		require.ErrorIs(t, e.Mul(ctx, make([]byte, 32), make([]byte, 64), make([]byte, 64), 1), engine.ErrOperand)
	})
}

// points are small multiples of the generator, some of them infinity and some equal; weights are their logarithms.
func points(id curve.ID, g curve.Group, n int) (bytes []byte, weights []int64) {
	rng := rand.New(rand.NewPCG(uint64(g), uint64(id)))
	for range n {
		k := int64(rng.IntN(20))
		weights = append(weights, k)
		bytes = append(bytes, multiple(id, g, big.NewInt(k))...)
	}
	return bytes, weights
}

func multiple(id curve.ID, g curve.Group, k *big.Int) []byte {
	switch {
	case id == curve.BN254 && g == curve.G1:
		return slices.Clone(view.One(new(bn254.G1Affine).ScalarMultiplicationBase(k)))
	case id == curve.BN254:
		return slices.Clone(view.One(new(bn254.G2Affine).ScalarMultiplicationBase(k)))
	case g == curve.G1:
		return slices.Clone(view.One(new(bls12381.G1Affine).ScalarMultiplicationBase(k)))
	}
	return slices.Clone(view.One(new(bls12381.G2Affine).ScalarMultiplicationBase(k)))
}

func TestMSMIsTheWeightedSum(t *testing.T) {
	eachCurve(t, func(t *testing.T, e engine.Engine) {
		r := e.Curve().ScalarModulus()
		for _, g := range []curve.Group{curve.G1, curve.G2} {
			for _, n := range []int{0, 1, 2, 33, 300} {
				p, logs := points(e.Curve(), g, n)
				canonical := scalars(e.Curve(), n, uint64(n))
				total := new(big.Int)
				for i, log := range logs {
					k := curve.FromLittleEndian(canonical[32*i:][:32])
					total.Mod(total.Add(total, k.Mul(k, big.NewInt(log))), r)
				}
				want := multiple(e.Curve(), g, total)
				for form, s := range [][]byte{canonical, montgomery(t, e, canonical)} {
					out := make([]byte, e.Curve().PointSize(g))
					scratch := make([]byte, e.MSMNeed(g, n, 2).Scratch)
					require.NoError(t, e.MSM(ctx, g, out, unaligned(p), unaligned(s), engine.Form(form), scratch, 2))
					require.Equal(t, want, out, "%s n=%d form=%d", g, n, form)
				}
			}
		}
	})
}

// unaligned copies b to where no word begins.
func unaligned(b []byte) []byte {
	buffer := make([]byte, len(b)+4)
	copy(buffer[4:], b)
	return buffer[4:]
}

func TestMSMRefusesBadOperands(t *testing.T) {
	eachCurve(t, func(t *testing.T, e engine.Engine) {
		size := e.Curve().PointSize(curve.G1)
		scratch := make([]byte, e.MSMNeed(curve.G1, 4, 1).Scratch)
		call := func(g curve.Group, out, points, scalars int, scratch []byte) error {
			return e.MSM(ctx, g, make([]byte, out), make([]byte, points), make([]byte, scalars), engine.Canonical, scratch, 1)
		}
		require.NoError(t, call(curve.G1, size, 4*size, 4*32, scratch))
		require.ErrorIs(t, call(3, size, 4*size, 4*32, scratch), engine.ErrOperand)
		require.ErrorIs(t, call(curve.G1, size-1, 4*size, 4*32, scratch), engine.ErrOperand)
		require.ErrorIs(t, call(curve.G1, size, 3*size, 4*32, scratch), engine.ErrOperand)
		require.ErrorIs(t, call(curve.G1, size, 4*size, 4*32-1, scratch), engine.ErrOperand)
		require.ErrorIs(t, call(curve.G1, size, 4*size, 4*32, scratch[:len(scratch)-1]), engine.ErrOperand)
		require.ErrorIs(t, call(curve.G1, size, 4*size, 4*32, append(make([]byte, 4), scratch...)[4:]), engine.ErrOperand)
	})
}

func TestCancelledOperationsSaySo(t *testing.T) {
	eachCurve(t, func(t *testing.T, e engine.Engine) {
		cancelled, cancel := context.WithCancel(ctx)
		cancel()
		v := make([]byte, 1<<10)
		size := e.Curve().PointSize(curve.G1)
		require.ErrorIs(t, e.ToCoset(cancelled, v, nil, 2), context.Canceled)
		require.ErrorIs(t, e.Mul(cancelled, v, v, v, 2), context.Canceled)
		require.ErrorIs(t, e.Evaluate(cancelled, engine.Evaluations{A: v}, nil, nil, 1), context.Canceled)
		require.ErrorIs(t, e.MSM(cancelled, curve.G1, make([]byte, size), make([]byte, size), make([]byte, 32),
			engine.Canonical, make([]byte, size+32), 1), context.Canceled)
	})
}

func TestRootOfUnityIsOfItsOrder(t *testing.T) {
	for _, id := range curve.All() {
		r, root := id.ScalarModulus(), id.RootOfUnity()
		half := new(big.Int).Exp(root, new(big.Int).Lsh(big.NewInt(1), uint(id.TwoAdicity()-1)), r)
		require.Zero(t, half.Cmp(new(big.Int).Sub(r, big.NewInt(1))), id)
		require.Equal(t, id.TwoAdicity(), bits.TrailingZeros64(new(big.Int).Sub(r, big.NewInt(1)).Uint64()))
	}
}
