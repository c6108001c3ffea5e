//go:build cgo && linux

package gpu_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind"
)

func TestPointwise(t *testing.T) {
	t.Run("bn254", func(t *testing.T) { checkPointwise(t, bn254()) })
	t.Run("bls12-381", func(t *testing.T) { checkPointwise(t, bls12381()) })
}

func checkPointwise[E comparable, P arithmetic[E]](t *testing.T, f field[E, P]) {
	const n = 5000
	b, source := open(t), fresh(t)
	x, y, z := f.random(source, n), f.random(source, n), f.random(source, n)
	dx, dy, dz := b.upload(bytesOf(x)), b.upload(bytesOf(y)), b.upload(bytesOf(z))
	cases := map[cudabind.Pointwise]func(out *E, i int){
		cudabind.Add:    func(out *E, i int) { P(out).Add(&x[i], &y[i]) },
		cudabind.Sub:    func(out *E, i int) { P(out).Sub(&x[i], &y[i]) },
		cudabind.Mul:    func(out *E, i int) { P(out).Mul(&x[i], &y[i]) },
		cudabind.MulSub: func(out *E, i int) { P(out).Mul(&x[i], &y[i]); P(out).Sub(out, &z[i]) },
		cudabind.Scale:  func(out *E, i int) { P(out).Mul(&x[i], &y[0]) },
	}
	for op, expect := range cases {
		want := make([]E, n)
		for i := range want {
			expect(&want[i], i)
		}
		out := b.poisoned(n * cudabind.ScalarBytes)
		require.NoError(t, b.stream.Pointwise(f.curve, op, n, dx, dy, dz, out))
		require.Equal(t, want, valuesOf[E](b.download(out)), "operation %d", op)
	}
	plain := b.poisoned(n * cudabind.ScalarBytes)
	require.NoError(t, b.stream.Pointwise(f.curve, cudabind.ToCanonical, n, dx, nil, nil, plain))
	require.Equal(t, canonical[E, P](x), valuesOf[[4]uint64](b.download(plain)))
	require.NoError(t, b.stream.Pointwise(f.curve, cudabind.ToMontgomery, n, plain, nil, nil, plain))
	require.Equal(t, x, valuesOf[E](b.download(plain)))
}

func TestTransforms(t *testing.T) {
	for logN := 1; logN <= largest(t, 12, 19); logN++ {
		t.Run(fmt.Sprintf("bn254/2^%d", logN), func(t *testing.T) { checkTransform(t, bn254(), logN) })
		t.Run(fmt.Sprintf("bls12-381/2^%d", logN), func(t *testing.T) { checkTransform(t, bls12381(), logN) })
	}
}

func largest(t *testing.T, short, long int) int {
	if testing.Short() {
		return short
	}
	return long
}

func checkTransform[E comparable, P arithmetic[E]](t *testing.T, f field[E, P], logN int) {
	b := open(t)
	input := f.random(fresh(t), 1<<logN)
	table := b.nttTable(f.curve, logN, asBytes(f.root(logN)))
	shift := f.generator
	powers := b.powers(f.curve, logN, asBytes(shift), asBytes(f.number(1)))
	size := f.inverted(f.number(1 << logN))
	back := b.powers(f.curve, logN, asBytes(f.inverted(shift)), asBytes(size))

	values, coefficients := clone(input), clone(input)
	f.forward(logN, values)
	f.inverse(logN, coefficients)
	coset := clone(input)
	f.scaleByPowers(coset, shift, f.number(1))
	f.forward(logN, coset)
	cosetBack := clone(coefficients)
	f.scaleByPowers(cosetBack, f.inverted(shift), f.number(1))

	for _, c := range []struct {
		name      string
		direction cudabind.Direction
		powers    *cudabind.Buffer
		want      []E
	}{
		{"forward", cudabind.Forward, nil, values},
		{"inverse", cudabind.Inverse, nil, coefficients},
		{"coset forward", cudabind.Forward, powers, coset},
		{"coset inverse", cudabind.Inverse, back, cosetBack},
	} {
		for _, order := range []cudabind.Order{cudabind.Natural, cudabind.ToReversed, cudabind.FromReversed} {
			in, want := input, c.want
			if order == cudabind.FromReversed {
				in = reversed(input, logN)
			}
			if order == cudabind.ToReversed {
				want = reversed(want, logN)
			}
			data := b.upload(bytesOf(in))
			require.NoError(t, b.stream.NTT(f.curve, logN, table, c.direction, order, c.powers, data))
			require.True(t, equal(want, valuesOf[E](b.download(data))), "%s, order %d", c.name, order)
		}
	}
}

// Above the sizes gnark-crypto transforms quickly: a few values by Horner's rule, and the way back.
func TestLargeTransforms(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	for _, logN := range []int{22, 24, 25, 28} { // 28: factors beyond the cached row
		t.Run(fmt.Sprintf("bn254/2^%d", logN), func(t *testing.T) { checkLargeTransform(t, bn254(), logN) })
		t.Run(fmt.Sprintf("bls12-381/2^%d", logN), func(t *testing.T) { checkLargeTransform(t, bls12381(), logN) })
	}
}

func checkLargeTransform[E comparable, P arithmetic[E]](t *testing.T, f field[E, P], logN int) {
	b, source := open(t), fresh(t)
	input := f.random(source, 1<<logN)
	root := f.root(logN)
	table := b.nttTable(f.curve, logN, asBytes(root))
	data := b.upload(bytesOf(input))
	require.NoError(t, b.stream.NTT(f.curve, logN, table, cudabind.Forward, cudabind.Natural, nil, data))
	values := valuesOf[E](b.download(data))
	for _, at := range []int64{0, 1, 1<<logN - 1, source.Int64N(1 << logN)} {
		require.Equal(t, f.evaluate(input, f.power(root, at)), values[at], "value %d", at)
	}
	require.NoError(t, b.stream.NTT(f.curve, logN, table, cudabind.Inverse, cudabind.ToReversed, nil, data))
	require.NoError(t, b.stream.BitReverse(f.curve, logN, data))
	require.True(t, equal(input, valuesOf[E](b.download(data))), "there and back")
}

func (f field[E, P]) evaluate(coefficients []E, at E) E {
	var sum E
	for i := len(coefficients) - 1; i >= 0; i-- {
		P(&sum).Mul(&sum, &at)
		P(&sum).Add(&sum, &coefficients[i])
	}
	return sum
}

func TestQuotients(t *testing.T) {
	for _, logN := range []int{1, 2, 5, 10, 13} {
		t.Run(fmt.Sprintf("bn254/2^%d", logN), func(t *testing.T) { checkQuotient(t, bn254(), logN) })
		t.Run(fmt.Sprintf("bls12-381/2^%d", logN), func(t *testing.T) { checkQuotient(t, bls12381(), logN) })
	}
}

func checkQuotient[E comparable, P arithmetic[E]](t *testing.T, f field[E, P], logN int) {
	b, source := open(t), fresh(t)
	n := 1 << logN
	vectors := [][]E{f.random(source, n), f.random(source, n), f.random(source, n)}
	table := b.nttTable(f.curve, logN, asBytes(f.root(logN)))
	for _, form := range []struct {
		name  string
		shift E
		back  bool
	}{{"odd coset", f.root(logN + 1), false}, {"bellman", f.generator, true}} {
		size := f.inverted(f.number(uint64(n)))
		forth := b.powers(f.curve, logN, asBytes(form.shift), asBytes(size))
		var back *cudabind.Buffer
		want := f.onCoset(logN, vectors, form.shift)
		if form.back {
			z := f.power(form.shift, int64(n))
			one := f.number(1)
			P(&z).Sub(&z, &one)
			factor := f.product(size, f.inverted(z))
			back = b.powers(f.curve, logN, asBytes(f.inverted(form.shift)), asBytes(factor))
			f.inverse(logN, want)
			f.scaleByPowers(want, f.inverted(form.shift), f.inverted(z))
		}
		for _, plain := range []bool{false, true} {
			a, bb, c := b.upload(bytesOf(vectors[0])), b.upload(bytesOf(vectors[1])), b.upload(bytesOf(vectors[2]))
			require.NoError(t, b.stream.Quotient(f.curve, logN, table, forth, back, plain, a, bb, c))
			got := b.download(a)
			if plain {
				require.True(t, equal(canonical[E, P](want), valuesOf[[4]uint64](got)), "%s, canonical", form.name)
			} else {
				require.True(t, equal(want, valuesOf[E](got)), "%s", form.name)
			}
		}
	}
}

// onCoset is a b - c evaluated on shift times the domain.
func (f field[E, P]) onCoset(logN int, vectors [][]E, shift E) []E {
	moved := make([][]E, len(vectors))
	for i, v := range vectors {
		moved[i] = clone(v)
		f.inverse(logN, moved[i])
		f.scaleByPowers(moved[i], shift, f.number(1))
		f.forward(logN, moved[i])
	}
	out := make([]E, len(moved[0]))
	for i := range out {
		P(&out[i]).Mul(&moved[0][i], &moved[1][i])
		P(&out[i]).Sub(&out[i], &moved[2][i])
	}
	return out
}

func (b *bench) nttTable(curve cudabind.Curve, logN int, root []byte) *cudabind.Buffer {
	b.t.Helper()
	table := b.poisoned(cudabind.NTTTableBytes(curve, logN))
	require.NoError(b.t, b.stream.BuildNTTTable(curve, logN, root, table))
	return table
}

func (b *bench) powers(curve cudabind.Curve, logN int, base, factor []byte) *cudabind.Buffer {
	b.t.Helper()
	powers := b.poisoned(cudabind.PowersBytes(curve, logN))
	require.NoError(b.t, b.stream.BuildPowers(curve, logN, base, factor, powers))
	return powers
}

func asBytes[E any](value E) []byte { return clone(bytesOf([]E{value})) }

func clone[T any](values []T) []T { return append([]T(nil), values...) }

// equal compares without building the difference of two vectors of millions.
func equal[T comparable](a, b []T) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
