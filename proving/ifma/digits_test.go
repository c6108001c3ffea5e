package ifma

import (
	"math/big"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

// values puts the scalars together again from what Decompose made of them.
func (d *Digits) values() []*big.Int {
	values := sameScalar(d.n, 0)
	for _, ref := range d.units {
		signedAdd(values[ref&^(1<<31)], big.NewInt(1), ref>>31 == 1)
	}
	half := int64(1) << (d.shape.bits - 1)
	for w := range d.shape.windows {
		for i, ref := range d.general {
			digit := big.NewInt(int64(d.digits[w*len(d.general)+i]) - half)
			digit.Lsh(digit, uint(w*d.shape.bits))
			signedAdd(values[ref&^(1<<31)], digit, ref>>31 == 1)
		}
	}
	return values
}

func signedAdd(v, term *big.Int, negative bool) {
	if negative {
		v.Sub(v, term)
	} else {
		v.Add(v, term)
	}
}

func TestDecomposeKeepsScalars(t *testing.T) {
	requireKernels(t)
	for _, r := range references() {
		if r.group == G2 {
			continue
		}
		random := rand.New(rand.NewSource(1))
		for _, n := range []int{0, 1, 15, 16, 17, 40, 200, 600, 3000, 9000, 40000} {
			want := randomScalars(random, r.order, n)
			for i := 0; i < n; i += 3 {
				want[i] = big.NewInt(int64(random.Intn(3) - 1))
				want[i].Mod(want[i], r.order)
			}
			for form, scalars := range map[ScalarForm][]byte{Montgomery: r.scalars(want), Canonical: canonical(want)} {
				memory := make([]byte, DigitsBytes(n))
				digits, err := Decompose(t.Context(), r.curve, scalars, form, memory, 2)
				require.NoError(t, err)
				for i, v := range digits.values() {
					require.Zero(t, want[i].Cmp(v.Mod(v, r.order)), "%s n=%d form=%d scalar %d", r.name, n, form, i)
				}
			}
		}
	}
}

// Small scalars take few windows.
func TestWindowsFollowMagnitude(t *testing.T) {
	requireKernels(t)
	r := references()[0]
	values := sameScalar(1000, 0)
	for i := range values {
		values[i].SetInt64(int64(2 + i))
		if i%2 == 1 {
			values[i].Sub(r.order, values[i])
		}
	}
	digits, err := Decompose(t.Context(), BN254, canonical(values), Canonical, make([]byte, DigitsBytes(1000)), 1)
	require.NoError(t, err)
	require.Equal(t, 2, digits.shape.windows)
}

// For every window size, the digits of every magnitude fit: the last stays below half its range.
func TestWindowCountLeavesRoom(t *testing.T) {
	for window := 4; window <= 16; window++ {
		for magnitude := 2; magnitude <= magnitudeBits; magnitude++ {
			windows := windowCount(magnitude, window)
			top := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(magnitude)), big.NewInt(1))
			if magnitude == magnitudeBits {
				top.Rsh(references()[2].order, 1)
			}
			for w := range windows - 1 {
				top.Add(top, new(big.Int).Lsh(big.NewInt(1), uint(w*window+window-1)))
			}
			top.Rsh(top, uint((windows-1)*window))
			require.Less(t, top.Int64(), int64(1)<<(window-1), "window=%d magnitude=%d", window, magnitude)
		}
	}
}

// Parts of windows cover every bucket once, whatever the number of threads.
func TestPartsCoverBuckets(t *testing.T) {
	for _, s := range []shape{{4, 64}, {13, 20}, {15, 17}, {16, 1}} {
		for _, threads := range []int{1, 2, 3, 16, 17, 100} {
			next := make([]int, s.windows)
			for _, part := range s.parts(threads) {
				require.Equal(t, max(next[part.window], 1), part.low)
				require.Greater(t, part.high, part.low)
				next[part.window] = part.high
			}
			for w, high := range next {
				require.Equal(t, bucketsOf(s.bits), high, "%v, %d threads, window %d", s, threads, w)
			}
		}
	}
}
