package transform_test

import (
	"encoding/binary"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
)

// fieldEngine is what both sides of a benchmark do.
type fieldEngine interface {
	engine.DomainEngine
	engine.VectorEngine
	engine.ConstraintEngine
}

// eachSide runs a benchmark for both curves, on both sides, and then both sides in turn.
func eachSide(b *testing.B, logs []int, prepare func(b *testing.B, n int) func(e fieldEngine)) {
	for _, id := range curve.All() {
		for _, log := range logs {
			b.Run(fmt.Sprintf("curve=%s/n=2^%d", id, log), func(b *testing.B) {
				p := newPair(b, id)
				work := prepare(b, 1<<log)
				b.Run("impl=ifma", func(b *testing.B) { repeat(b, p.kernels, work) })
				b.Run("impl=gnark", func(b *testing.B) { repeat(b, p.gnark, work) })
				b.Run("ratio", func(b *testing.B) { compareTimes(b, p, 1<<log, work) })
			})
		}
	}
}

func repeat(b *testing.B, e fieldEngine, work func(e fieldEngine)) {
	for b.Loop() {
		work(e)
	}
}

// compareTimes runs both sides in turn, so that what else the machine does disturbs both, and reports their best times.
func compareTimes(b *testing.B, p *pair, n int, work func(e fieldEngine)) {
	var kernels, gnark time.Duration
	for range b.N {
		kernels = best(kernels, p.kernels, work)
		gnark = best(gnark, p.gnark, work)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(kernels.Nanoseconds())/float64(n), "ns/element-ifma")
	b.ReportMetric(float64(gnark.Nanoseconds())/float64(n), "ns/element-gnark")
	b.ReportMetric(gnark.Seconds()/kernels.Seconds(), "x")
}

func best(before time.Duration, e fieldEngine, work func(e fieldEngine)) time.Duration {
	start := time.Now()
	work(e)
	if took := time.Since(start); before == 0 || took < before {
		return took
	}
	return before
}

func BenchmarkToCoset(b *testing.B) {
	eachSide(b, []int{14, 16, 18, 20}, func(b *testing.B, n int) func(e fieldEngine) {
		v := large(n)
		return func(e fieldEngine) { require.NoError(b, e.ToCoset(ctx, v, nil, 1)) }
	})
}

func BenchmarkMulSub(b *testing.B) {
	eachSide(b, []int{10, 18}, func(b *testing.B, n int) func(e fieldEngine) {
		x, y, z := large(n), large(n), large(n)
		return func(e fieldEngine) { require.NoError(b, e.MulSub(ctx, x, x, y, z, 1)) }
	})
}

// BenchmarkEvaluate has two terms of A and two of B in a row, on signals near the row and on the first few.
func BenchmarkEvaluate(b *testing.B) {
	eachSide(b, []int{14, 18}, func(b *testing.B, n int) func(e fieldEngine) {
		records, witness := chainRecords(n), large(n)
		dst := engine.Evaluations{A: large(n), B: large(n), C: large(n)}
		return func(e fieldEngine) { require.NoError(b, e.Evaluate(ctx, dst, records, witness, 1)) }
	})
}

func chainRecords(n int) []byte {
	values := large(n)
	var records []byte
	for row := range n {
		for i, signal := range []int{row, 2, row, 0} {
			records = binary.LittleEndian.AppendUint32(records, uint32(i/2))
			records = binary.LittleEndian.AppendUint32(records, uint32(row))
			records = binary.LittleEndian.AppendUint32(records, uint32(signal))
			records = append(records, values[32*row:][:32]...)
		}
	}
	return records
}
