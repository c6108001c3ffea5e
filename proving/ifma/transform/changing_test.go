package transform_test

import (
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/engine"
)

// Records may lie in a mapped file. Whatever somebody writes there while rows are computed, no wire and no row is touched that
// does not exist: at the worst the rows are wrong, or refused.
func TestRecordsThatChangeWhileRowsAreComputed(t *testing.T) {
	eachCurve(t, func(t *testing.T, p *pair) {
		const rows = 1 << 10
		s := p.system(1, rows, 4, 0, "random")
		stop, ended := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(ended)
			spoilForEver(s.records, stop)
		}()
		dst := engine.Evaluations{A: make([]byte, 32*rows), B: make([]byte, 32*rows), C: make([]byte, 32*rows)}
		refused := 0
		for range 1000 {
			if err := p.kernels.Evaluate(ctx, dst, s.records, s.witness, 1); err != nil {
				require.ErrorIs(t, err, engine.ErrOperand)
				refused++
			}
		}
		close(stop)
		<-ended
		require.Positive(t, refused)
		require.NoError(t, p.kernels.Evaluate(ctx, dst, s.records, s.witness, 1))
	})
}

// spoilForEver gives a record a row or a wire that does not exist, for a moment, again and again.
func spoilForEver(records []byte, stop <-chan struct{}) {
	random := rand.New(rand.NewPCG(1, 2))
	for {
		select {
		case <-stop:
			return
		default:
		}
		number := records[random.IntN(len(records)/44)*44+4+4*random.IntN(2):]
		before := binary.LittleEndian.Uint32(number)
		binary.LittleEndian.PutUint32(number, 0xfffffff0)
		runtime.Gosched()
		binary.LittleEndian.PutUint32(number, before)
	}
}
