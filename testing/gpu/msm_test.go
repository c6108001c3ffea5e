//go:build cgo && linux

package gpu_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind"
)

// shapes of scalars that provers meet, in canonical form.
var shapes = []struct {
	name string
	fill func(g group, source *rand.Rand, n int) []byte
}{
	{"random", func(g group, s *rand.Rand, n int) []byte { return g.canonicalOf(g.random(s, n)) }},
	{"zero and one", func(g group, s *rand.Rand, n int) []byte { return witnessLike(g, s, n, 0) }},
	{"witness", func(g group, s *rand.Rand, n int) []byte { return witnessLike(g, s, n, 2) }},
	{"all zero", func(g group, s *rand.Rand, n int) []byte { return make([]byte, n*cudabind.ScalarBytes) }},
	{"all the same", func(g group, s *rand.Rand, n int) []byte {
		return repeat(g.canonicalOf(g.random(s, 8))[7*cudabind.ScalarBytes:], n)
	}},
	{"all minus one", func(g group, s *rand.Rand, n int) []byte {
		return repeat(littleEndian(new(big.Int).Sub(g.modulus, big.NewInt(1))), n)
	}},
	{"small", func(g group, s *rand.Rand, n int) []byte {
		out := make([]byte, n*cudabind.ScalarBytes)
		for i := range n {
			out[i*cudabind.ScalarBytes] = byte(s.Uint32())
		}
		return out
	}},
}

// witnessLike has zeros and ones, and percent of random scalars among them.
func witnessLike(g group, source *rand.Rand, n, percent int) []byte {
	out := make([]byte, n*cudabind.ScalarBytes)
	full := g.canonicalOf(g.random(source, max(n*percent/100, 1)))
	for i := range n {
		out[i*cudabind.ScalarBytes] = byte(source.Uint32() & 1)
		if source.IntN(100) < percent {
			at := source.IntN(len(full)/cudabind.ScalarBytes) * cudabind.ScalarBytes
			copy(out[i*cudabind.ScalarBytes:], full[at:at+cudabind.ScalarBytes])
		}
	}
	return out
}

func repeat(one []byte, n int) []byte {
	out := make([]byte, 0, n*len(one))
	for range n {
		out = append(out, one...)
	}
	return out
}

// bases are n points with known discrete logarithms: the GPU's own fixed-base batch, checked on samples. Some are
// infinity, some are equal.
func (b *bench) bases(g group, source *rand.Rand, n int) (points *cudabind.Buffer, logs []byte) {
	b.t.Helper()
	logs = g.canonicalOf(g.random(source, n))
	for range n / 50 {
		to, from := source.IntN(n)*cudabind.ScalarBytes, source.IntN(n)*cudabind.ScalarBytes
		copy(logs[to:to+cudabind.ScalarBytes], logs[from:])
	}
	points = b.poisoned(n * g.group.PointBytes())
	scratch := b.poisoned(cudabind.FixedBaseScratchBytes(g.group, n))
	require.NoError(b.t, b.stream.FixedBase(g.group, n, g.generator, b.upload(logs), false, scratch, points))
	b.wait()
	return points, logs
}

func TestFixedBase(t *testing.T) {
	for _, g := range groups() {
		t.Run(g.name, func(t *testing.T) {
			const n = 300
			b, source := open(t), fresh(t)
			points, logs := b.bases(g, source, n)
			got := b.download(points)
			for i := range n {
				log := integer(logs[i*cudabind.ScalarBytes : (i+1)*cudabind.ScalarBytes])
				require.Equal(t, g.multiple(log), got[i*g.group.PointBytes():(i+1)*g.group.PointBytes()], "%v G", log)
			}
		})
	}
}

func TestMSM(t *testing.T) {
	for _, g := range groups() {
		for _, shape := range shapes {
			t.Run(g.name+"/"+shape.name, func(t *testing.T) {
				b, source := open(t), fresh(t)
				for _, n := range []int{1, 2, 31, 257, largest(t, 1000, 5000)} {
					points, logs := b.bases(g, source, n)
					scalars := shape.fill(g, source, n)
					want := g.msm(b.download(points), scalars)
					require.Equal(t, want, g.expected(logs, scalars), "the reference itself, %d points", n)
					require.Equal(t, want, b.msm(cudabind.MSMConfig{Group: g.group}, n, points, scalars), "%d points", n)
				}
			})
		}
	}
}

func TestMSMOfNothing(t *testing.T) {
	for _, g := range groups() {
		b := open(t)
		want := make([]byte, g.group.PointBytes())
		require.Equal(t, want, b.msm(cudabind.MSMConfig{Group: g.group}, 0, b.poisoned(0), nil), g.name)
	}
}

func TestMSMWindows(t *testing.T) {
	for _, g := range groups() {
		t.Run(g.name, func(t *testing.T) {
			b, source := open(t), fresh(t)
			const n = 700
			points, logs := b.bases(g, source, n)
			scalars := g.canonicalOf(g.random(source, n))
			want := g.expected(logs, scalars)
			for bits := 2; bits <= largest(t, 11, 19); bits++ {
				require.Equal(t, want, b.msm(cudabind.MSMConfig{Group: g.group, WindowBits: bits}, n, points, scalars), "%d bits", bits)
			}
			for _, copies := range []int{2, 3, 8} {
				require.Equal(t, want, b.msmFromTable(cudabind.MSMConfig{Group: g.group, Copies: copies}, n, points, scalars), "%d copies", copies)
			}
		})
	}
}

func TestMSMMontgomery(t *testing.T) {
	for _, g := range groups() {
		t.Run(g.name, func(t *testing.T) {
			b, source := open(t), fresh(t)
			const n = 500
			points, logs := b.bases(g, source, n)
			scalars := g.random(source, n)
			want := g.expected(logs, g.canonicalOf(scalars))
			config := cudabind.MSMConfig{Group: g.group, ScalarsMontgomery: true}
			require.Equal(t, want, b.msm(config, n, points, scalars))
		})
	}
}

func TestLargeMSM(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	for _, g := range groups() {
		for _, shape := range shapes[:4] {
			for _, logN := range []int{16, 20} {
				t.Run(fmt.Sprintf("%s/%s/2^%d", g.name, shape.name, logN), func(t *testing.T) {
					b, source := open(t), fresh(t)
					n := 1 << logN
					points, logs := b.bases(g, source, n)
					scalars := shape.fill(g, source, n)
					require.Equal(t, g.expected(logs, scalars), b.msm(cudabind.MSMConfig{Group: g.group}, n, points, scalars))
				})
			}
		}
	}
}

// expected is the sum by way of the bases' logarithms.
func (g group) expected(logs, scalars []byte) []byte {
	sum := new(big.Int)
	for i := 0; i < len(scalars); i += cudabind.ScalarBytes {
		log, scalar := integer(logs[i:i+cudabind.ScalarBytes]), integer(scalars[i:i+cudabind.ScalarBytes])
		sum.Add(sum, log.Mul(log, scalar))
	}
	return g.multiple(sum.Mod(sum, g.modulus))
}

func (b *bench) msm(config cudabind.MSMConfig, n int, points *cudabind.Buffer, scalars []byte) []byte {
	b.t.Helper()
	config, err := config.Configure(n)
	require.NoError(b.t, err)
	scratch := b.poisoned(config.ScratchBytes(n))
	parts, err := cudabind.AllocPinned(config.ResultBytes())
	require.NoError(b.t, err)
	defer func() { require.NoError(b.t, cudabind.FreePinned(parts)) }()
	for i := range parts {
		parts[i] = poison
	}
	require.NoError(b.t, b.stream.MSMStart(config, n, points, b.upload(scalars), scratch, parts))
	b.wait()
	point := make([]byte, config.Group.PointBytes())
	require.NoError(b.t, cudabind.MSMFinish(config, parts, point))
	return point
}

func (b *bench) msmFromTable(config cudabind.MSMConfig, n int, points *cudabind.Buffer, scalars []byte) []byte {
	b.t.Helper()
	config, err := config.Configure(n)
	require.NoError(b.t, err)
	return b.msm(config, n, b.table(config, n, points), scalars)
}

// table is the bases with their precomputed multiples.
func (b *bench) table(config cudabind.MSMConfig, n int, points *cudabind.Buffer) *cudabind.Buffer {
	b.t.Helper()
	table := b.poisoned(config.Copies * n * config.Group.PointBytes())
	scratch := b.poisoned(config.TableScratchBytes(n))
	require.NoError(b.t, b.stream.BuildTable(config, n, points, table, scratch))
	return table
}
