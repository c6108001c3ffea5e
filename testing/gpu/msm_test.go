//go:build cgo && linux

package gpu_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"runtime"
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

// bases are n points with known discrete logarithms. Some are infinity, some are equal.
func (b *bench) bases(g group, source *rand.Rand, n int) (points *cudabind.Buffer, logs []byte) {
	b.t.Helper()
	logs = g.canonicalOf(g.random(source, n))
	for range n / 50 {
		to, from := source.IntN(n)*cudabind.ScalarBytes, source.IntN(n)*cudabind.ScalarBytes
		copy(logs[to:to+cudabind.ScalarBytes], logs[from:])
	}
	return b.multiples(g, logs), logs
}

// multiples are the points with the given logarithms: the GPU's own fixed-base batch, checked on samples.
func (b *bench) multiples(g group, logs []byte) *cudabind.Buffer {
	b.t.Helper()
	n := len(logs) / cudabind.ScalarBytes
	points := b.poisoned(n * g.group.PointBytes())
	scratch := b.poisoned(cudabind.FixedBaseScratchBytes(g.group, n))
	require.NoError(b.t, b.stream.FixedBase(g.group, n, g.generator, b.upload(logs), false, scratch, points))
	b.wait()
	return points
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

// Bases among which a bucket's points are often equal, opposite or infinite, in sums large enough that accumulation
// adds in affine rounds.
func TestMSMSpecialBases(t *testing.T) {
	n := 1 << 17
	if onStandIn() {
		n = 1 << 9
	}
	kinds := []struct {
		name string
		log  func(g group, some []byte, i int) []byte // of base i
	}{
		{"all equal", func(_ group, some []byte, _ int) []byte { return some[:cudabind.ScalarBytes] }},
		{"a few", func(_ group, some []byte, i int) []byte {
			return some[i%3*cudabind.ScalarBytes:][:cudabind.ScalarBytes]
		}},
		{"points and their negatives", func(g group, some []byte, i int) []byte {
			log := integer(some[i/2%8*cudabind.ScalarBytes:][:cudabind.ScalarBytes])
			if i%2 == 1 {
				log.Mod(log.Neg(log), g.modulus)
			}
			return littleEndian(log)
		}},
		{"mostly infinity", func(_ group, some []byte, i int) []byte {
			if i%4 != 0 {
				return make([]byte, cudabind.ScalarBytes)
			}
			return some[i%8*cudabind.ScalarBytes:][:cudabind.ScalarBytes]
		}},
	}
	for _, g := range groups() {
		for _, kind := range kinds {
			t.Run(g.name+"/"+kind.name, func(t *testing.T) {
				b, source := open(t), fresh(t)
				some := g.canonicalOf(g.random(source, 8))
				var logs []byte
				for i := range n {
					logs = append(logs, kind.log(g, some, i)...)
				}
				points := b.multiples(g, logs)
				for _, shape := range []int{0, 6} { // random, small
					scalars := shapes[shape].fill(g, source, n)
					require.Equal(t, g.expected(logs, scalars), b.msm(cudabind.MSMConfig{Group: g.group}, n, points, scalars), shapes[shape].name)
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
	count := len(scalars) / cudabind.ScalarBytes
	shares := min(runtime.NumCPU(), max(count, 1))
	sums := make(chan *big.Int)
	for share := range shares {
		from, to := share*count/shares*cudabind.ScalarBytes, (share+1)*count/shares*cudabind.ScalarBytes
		go func() { sums <- innerProduct(logs[from:to], scalars[from:to]) }()
	}
	sum := new(big.Int)
	for range shares {
		sum.Add(sum, <-sums)
	}
	return g.multiple(sum.Mod(sum, g.modulus))
}

func innerProduct(a, b []byte) *big.Int {
	sum := new(big.Int)
	for i := 0; i < len(a); i += cudabind.ScalarBytes {
		x, y := integer(a[i:i+cudabind.ScalarBytes]), integer(b[i:i+cudabind.ScalarBytes])
		sum.Add(sum, x.Mul(x, y))
	}
	return sum
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
