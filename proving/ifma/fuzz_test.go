package ifma

import (
	"context"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzMSM reads its input as a group, a number of threads, and then terms of four bytes each, and holds the kernels to
// gnark-crypto's result.
func FuzzMSM(f *testing.F) {
	f.Add([]byte{0, 1})
	f.Add([]byte{0, 2, 1, 0, 3, 0, 1, 1, 3, 0, 2, 2, 200, 9})
	f.Add([]byte{3, 1, 0, 3, 255, 1, 0, 131, 255, 1, 7, 64, 0, 0})
	requireKernels(f)
	all := references()
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 2 || len(data) > 2000 {
			return
		}
		r, threads := all[data[0]%4], 1+int(data[1]%4)
		terms := data[2:]
		n := len(terms) / 4
		values := make([]*big.Int, n)
		points := r.choose(n, func(i int) choice {
			term := terms[4*i : 4*i+4]
			values[i] = fuzzScalar(r.order, term[1], term[2], term[3])
			return choice{point: int(term[0] % 32), negate: term[1]&0x80 != 0, infinity: term[0] >= 0xf0}
		})
		scratch, out := make([]byte, ScratchBytes(r.curve, r.group, n, threads)), make([]byte, PointBytes(r.curve, r.group))
		require.NoError(t, MSM(context.Background(), r.curve, r.group, out, points, r.scalars(values), Montgomery, scratch, threads))
		require.Equal(t, r.msm(points, r.scalars(values), 1), out)
	})
}

// fuzzScalar is a small number, a power of two and a small number, their opposites, or a number of full width.
func fuzzScalar(order *big.Int, kind, a, b byte) *big.Int {
	v := big.NewInt(int64(b))
	if kind&1 != 0 {
		v.Add(v, new(big.Int).Lsh(big.NewInt(1), uint(a)))
	}
	if kind&2 != 0 {
		v.Neg(v)
	}
	if kind&4 != 0 {
		v.Exp(big.NewInt(int64(a)+2), big.NewInt(int64(b)+200), order)
	}
	return v.Mod(v, order)
}
