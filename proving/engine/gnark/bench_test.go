package gnark_test

import (
	"fmt"
	"testing"

	bnfr "github.com/consensys/gnark-crypto/ecc/bn254/fr"
	"github.com/consensys/gnark-crypto/ecc/bn254/fr/fft"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine/gnark"
	"github.com/proofgraph/proofgraph/proving/internal/view"
)

// BenchmarkToCoset compares the transforms here with gnark-crypto's, whose domain keeps 128 bytes an element.
func BenchmarkToCoset(b *testing.B) {
	e, err := gnark.New(curve.BN254)
	require.NoError(b, err)
	for _, logn := range []int{14, 16, 18, 20} {
		for _, threads := range []int{1, 2} {
			v := view.Allocate(32 << logn)
			copy(v, scalars(curve.BN254, 1<<10, 1))
			b.Run(fmt.Sprintf("curve=bn254/n=2^%d/threads=%d/impl=proofgraph", logn, threads), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					require.NoError(b, e.ToCoset(ctx, v, nil, threads))
				}
			})
			domain := fft.NewDomain(1 << logn)
			elements, err := view.Of[bnfr.Element](v)
			require.NoError(b, err)
			b.Run(fmt.Sprintf("curve=bn254/n=2^%d/threads=%d/impl=gnark-crypto", logn, threads), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					domain.FFTInverse(elements, fft.DIF, fft.WithNbTasks(threads))
					domain.FFT(elements, fft.DIT, fft.OnCoset(), fft.WithNbTasks(threads))
				}
			})
		}
	}
}
