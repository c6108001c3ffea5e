//go:build cgo && hostmath

package hostmath_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind/internal/hostmath"
)

// window is a range of numbers, counted in p and in ulps: units of the highest word.
type window struct{ p, ulps int64 }

func (w window) of(p *big.Int) *big.Int {
	ulps := new(big.Int).Lsh(big.NewInt(w.ulps), 224)
	return ulps.Add(ulps, new(big.Int).Mul(big.NewInt(w.p), p))
}

// TestLooseNumbers holds each operation to what ntt_butterfly.cuh counts on: numbers from one window end in another.
func TestLooseNumbers(t *testing.T) {
	for _, f := range scalarFields {
		notNegative := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), window{0, 1 << 20}.of(f.modulus))
		require.Negative(t, window{2, 4096}.of(f.modulus).Cmp(notNegative), "the largest sums fit")
		_, floor := f.field.Loose(hostmath.Lifted, littleEndian(big.NewInt(0), 32))
		for _, c := range []struct {
			name                 string
			op                   hostmath.LooseOp
			from, to, least, end window
		}{
			{"an element is lifted", hostmath.Lifted, window{}, window{1, 0}, window{0, floor}, window{1, floor}},
			{"a difference is lifted", hostmath.Lifted, window{-1, -4}, window{1, 250}, window{0, -4}, window{1, 250}},
			{"u keeps the floor", hostmath.LoweredToFloor, window{0, 16}, window{2, 490}, window{0, 16}, window{1, 490}},
			{"a sum loses p", hostmath.Lowered, window{}, window{2, 4096}, window{}, window{1, 4096}},
			{"a number below 2p becomes an element", hostmath.Reduced, window{}, window{2, 0}, window{}, window{1, 0}},
			{"a difference for a product", hostmath.NotBelowZero, window{0, -4096}, window{2, 4096}, window{}, window{2, 4096}},
		} {
			t.Run(f.name+"/"+c.name, func(t *testing.T) {
				for _, x := range between(c.from.of(f.modulus), c.to.of(f.modulus)) {
					checkLoose(t, f, c.op, x, c.least.of(f.modulus), c.end.of(f.modulus))
				}
			})
		}
		t.Run(f.name+"/what is lowered keeps the floor", func(t *testing.T) {
			least := window{0, floor}.of(f.modulus)
			for _, x := range between(least, window{2, 490}.of(f.modulus)) {
				checkLoose(t, f, hostmath.LoweredToFloor, x, least, window{1, 490}.of(f.modulus))
			}
		})
	}
}

// between gives numbers from a window: near its ends, near multiples of the modulus and of ulps, and any.
func between(from, to *big.Int) []*big.Int {
	var numbers []*big.Int
	width := new(big.Int).Sub(to, from)
	add := func(v *big.Int) {
		if v.Cmp(from) >= 0 && v.Cmp(to) < 0 {
			numbers = append(numbers, v)
		}
	}
	for _, p := range scalarFields {
		for multiple := int64(-1); multiple <= 2; multiple++ {
			for _, ulps := range []int64{-129, -128, -4, -1, 0, 1, 4, 127, 128, 129, 130} {
				for d := int64(-1); d <= 1; d++ {
					at := window{multiple, ulps}.of(p.modulus)
					add(at.Add(at, big.NewInt(d)))
				}
			}
		}
	}
	add(from)
	add(new(big.Int).Sub(to, big.NewInt(1)))
	for _, v := range randomBelow(width, 200) {
		add(v.Add(v, from))
	}
	return numbers
}

// checkLoose gives an operation x, negative numbers as 2^256 more, and requires the same number modulo p in a window.
func checkLoose(t *testing.T, f primeField, op hostmath.LooseOp, x, least, end *big.Int) {
	t.Helper()
	words := new(big.Int).Lsh(big.NewInt(1), 256)
	out, _ := f.field.Loose(op, littleEndian(new(big.Int).Mod(x, words), 32))
	got := fromMemory(out)
	if least.Sign() < 0 && got.Bit(255) == 1 {
		got.Sub(got, words)
	}
	require.Zero(t, new(big.Int).Mod(new(big.Int).Sub(x, got), f.modulus).Sign(), "%v became %v", x, got)
	require.GreaterOrEqual(t, got.Cmp(least), 0, "%v became %v", x, got)
	require.Negative(t, got.Cmp(end), "%v became %v", x, got)
}
