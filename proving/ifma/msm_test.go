package ifma

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

func requireKernels(t testing.TB) {
	if ok, reason := Available(); !ok {
		t.Skip(reason)
	}
}

func TestMSMMatchesReference(t *testing.T) {
	requireKernels(t)
	for _, r := range references() {
		t.Run(r.name, func(t *testing.T) {
			random := rand.New(rand.NewSource(1))
			for _, n := range []int{0, 1, 2, 15, 16, 17, 31, 32, 33, 127, 128, 129, 1000, 2500} {
				points, values := r.some(n), randomScalars(random, r.order, n)
				want := r.msm(points, r.scalars(values), 2)
				require.Equal(t, want, kernelMSM(t, r, points, r.scalars(values), Montgomery, 2), "n=%d", n)
				require.Equal(t, want, kernelMSM(t, r, points, canonical(values), Canonical, 1), "n=%d, canonical", n)
			}
		})
	}
}
