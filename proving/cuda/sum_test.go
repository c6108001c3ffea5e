package cuda_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/proofgraph/proofgraph/proving/cuda"
	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
)

var ctx = context.Background()

// place puts an operand where a sum is to find it.
func (l *loan) place(data []byte, p cuda.Place) cuda.Vector {
	switch p {
	case cuda.OnDevice:
		return cuda.Vector{Device: l.upload(data)}
	case cuda.InPinned:
		return cuda.Vector{Host: l.pin(data), Pinned: true}
	}
	return cuda.Vector{Host: data}
}

// load loads points with their multiples.
func (l *loan) load(b cuda.Bases, points []byte, from cuda.Place) cuda.Vector {
	to := l.onDevice(b.Bytes())
	p, err := l.device.LoadBases(b, to, l.place(points, from), l.scratch(b.LoadNeed(from)), 2)
	require.NoError(l.t, err)
	require.NoError(l.t, p.Wait(ctx))
	return cuda.Vector{Device: to}
}

// sum is the sum by the device.
func (l *loan) sum(s cuda.Sum, from cuda.Operands) []byte {
	need, err := s.Need(from.Bases.Place(), from.Scalars.Place())
	require.NoError(l.t, err)
	out := make([]byte, s.Bases.Curve.PointSize(s.Bases.Group))
	for i := range out {
		out[i] = poison
	}
	p, err := l.device.Sum(s, from, out, l.scratch(need), 2)
	require.NoError(l.t, err)
	require.NoError(l.t, p.Wait(ctx))
	return out
}

var places = map[string]cuda.Place{"device": cuda.OnDevice, "pinned": cuda.InPinned, "host": cuda.OnHost}

func TestSumOfResidentBases(t *testing.T) {
	d := openDevice(t)
	eachGroup(t, func(t *testing.T, g *group) {
		source := rand.New(rand.NewPCG(4, 0))
		for _, n := range []int{0, 1, 2, 33, 300} {
			bases, scalars := g.bases(t, n, 1), randomScalars(source, n)
			for name, place := range places {
				t.Run(fmt.Sprintf("%d/scalars %s", n, name), func(t *testing.T) {
					l := lender(t, d)
					resident := l.load(bases, g.first(n), cuda.OnHost)
					for _, form := range []engine.Form{engine.Canonical, engine.Montgomery} {
						got := l.sum(cuda.Sum{Bases: bases, Form: form}, cuda.Operands{Bases: resident, Scalars: l.place(scalars, place)})
						require.Equal(t, g.sum(t, n, scalars, form), got)
					}
				})
			}
		}
	})
}

func TestSumOfBasesWithMultiples(t *testing.T) {
	d := openDevice(t)
	eachGroup(t, func(t *testing.T, g *group) {
		source := rand.New(rand.NewPCG(5, 0))
		for _, c := range []struct {
			n, multiples int
			from         cuda.Place
		}{{0, 3, cuda.OnHost}, {1, 2, cuda.InPinned}, {50, 3, cuda.OnHost}, {201, 64, cuda.InPinned}} {
			l, scalars := lender(t, d), randomScalars(source, c.n)
			bases := g.bases(t, c.n, c.multiples)
			require.LessOrEqual(t, bases.Multiples, c.multiples)
			resident := l.load(bases, g.first(c.n), c.from)
			got := l.sum(cuda.Sum{Bases: bases, Slice: 7}, cuda.Operands{Bases: resident, Scalars: l.place(scalars, cuda.OnHost)})
			require.Equal(t, g.sum(t, c.n, scalars, engine.Canonical), got, "%+v", c)
		}
	})
}

func TestSumInSlices(t *testing.T) {
	d := openDevice(t)
	eachGroup(t, func(t *testing.T, g *group) {
		const n = 31
		bases, scalars := g.bases(t, n, 1), randomScalars(rand.New(rand.NewPCG(6, 0)), n)
		want := g.sum(t, n, scalars, engine.Montgomery)
		slices := map[curve.Group][]int{curve.G1: {0, 3, 11, 16, 1000}, curve.G2: {0, 11}}[g.group]
		for basesName, basesPlace := range places {
			for scalarsName, scalarsPlace := range places {
				t.Run(basesName+" bases/"+scalarsName+" scalars", func(t *testing.T) {
					for _, slice := range slices {
						l := lender(t, d)
						from := cuda.Operands{Bases: l.place(g.first(n), basesPlace), Scalars: l.place(scalars, scalarsPlace)}
						require.Equal(t, want, l.sum(cuda.Sum{Bases: bases, Form: engine.Montgomery, Slice: slice}, from), "slices of %d", slice)
					}
				})
			}
		}
	})
}

func TestSumInSlicesOfOneTerm(t *testing.T) {
	l, g, source := lender(t, openDevice(t)), groups()[0], rand.New(rand.NewPCG(7, 0))
	for _, n := range []int{1, 2, 3, 4, 11} {
		scalars := randomScalars(source, n)
		got := l.sum(cuda.Sum{Bases: g.bases(t, n, 1), Slice: 1}, cuda.Operands{
			Bases: cuda.Vector{Host: g.first(n)}, Scalars: cuda.Vector{Host: scalars},
		})
		require.Equal(t, g.sum(t, n, scalars, engine.Canonical), got, "%d terms", n)
	}
}

// Many terms go through staging in several pieces, and many dense scalars or few through other windows.
func TestSumOfManyTerms(t *testing.T) {
	d := openDevice(t)
	for _, g := range groups() {
		if g.group != curve.G1 {
			continue
		}
		t.Run(g.curve.String(), func(t *testing.T) {
			n := mostPoints(g.group) - 1
			mostlyBits, _ := mixed(rand.New(rand.NewPCG(8, 0)), n, 50)
			for name, scalars := range map[string][]byte{
				"98% zeros and ones": mostlyBits, "all dense": randomScalars(rand.New(rand.NewPCG(9, 0)), n),
			} {
				t.Run(name, func(t *testing.T) {
					l := lender(t, d)
					s := cuda.Sum{Bases: g.bases(t, n, 1), Sparse: true, Slice: 2000}
					from := cuda.Operands{Bases: cuda.Vector{Host: g.first(n)}, Scalars: cuda.Vector{Host: scalars}, Dense: cuda.Dense(scalars)}
					require.Equal(t, g.sum(t, n, scalars, engine.Canonical), l.sum(s, from))
				})
			}
		})
	}
}

// Whatever is said of the scalars, the sum is right and its scratch is enough.
func TestSumIsTheSameWhateverIsSaidToBeDense(t *testing.T) {
	d, g := openDevice(t), groups()[0]
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(0, 200).Draw(rt, "terms")
		scalars := randomScalars(rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0)), n)
		s := cuda.Sum{
			Bases: g.bases(t, n, 1), Sparse: rapid.Bool().Draw(rt, "sparse"), Slice: rapid.SampledFrom([]int{0, 17, 64}).Draw(rt, "slice"),
		}
		l := lender(rt, d)
		from := cuda.Operands{
			Bases: cuda.Vector{Host: g.first(n)}, Scalars: cuda.Vector{Host: scalars},
			Dense: rapid.IntRange(0, 2*n).Draw(rt, "dense"),
		}
		require.Equal(rt, g.sum(t, n, scalars, engine.Canonical), l.sum(s, from))
	})
}

func TestSumRefusesBadOperands(t *testing.T) {
	d, g := openDevice(t), groups()[0]
	l := lender(t, d)
	const n = 10
	s := cuda.Sum{Bases: g.bases(t, n, 1)}
	need, err := s.Need(cuda.OnHost, cuda.OnHost)
	require.NoError(t, err)
	good := cuda.Operands{Bases: cuda.Vector{Host: g.first(n)}, Scalars: cuda.Vector{Host: make([]byte, n*curve.ScalarSize)}}
	out, scratch := make([]byte, g.curve.PointSize(g.group)), l.scratch(need)
	refused := func(why string, s cuda.Sum, from cuda.Operands, out []byte, scratch cuda.Scratch) {
		_, err := d.Sum(s, from, out, scratch, 1)
		require.ErrorIs(t, err, engine.ErrOperand, why)
	}
	refused("a point too short", s, good, out[1:], scratch)
	refused("a point too few", s, cuda.Operands{Bases: cuda.Vector{Host: g.first(n - 1)}, Scalars: good.Scalars}, out, scratch)
	refused("a scalar too few", s, cuda.Operands{Bases: good.Bases, Scalars: cuda.Vector{Host: make([]byte, 9*curve.ScalarSize)}}, out, scratch)
	refused("no device scratch", s, good, out, cuda.Scratch{Pinned: scratch.Pinned})
	refused("a byte of pinned memory too few", s, good, out, cuda.Scratch{Device: scratch.Device, Pinned: scratch.Pinned[1:]})
	refused("slices of less than nothing", cuda.Sum{Bases: s.Bases, Slice: -1}, good, out, scratch)
	refused("multiples on the host", cuda.Sum{Bases: g.bases(t, n, 2)}, good, out, scratch)
	_, err = cuda.NewBases(g.curve, g.group, 1<<31, 1)
	require.ErrorIs(t, err, engine.ErrOperand)
	_, err = cuda.NewBases(g.curve, g.group, n, 0)
	require.ErrorIs(t, err, engine.ErrOperand)
}
