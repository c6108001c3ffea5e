package ifma

import (
	"bytes"
	"context"
	"math/big"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func requireKernels(t testing.TB) {
	if ok, reason := Available(); !ok {
		t.Skip(reason)
	}
}

// forEachGroup runs body for every group of every curve.
func forEachGroup(t *testing.T, body func(t *testing.T, r reference)) {
	requireKernels(t)
	for _, r := range references() {
		t.Run(r.name, func(t *testing.T) { body(t, r) })
	}
}

// requireMatch holds the kernels to gnark-crypto's result, with scalars in both forms.
func requireMatch(t testing.TB, r reference, points []byte, values []*big.Int, threads int) {
	t.Helper()
	montgomery := r.scalars(values)
	want := r.msm(points, montgomery, threads)
	require.Equal(t, want, kernelMSM(t, r, points, montgomery, Montgomery, threads), "Montgomery form")
	require.Equal(t, want, kernelMSM(t, r, points, canonical(values), Canonical, threads), "canonical form")
}

// Lengths around those of lanes (16), of tables of window sizes, and of chunks (8192, in G2 4096).
func TestMSMLengths(t *testing.T) {
	forEachGroup(t, func(t *testing.T, r reference) {
		random := rand.New(rand.NewSource(1))
		lengths := []int{0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 127, 128, 129, 511, 512, 513, 2047, 2048}
		if r.group == G1 {
			lengths = append(lengths, 8191, 8192, 8193)
		}
		for _, n := range lengths {
			requireMatch(t, r, r.pool(n), randomScalars(random, r.order, n), 1+n%3)
		}
	})
}

func TestMSMThreads(t *testing.T) {
	forEachGroup(t, func(t *testing.T, r reference) {
		values := randomScalars(rand.New(rand.NewSource(2)), r.order, 700)
		want := r.msm(r.pool(700), r.scalars(values), 1)
		for _, threads := range []int{1, 2, 3, 4, 7, 16, 41, 100} {
			require.Equal(t, want, kernelMSM(t, r, r.pool(700), r.scalars(values), Montgomery, threads), "%d threads", threads)
		}
	})
}

func TestMSMUnalignedPoints(t *testing.T) {
	forEachGroup(t, func(t *testing.T, r reference) {
		values := randomScalars(rand.New(rand.NewSource(3)), r.order, 300)
		want := r.msm(r.pool(300), r.scalars(values), 1)
		for _, offset := range []int{1, 4, 8, 36} {
			shifted := append(make([]byte, offset), r.pool(300)...)[offset:]
			scalars := append(make([]byte, offset), r.scalars(values)...)[offset:]
			require.Equal(t, want, kernelMSM(t, r, shifted, scalars, Montgomery, 2), "offset %d", offset)
		}
	})
}

// hardCase makes points and scalars that simple code gets wrong.
type hardCase struct {
	name string
	make func(r reference, random *rand.Rand) (points []byte, values []*big.Int)
}

var hardCases = []hardCase{
	{"all points equal", func(r reference, random *rand.Rand) ([]byte, []*big.Int) {
		return r.choose(600, func(int) choice { return choice{point: 5} }), randomScalars(random, r.order, 600)
	}},
	{"all points equal in one bucket", func(r reference, _ *rand.Rand) ([]byte, []*big.Int) {
		return r.choose(600, func(int) choice { return choice{point: 5} }), sameScalar(600, 12345)
	}},
	{"one bucket", func(r reference, _ *rand.Rand) ([]byte, []*big.Int) {
		return r.pool(2000), sameScalar(2000, 77)
	}},
	{"opposite points in one bucket", func(r reference, _ *rand.Rand) ([]byte, []*big.Int) {
		return r.choose(601, func(i int) choice { return choice{point: i / 2, negate: i%2 == 1} }), sameScalar(601, 9)
	}},
	{"opposite scalars of one point", func(r reference, _ *rand.Rand) ([]byte, []*big.Int) {
		values := sameScalar(600, 1000)
		for i := range values[:300] {
			values[i].Sub(r.order, values[i])
		}
		return r.choose(600, func(int) choice { return choice{point: 3} }), values
	}},
	{"few points many times", func(r reference, random *rand.Rand) ([]byte, []*big.Int) {
		pick := func(int) choice { return choice{point: random.Intn(11), negate: random.Intn(2) == 0} }
		return r.choose(1500, pick), randomScalars(random, r.order, 1500)
	}},
	{"stacks that pass through infinity", stacksThroughInfinity},
	{"every third point at infinity", func(r reference, random *rand.Rand) ([]byte, []*big.Int) {
		return r.choose(1000, func(i int) choice { return choice{point: i, infinity: i%3 == 0} }), randomScalars(random, r.order, 1000)
	}},
	{"all points at infinity", func(r reference, random *rand.Rand) ([]byte, []*big.Int) {
		return r.choose(100, func(i int) choice { return choice{infinity: true} }), randomScalars(random, r.order, 100)
	}},
	{"zeros", func(r reference, _ *rand.Rand) ([]byte, []*big.Int) { return r.pool(100), sameScalar(100, 0) }},
	{"ones", func(r reference, _ *rand.Rand) ([]byte, []*big.Int) { return r.pool(2500), sameScalar(2500, 1) }},
	{"ones of infinity", func(r reference, _ *rand.Rand) ([]byte, []*big.Int) {
		return r.choose(300, func(i int) choice { return choice{point: i, infinity: i != 7} }), sameScalar(300, 1)
	}},
	{"zeros, ones and minus ones", func(r reference, random *rand.Rand) ([]byte, []*big.Int) {
		values := sameScalar(2000, 0)
		for i := range values {
			values[i].Mod(big.NewInt(int64(random.Intn(3)-1)), r.order)
		}
		return r.pool(2000), values
	}},
	{"powers of two and their neighbours", func(r reference, _ *rand.Rand) ([]byte, []*big.Int) {
		var values []*big.Int
		for bit := range r.order.BitLen() {
			for d := int64(-1); d <= 1; d++ {
				v := new(big.Int).Lsh(big.NewInt(1), uint(bit))
				values = append(values, v.Mod(v.Add(v, big.NewInt(d)), r.order))
			}
		}
		return r.pool(len(values)), values
	}},
	{"around half the order", func(r reference, _ *rand.Rand) ([]byte, []*big.Int) {
		var values []*big.Int
		for d := int64(-20); d < 20; d++ {
			half := new(big.Int).Rsh(r.order, 1)
			values = append(values, half.Add(half, big.NewInt(d)), new(big.Int).Mod(big.NewInt(d), r.order))
		}
		return r.pool(len(values)), values
	}},
	{"64-bit scalars", func(r reference, random *rand.Rand) ([]byte, []*big.Int) {
		values := sameScalar(1000, 0)
		for i := range values {
			values[i].SetUint64(random.Uint64())
		}
		return r.pool(1000), values
	}},
}

func TestMSMHardCases(t *testing.T) {
	forEachGroup(t, func(t *testing.T, r reference) {
		for _, c := range hardCases {
			t.Run(c.name, func(t *testing.T) {
				points, values := c.make(r, rand.New(rand.NewSource(4)))
				requireMatch(t, r, points, values, 2)
			})
		}
	})
}

// stacksThroughInfinity gives several hundred buckets of one window the same pattern: P - P + Q + Q - Q + S - S - S ...
func stacksThroughInfinity(r reference, _ *rand.Rand) ([]byte, []*big.Int) {
	pattern := []choice{
		{point: 0}, {point: 0, negate: true}, {point: 1}, {point: 1}, {point: 1, negate: true},
		{point: 2}, {point: 2, negate: true}, {point: 3, negate: true},
	}
	const buckets = 400
	var values []*big.Int
	points := r.choose(buckets*len(pattern), func(i int) choice {
		values = append(values, big.NewInt(int64(2+i%buckets)))
		c := pattern[i/buckets]
		c.point += i % 100
		return c
	})
	return points, values
}

// Segments longer than a chunk hand partial sums on to the next one: of many points, of one point, and of opposite ones that
// leave nothing.
func TestMSMLongSegments(t *testing.T) {
	forEachGroup(t, func(t *testing.T, r reference) {
		const n = 17001
		for name, pick := range map[string]func(i int) choice{
			"many points":     func(i int) choice { return choice{point: i % 2600} },
			"one point":       func(int) choice { return choice{point: 1} },
			"opposite points": func(i int) choice { return choice{point: i / 2 % 1000, negate: i%2 == 1} },
		} {
			for _, scalar := range []int64{1, 6} {
				points, scalars := r.choose(n, pick), r.scalars(sameScalar(n, scalar))
				require.Equal(t, r.msm(points, scalars, 2), kernelMSM(t, r, points, scalars, Montgomery, 1), "%s, scalar %d", name, scalar)
			}
		}
	})
}

// More stacks than are summed together at the end are higher than stacks may be.
func TestMSMTallStacks(t *testing.T) {
	requireKernels(t)
	for _, r := range references() {
		if r.group == G2 {
			continue
		}
		const buckets, height = 150, 530
		values := make([]*big.Int, buckets*height)
		for i := range values {
			values[i] = big.NewInt(int64(2 + i%buckets))
		}
		points, scalars := r.choose(len(values), func(i int) choice { return choice{point: i % 2600} }), r.scalars(values)
		require.Equal(t, r.msm(points, scalars, 2), kernelMSM(t, r, points, scalars, Montgomery, 2), r.name)
	}
}

// Numbers that are no reduced scalars, or no coordinates, give some result, and touch nothing that is not theirs.
func TestUnreducedInput(t *testing.T) {
	forEachGroup(t, func(t *testing.T, r reference) {
		const n = 300
		random := rand.New(rand.NewSource(8))
		values, scalars := make([]*big.Int, n), make([]byte, n*ScalarBytes)
		for i := range values {
			random.Read(scalars[i*ScalarBytes : (i+1)*ScalarBytes])
			number := bytes.Clone(scalars[i*ScalarBytes : (i+1)*ScalarBytes])
			reverse(number)
			values[i] = new(big.Int).SetBytes(number)
			values[i].Mod(values[i], r.order)
		}
		want := r.msm(r.pool(n), r.scalars(values), 1)
		require.Equal(t, want, kernelMSM(t, r, r.pool(n), scalars, Canonical, 2))
		garbage := make([]byte, n*PointBytes(r.curve, r.group))
		random.Read(garbage)
		kernelMSM(t, r, garbage, scalars, Montgomery, 2)
	})
}

// choice picks a point: one of the pool, perhaps negated, or infinity.
type choice struct {
	point            int
	negate, infinity bool
}

// choose makes n points by their choices.
func (r reference) choose(n int, pick func(i int) choice) []byte {
	size := PointBytes(r.curve, r.group)
	pool, opposite := r.pool(2600), r.opposites(2600)
	points := make([]byte, n*size)
	for i := range n {
		switch c := pick(i); {
		case c.infinity:
		case c.negate:
			copy(points[i*size:(i+1)*size], opposite[c.point*size:])
		default:
			copy(points[i*size:(i+1)*size], pool[c.point*size:])
		}
	}
	return points
}

func sameScalar(n int, v int64) []*big.Int {
	values := make([]*big.Int, n)
	for i := range values {
		values[i] = big.NewInt(v)
	}
	return values
}

// drawScalar draws a scalar that may be special.
func drawScalar(t *rapid.T, order *big.Int) *big.Int {
	v := new(big.Int)
	switch rapid.IntRange(0, 4).Draw(t, "kind") {
	case 0:
		v.SetInt64(int64(rapid.IntRange(-3, 3).Draw(t, "small")))
	case 1:
		v.SetUint64(rapid.Uint64().Draw(t, "word"))
	case 2:
		v.Lsh(big.NewInt(1), uint(rapid.IntRange(0, 254).Draw(t, "bit")))
		v.Add(v, big.NewInt(int64(rapid.IntRange(-1, 1).Draw(t, "off"))))
	default:
		v.SetBytes(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "bytes"))
	}
	return v.Mod(v, order)
}

func TestMSMProperty(t *testing.T) {
	forEachGroup(t, func(t *testing.T, r reference) {
		rapid.Check(t, func(t *rapid.T) {
			n := rapid.IntRange(0, 60).Draw(t, "n")
			values := make([]*big.Int, n)
			for i := range values {
				values[i] = drawScalar(t, r.order)
			}
			points := r.choose(n, func(int) choice {
				return choice{rapid.IntRange(0, 9).Draw(t, "point"), rapid.Bool().Draw(t, "negate"), rapid.IntRange(0, 9).Draw(t, "infinity") == 0}
			})
			montgomery, threads := r.scalars(values), rapid.IntRange(1, 3).Draw(t, "threads")
			want := r.msm(points, montgomery, 1)
			scratch := make([]byte, ScratchBytes(r.curve, r.group, n, threads))
			out := make([]byte, PointBytes(r.curve, r.group))
			require.NoError(t, MSM(context.Background(), r.curve, r.group, out, points, montgomery, Montgomery, scratch, threads))
			require.Equal(t, want, out)
		})
	})
}

// One decomposition serves several MSMs, in both groups of a curve.
func TestDigitsAreShared(t *testing.T) {
	requireKernels(t)
	all := references()
	for i := 0; i < len(all); i += 2 {
		g1, g2 := all[i], all[i+1]
		values := randomScalars(rand.New(rand.NewSource(5)), g1.order, 333)
		digits, err := Decompose(t.Context(), g1.curve, g1.scalars(values), Montgomery, make([]byte, DigitsBytes(333)), 2)
		require.NoError(t, err)
		for _, r := range []reference{g1, g2, g1} {
			out := make([]byte, PointBytes(r.curve, r.group))
			require.NoError(t, digits.MSM(t.Context(), r.group, out, r.pool(333), make([]byte, WorkBytes(r.curve, r.group, 333, 2)), 2))
			require.Equal(t, r.msm(r.pool(333), r.scalars(values), 1), out)
		}
	}
}

func TestCancelledContext(t *testing.T) {
	forEachGroup(t, func(t *testing.T, r reference) {
		const n = 4096
		ctx, cancel := context.WithCancel(t.Context())
		out := make([]byte, PointBytes(r.curve, r.group))
		scalars := r.scalars(randomScalars(rand.New(rand.NewSource(6)), r.order, n))
		scratch := make([]byte, ScratchBytes(r.curve, r.group, n, 2))
		digits, err := Decompose(ctx, r.curve, scalars, Montgomery, make([]byte, DigitsBytes(n)), 2)
		require.NoError(t, err)
		cancel()
		require.ErrorIs(t, MSM(ctx, r.curve, r.group, out, r.pool(n), scalars, Montgomery, scratch, 2), context.Canceled)
		require.ErrorIs(t, digits.MSM(ctx, r.group, out, r.pool(n), scratch, 2), context.Canceled)
	})
}

// A kernel that sees the cancellation stops at its next chunk and leaves its result unwritten.
func TestKernelStopsWhenCancelled(t *testing.T) {
	forEachGroup(t, func(t *testing.T, r reference) {
		const n = 600
		scalars := r.scalars(randomScalars(rand.New(rand.NewSource(7)), r.order, n))
		digits, err := Decompose(t.Context(), r.curve, scalars, Montgomery, make([]byte, DigitsBytes(n)), 1)
		require.NoError(t, err)
		stopped := &run{digits: digits, group: r.group, points: r.pool(n)}
		require.NoError(t, stopped.prepare(t.Context(), make([]byte, WorkBytes(r.curve, r.group, n, 1)), 1))
		stopped.cancelled = 1
		first := digits.tasks(1)[0]
		out := newPoints(first.sums * PointBytes(r.curve, r.group))
		stopped.sum(first, out, stopped.workspaces[0])
		require.Equal(t, make([]byte, len(out)), out)
	})
}

func TestBadArguments(t *testing.T) {
	requireKernels(t)
	r := references()[0]
	points, scalars, out := r.pool(3), r.scalars(sameScalar(3, 2)), make([]byte, 64)
	scratch := make([]byte, ScratchBytes(BN254, G1, 3, 1))
	call := func(c Curve, g Group, out, points, scalars, scratch []byte, threads int) error {
		return MSM(t.Context(), c, g, out, points, scalars, Montgomery, scratch, threads)
	}
	require.NoError(t, call(BN254, G1, out, points, scalars, scratch, 1))
	require.ErrorContains(t, call(BN254, G1, out[:63], points, scalars, scratch, 1), "out is 63 bytes")
	require.ErrorContains(t, call(BN254, G1, out, points[:191], scalars, scratch, 1), "bytes of points")
	require.ErrorContains(t, call(BN254, G1, out, points, scalars[:95], scratch, 1), "whole number of scalars")
	require.ErrorContains(t, call(BN254, G1, out, points, scalars, scratch[1:], 1), "scratch of")
	require.ErrorContains(t, call(BN254, G1, out, points, scalars, nil, 1), "scratch of")
	require.ErrorContains(t, call(BN254, G1, out, points, scalars, scratch, 0), "0 threads")
	require.ErrorContains(t, call(BN254, Group(2), out, points, scalars, scratch, 1), "no group 2")
	require.ErrorContains(t, call(Curve(-1), G1, out, points, scalars, scratch, 1), "no curve -1")
}
