package ifma

import (
	"fmt"
	"math/big"
	"math/rand"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// benchThreads is what both sides of a benchmark may use.
const benchThreads = 2

// BenchmarkMSM sets the kernels beside gnark-crypto: full-width scalars, and witness-like ones, of which 98 % are 0 or 1.
func BenchmarkMSM(b *testing.B) {
	eachSize(b, func(b *testing.B, r reference, points, scalars []byte) {
		b.Run("impl=ifma", func(b *testing.B) { kernelSide(b, r, points, scalars).run(b) })
		b.Run("impl=gnark", func(b *testing.B) { gnarkSide(r, points, scalars).run(b) })
	})
}

// BenchmarkRatio runs both sides in turn, so that what else the machine does disturbs both, and reports how many times faster the
// kernels are by their best runs: in wall-clock time, and in processor time, which other processes disturb less.
func BenchmarkRatio(b *testing.B) {
	eachSize(b, func(b *testing.B, r reference, points, scalars []byte) {
		kernel, gnark := kernelSide(b, r, points, scalars), gnarkSide(r, points, scalars)
		for range b.N {
			kernel.once()
			gnark.once()
		}
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(1e3*kernel.wall.Seconds(), "ms-ifma")
		b.ReportMetric(1e3*kernel.processor.Seconds(), "cpu-ms-ifma")
		b.ReportMetric(1e3*gnark.processor.Seconds(), "cpu-ms-gnark")
		b.ReportMetric(gnark.wall.Seconds()/kernel.wall.Seconds(), "x-wall")
		b.ReportMetric(gnark.processor.Seconds()/kernel.processor.Seconds(), "x-cpu")
	})
}

func eachSize(b *testing.B, body func(b *testing.B, r reference, points, scalars []byte)) {
	requireKernels(b)
	for _, r := range references() {
		for log := 16; log <= 20; log += 2 {
			b.Run(fmt.Sprintf("%s/n=2^%d", r.name, log), func(b *testing.B) {
				n := 1 << log
				points := r.some(n)
				full := r.scalars(randomScalars(rand.New(rand.NewSource(1)), r.order, n))
				bits := r.scalars(witnessScalars(n, r.order))
				b.Run("scalars=full", func(b *testing.B) { body(b, r, points, full) })
				b.Run("scalars=bits", func(b *testing.B) { body(b, r, points, bits) })
			})
		}
	}
}

// side is one of two competitors, with the best times that it has had.
type side struct {
	call            func()
	wall, processor time.Duration
}

func kernelSide(b *testing.B, r reference, points, scalars []byte) *side {
	scratch := make([]byte, ScratchBytes(r.curve, r.group, len(scalars)/ScalarBytes, benchThreads))
	out := make([]byte, PointBytes(r.curve, r.group))
	call := func() {
		require.NoError(b, MSM(b.Context(), r.curve, r.group, out, points, scalars, Montgomery, scratch, benchThreads))
	}
	call() // touches the scratch
	return &side{call: call}
}

func gnarkSide(r reference, points, scalars []byte) *side {
	return &side{call: func() { r.msm(points, scalars, benchThreads) }}
}

func (s *side) run(b *testing.B) {
	for b.Loop() {
		s.call()
	}
}

func (s *side) once() {
	wall, processor := time.Now(), processorTime()
	s.call()
	s.wall = best(s.wall, time.Since(wall))
	s.processor = best(s.processor, processorTime()-processor)
}

func best(a, b time.Duration) time.Duration {
	if a == 0 {
		return b
	}
	return min(a, b)
}

func processorTime() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
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
