package cuda_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind/standin"
	"github.com/proofgraph/proofgraph/proving/curve"
)

// BenchmarkLoadConstraints is the host's part of loading constraints: on the stand-in, a copy is a copy of memory.
func BenchmarkLoadConstraints(b *testing.B) {
	d := openDevice(b, standin.Memory(1<<30))
	for _, distinct := range []int{0, 200} {
		b.Run(fmt.Sprintf("n=2^17/distinct=%d", distinct), func(b *testing.B) {
			l := lender(b, d)
			c := randomCircuit(b, curve.BN254, rand.New(rand.NewPCG(1, 0)), 17, 6, 0, distinct)
			to, scratch := l.onDevice(c.Bytes()), l.scratch(c.LoadNeed())
			b.SetBytes(int64(len(c.records)))
			b.ResetTimer()
			for range b.N {
				_, p, err := d.LoadConstraints(c.System, c.records, to, scratch, 2)
				require.NoError(b, err)
				require.NoError(b, p.Wait(ctx))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(c.Records), "ns/record")
		})
	}
}
