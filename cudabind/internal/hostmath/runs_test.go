//go:build cgo && hostmath

package hostmath_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind/internal/hostmath"
)

// run is a key with the multiples of the generator that its points are; negative ones reach the kernel as positive
// points to subtract.
type run struct {
	key       uint32
	multiples []int64
}

func TestRunsInRounds(t *testing.T) {
	cases := []struct {
		name string
		runs []run
	}{
		{"one point", []run{{5, []int64{3}}}},
		{"runs of one", []run{{1, []int64{3}}, {2, []int64{4}}, {7, []int64{-5}}}},
		{"even and odd", []run{{0, []int64{1, 2, 3, 4}}, {1, []int64{5, 6, 7}}, {9, []int64{8, 9}}}},
		{"a point many times", []run{{3, []int64{6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6}}}},
		{"points and their negatives", []run{{3, []int64{6, -6, 5, -5, -4, 4}}, {4, []int64{1, 2}}}},
		{"vanish in the second round", []run{{3, []int64{1, 2, -2, -1, 8, 9, 1}}}},
		{"double in the second round", []run{{3, []int64{1, 4, 2, 3, 8, 9, 7, 10}}}},
		{"infinity", []run{{0, []int64{0, 0, 5, 0, 0, 7}}, {1, []int64{0}}, {2, []int64{0, 0, 0}}}},
		{"all that is special among the ordinary", []run{{0, []int64{1, 9, 4, 4, 7, 11}}, {1, []int64{3, -3}}, {2, []int64{0, 8, 2, 13}}}},
	}
	for _, g := range groups() {
		for _, c := range cases {
			t.Run(g.name+"/"+c.name, func(t *testing.T) { checkRuns(t, g, c.runs) })
		}
		t.Run(g.name+"/random", func(t *testing.T) { checkRuns(t, g, randomRuns(rand.New(rand.NewPCG(5, 6)), 12)) })
	}
}

// randomRuns have small multiples, so that equal and opposite points meet.
func randomRuns(source *rand.Rand, n int) []run {
	runs := make([]run, n)
	for i := range runs {
		runs[i].key = uint32(2 * i)
		for range 1 + source.IntN(20) {
			runs[i].multiples = append(runs[i].multiples, source.Int64N(7)-3)
		}
	}
	return runs
}

func checkRuns(t *testing.T, g group, runs []run) {
	t.Helper()
	var points, negative, want []byte
	var keys, wantKeys []uint32
	for _, r := range runs {
		var total int64
		for _, k := range r.multiples {
			total += k
			points = append(points, g.multiple(max(k, -k))...)
			keys = append(keys, r.key)
			sign := byte(0)
			if k < 0 {
				sign = 1
			}
			negative = append(negative, sign)
		}
		want = append(want, g.multiple(total)...)
		wantKeys = append(wantKeys, r.key)
	}
	for rounds := range 6 {
		for _, m := range hostmath.Multipliers {
			gotKeys, got := g.field.Runs(m, points, negative, keys, rounds)
			require.Equal(t, wantKeys, gotKeys, "%d rounds", rounds)
			require.Equal(t, want, got, "%d rounds, multiplier %d", rounds, m)
		}
	}
}
