package cuda

import (
	"encoding/binary"
	"math"

	"github.com/proofgraph/proofgraph/proving/curve"
)

// samples is how many scalars Dense looks at.
const samples = 4096

// Dense estimates how many of a vector of canonical scalars are neither 0 nor 1, from above: such a scalar puts a point
// in a bucket of every window, while the others cost next to nothing. It looks at a few thousand at places that depend on
// the length alone, and is at least 1.
func Dense(values []byte) int {
	n := len(values) / curve.ScalarSize
	looked := min(n, samples)
	count := 0
	for i := range looked {
		if at := samplePlace(i, looked, n) * curve.ScalarSize; isDense(values[at : at+curve.ScalarSize]) {
			count++
		}
	}
	if looked == n {
		return max(count, 1)
	}
	// Counts of a sample spread by about their square root: three of these are a margin that is hardly ever passed.
	high := float64(count) + 3*math.Sqrt(float64(count+1))
	return max(1, min(n, int(math.Ceil(high*float64(n)/float64(looked)))))
}

// samplePlace is a place in the i-th of `of` equal parts of n places, scattered so that no period of the circuit meets it.
func samplePlace(i, of, n int) int {
	first, next := partStart(i, of, n), partStart(i+1, of, n)
	scattered := uint64(i) * 0x9e3779b97f4a7c15 >> 33
	return first + int(scattered%uint64(next-first))
}

func partStart(i, of, n int) int { return int(int64(i) * int64(n) / int64(of)) }

func isDense(scalar []byte) bool {
	low := binary.LittleEndian.Uint64(scalar)
	high := binary.LittleEndian.Uint64(scalar[8:]) | binary.LittleEndian.Uint64(scalar[16:]) |
		binary.LittleEndian.Uint64(scalar[24:])
	return low > 1 || high != 0
}
