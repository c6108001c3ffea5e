package cuda_test

import (
	"encoding/binary"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind/standin"
	"github.com/proofgraph/proofgraph/proving/cuda"
	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/engine/gnark"
	"github.com/proofgraph/proofgraph/proving/fixedbase"
	"github.com/proofgraph/proofgraph/proving/internal/view"
	"github.com/proofgraph/proofgraph/proving/pairing"
)

// group is a group of points, and points of it.
type group struct {
	curve  curve.ID
	group  curve.Group
	engine engine.Engine
	points []byte // each seventh is infinity
}

// mostPoints are enough for several pieces of anything; the slower G2 does with fewer.
func mostPoints(g curve.Group) int { return map[curve.Group]int{curve.G1: 4500, curve.G2: 400}[g] }

var groups = sync.OnceValue(func() (all []*group) {
	for _, id := range curve.All() {
		e, err := gnark.New(id)
		must(err)
		for _, g := range []curve.Group{curve.G1, curve.G2} {
			all = append(all, &group{id, g, e, somePoints(id, g)})
		}
	}
	return all
})

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func somePoints(id curve.ID, g curve.Group) []byte {
	suite, err := pairing.Of(id)
	must(err)
	n := mostPoints(g)
	table, err := fixedbase.New(ctx, id, g, suite.Generator(g), n, 2)
	must(err)
	points := view.Allocate(int64(n * id.PointSize(g)))
	must(table.Multiply(ctx, points, randomScalars(rand.New(rand.NewPCG(3, uint64(g))), n), 2))
	for i := 5; i < n; i += 7 {
		clear(points[i*id.PointSize(g):][:id.PointSize(g)])
	}
	return points
}

// randomScalars are n scalars below either modulus, canonical; as Montgomery forms they are random ones too.
func randomScalars(source *rand.Rand, n int) []byte {
	scalars := view.Allocate(int64(n * curve.ScalarSize))
	for i := 0; i < len(scalars); i += 8 {
		binary.LittleEndian.PutUint64(scalars[i:], source.Uint64())
	}
	for i := curve.ScalarSize - 1; i < len(scalars); i += curve.ScalarSize {
		scalars[i] &= 0x1f
	}
	return scalars
}

func eachGroup(t *testing.T, test func(t *testing.T, g *group)) {
	for _, g := range groups() {
		t.Run(g.curve.String()+"/"+g.group.String(), func(t *testing.T) { test(t, g) })
	}
}

// first are the first n points.
func (g *group) first(n int) []byte { return g.points[:n*g.curve.PointSize(g.group)] }

// sum is the sum by the CPU.
func (g *group) sum(t testing.TB, n int, scalars []byte, form engine.Form) []byte {
	out := view.Allocate(int64(g.curve.PointSize(g.group)))
	need := g.engine.MSMNeed(g.group, n, 2)
	require.NoError(t, g.engine.MSM(ctx, g.group, out, g.first(n), scalars, form, view.Allocate(need.Scratch), 2))
	return out
}

func (g *group) bases(t testing.TB, n, multiples int) cuda.Bases {
	b, err := cuda.NewBases(g.curve, g.group, n, multiples)
	require.NoError(t, err)
	return b
}

// openDevice is the first device of the stand-in's machine, or of whatever PROOFGRAPH_CUDA_LIB names.
func openDevice(t testing.TB, options ...standin.Option) *cuda.Device {
	t.Helper()
	standin.Use(t, options...)
	m := cuda.Find()
	require.NoError(t, m.Problem())
	d, err := m.Device(0)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Close()) })
	return d
}
