package circuits

import (
	"io"
	"testing"
)

func BenchmarkWriteR1CS(b *testing.B) {
	benchmark(b, func(s Spec) error { return s.WriteR1CS(io.Discard) })
}

func BenchmarkWriteWitness(b *testing.B) {
	benchmark(b, func(s Spec) error { return s.WriteWitness(io.Discard, 1) })
}

func benchmark(b *testing.B, write func(Spec) error) {
	for _, kind := range Kinds() {
		b.Run("kind="+string(kind)+"/curve=bn254/n=2^16", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := write(Spec{kind, curves[0], 1 << 16}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
