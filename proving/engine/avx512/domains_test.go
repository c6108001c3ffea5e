package avx512_test

import (
	"context"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/engine/avx512"
	"github.com/proofgraph/proofgraph/proving/engine/gnark"
)

var ctx = context.Background()

// eachCurve gives a test this engine and the one that it must agree with bit for bit.
func eachCurve(t *testing.T, test func(t *testing.T, e, other engine.Engine)) {
	for _, id := range curve.All() {
		t.Run(id.String(), func(t *testing.T) {
			if ok, why := avx512.Kind().Available(id); !ok {
				t.Skip(why)
			}
			e, err := avx512.New(id)
			require.NoError(t, err)
			other, err := gnark.New(id)
			require.NoError(t, err)
			test(t, e, other)
		})
	}
}

func elements(id curve.ID, n int) []byte {
	rng, r := rand.New(rand.NewPCG(uint64(n), uint64(id))), id.ScalarModulus()
	v := make([]byte, 32*n)
	for e := range slices.Chunk(v, 32) {
		x := new(big.Int)
		for range 4 {
			x.Add(x.Lsh(x, 64), new(big.Int).SetUint64(rng.Uint64()))
		}
		curve.PutLittleEndian(e, x.Mod(x, r))
	}
	return v
}

func TestEveryDomainGivesWhatTheOtherEngineDoes(t *testing.T) {
	eachCurve(t, func(t *testing.T, e, other engine.Engine) {
		for log := range 13 {
			v := elements(e.Curve(), 1<<log)
			want := slices.Clone(v)
			for _, step := range []func(e engine.Engine, v []byte) error{
				func(e engine.Engine, v []byte) error { return e.Inverse(ctx, v, nil, 2) },
				func(e engine.Engine, v []byte) error { return e.ShiftToOdd(ctx, v, 1) },
				func(e engine.Engine, v []byte) error { return e.Forward(ctx, v, nil, 3) },
				func(e engine.Engine, v []byte) error { return e.ToCoset(ctx, v, nil, 2) },
				func(e engine.Engine, v []byte) error { return e.MulSub(ctx, v, v, v, v, 2) },
			} {
				require.NoError(t, step(e, v))
				require.NoError(t, step(other, want))
				require.True(t, slices.Equal(want, v), "2^%d elements", log)
			}
		}
	})
}

func TestDomainsThatDoNotExist(t *testing.T) {
	eachCurve(t, func(t *testing.T, e, _ engine.Engine) {
		for _, n := range []int{0, 3, 12, 96} {
			require.ErrorIs(t, e.ToCoset(ctx, make([]byte, 32*n), nil, 1), engine.ErrDomainSize, "%d elements", n)
		}
	})
}
