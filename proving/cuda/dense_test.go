package cuda_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/cuda"
	"github.com/proofgraph/proofgraph/proving/curve"
)

// mixed is n canonical scalars of which about one in `oneIn` is neither 0 nor 1; count is how many.
func mixed(source *rand.Rand, n, oneIn int) (values []byte, count int) {
	values = make([]byte, n*curve.ScalarSize)
	for i := range n {
		values[i*curve.ScalarSize] = byte(source.IntN(2))
		if source.IntN(oneIn) == 0 {
			values[i*curve.ScalarSize+source.IntN(31)] = 2 + byte(source.IntN(250))
			count++
		}
	}
	return values, count
}

func TestDenseOfFewScalarsIsExact(t *testing.T) {
	source := rand.New(rand.NewPCG(1, 0))
	for _, n := range []int{1, 2, 100, 4096} {
		values, count := mixed(source, n, 3)
		require.Equal(t, max(count, 1), cuda.Dense(values), "%d scalars", n)
	}
	require.Equal(t, 1, cuda.Dense(nil))
	require.Equal(t, 1, cuda.Dense(make([]byte, 100*curve.ScalarSize)))
}

func TestDenseIsAnEstimateFromAbove(t *testing.T) {
	source := rand.New(rand.NewPCG(2, 0))
	for _, oneIn := range []int{1, 2, 10, 50, 1000} {
		const n = 100_001
		values, count := mixed(source, n, oneIn)
		dense := cuda.Dense(values)
		require.GreaterOrEqual(t, dense, count, "one in %d", oneIn)
		require.LessOrEqual(t, dense, min(n, count*3/2+n/500), "one in %d", oneIn)
		require.Equal(t, dense, cuda.Dense(values))
	}
}

// Witnesses have periods: sampling every k-th would see one part of each round only.
func TestDenseSeesThroughPeriods(t *testing.T) {
	const n = 1 << 16
	for _, period := range []int{2, 16, 64} {
		values := make([]byte, n*curve.ScalarSize)
		for i := 0; i < n; i += period {
			values[i*curve.ScalarSize+9] = 7
		}
		require.InDelta(t, n/period, cuda.Dense(values), float64(n/period)/2+n/500, "period %d", period)
	}
}
