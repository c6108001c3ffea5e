package ifma

import (
	"fmt"
	"math/big"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

// benchThreads is what both sides of a benchmark may use.
const benchThreads = 2

// BenchmarkMSM sets the kernels beside gnark-crypto: full-width scalars, and witness-like ones, of which 98 % are 0 or 1.
func BenchmarkMSM(b *testing.B) {
	for _, r := range references() {
		for log := 16; log <= 20; log += 2 {
			b.Run(fmt.Sprintf("%s/n=2^%d", r.name, log), func(b *testing.B) { benchmarkSize(b, r, 1<<log) })
		}
	}
}

func benchmarkSize(b *testing.B, r reference, n int) {
	requireKernels(b)
	points := r.some(n)
	full := r.scalars(randomScalars(rand.New(rand.NewSource(1)), r.order, n))
	bits := r.scalars(witnessScalars(n, r.order))
	for _, set := range []struct {
		name    string
		scalars []byte
	}{{"full", full}, {"bits", bits}} {
		b.Run("scalars="+set.name+"/impl=ifma", func(b *testing.B) { benchmarkKernel(b, r, points, set.scalars) })
		b.Run("scalars="+set.name+"/impl=gnark", func(b *testing.B) {
			for range b.N {
				r.msm(points, set.scalars, benchThreads)
			}
		})
	}
}

func benchmarkKernel(b *testing.B, r reference, points, scalars []byte) {
	scratch := make([]byte, ScratchBytes(r.curve, r.group, len(scalars)/ScalarBytes, benchThreads))
	out := make([]byte, PointBytes(r.curve, r.group))
	for i := range scratch {
		scratch[i] = 0xA5
	}
	b.ReportMetric(float64(len(scratch))/(1<<20), "MiB-scratch")
	for b.Loop() {
		require.NoError(b, MSM(b.Context(), r.curve, r.group, out, points, scalars, Montgomery, scratch, benchThreads))
	}
}

// witnessScalars are like a SHA-256 circuit's witness: bits, and one in fifty of full width.
func witnessScalars(n int, order *big.Int) []*big.Int {
	random := rand.New(rand.NewSource(2))
	values := make([]*big.Int, n)
	for i := range values {
		values[i] = big.NewInt(random.Int63() & 1)
		if random.Intn(50) == 0 {
			values[i] = new(big.Int).Rand(random, order)
		}
	}
	return values
}
