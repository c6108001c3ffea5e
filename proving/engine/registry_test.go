package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/engine/gnark"
)

// kind is a kind that is available for some curves and makes the plain engine.
func kind(name string, rank int, curves ...curve.ID) engine.Kind {
	return engine.Kind{
		Name: name, Rank: rank,
		Available: func(id curve.ID) (bool, string) {
			for _, c := range curves {
				if c == id {
					return true, ""
				}
			}
			return false, "no " + id.String()
		},
		New: func(id curve.ID) (engine.Engine, error) {
			e, err := gnark.New(id)
			return engine.WithMSM(name, e, hungry{e}), err
		},
	}
}

// hungry sums like another engine and says that it needs more.
type hungry struct{ engine.MSMEngine }

func (h hungry) MSMNeed(g curve.Group, n, threads int) engine.Need {
	need := h.MSMEngine.MSMNeed(g, n, threads)
	return engine.Need{Scratch: need.Scratch + 1, Heap: need.Heap + 2}
}

func TestEngineWithSumsOfAnother(t *testing.T) {
	rest, err := gnark.New(curve.BLS12381)
	require.NoError(t, err)
	e := engine.WithMSM("hungry", rest, hungry{rest})
	require.Equal(t, "hungry", e.Name())
	require.Equal(t, curve.BLS12381, e.Curve())
	require.Equal(t, rest.MSMNeed(curve.G1, 10, 1).Total()+3, e.MSMNeed(curve.G1, 10, 1).Total())
	require.Equal(t, rest.DomainNeed(1<<10), e.DomainNeed(1<<10))
}

func TestAutoIsTheBestAvailable(t *testing.T) {
	var r engine.Registry
	require.NoError(t, r.Add(gnark.Kind()))
	require.NoError(t, r.Add(kind("fast", 10, curve.BN254)))
	require.NoError(t, r.Add(kind("absent", 20)))
	require.Equal(t, []string{"absent", "fast", "gnark"}, r.Names())
	for _, name := range []string{"", "auto"} {
		e, err := r.Open(name, curve.BN254)
		require.NoError(t, err)
		require.Equal(t, "fast", e.Name())
		e, err = r.Open(name, curve.BLS12381)
		require.NoError(t, err)
		require.Equal(t, "gnark", e.Name())
	}
	ok, why := r.Available("fast", curve.BLS12381)
	require.False(t, ok)
	require.Equal(t, "no bls12-381", why)
}

func TestEnginesThatCannotBeOpened(t *testing.T) {
	var r engine.Registry
	_, err := r.Open("auto", curve.BN254)
	require.ErrorIs(t, err, engine.ErrUnavailable)
	require.NoError(t, r.Add(kind("fast", 1)))
	_, err = r.Open("fast", curve.BN254)
	require.ErrorIs(t, err, engine.ErrUnavailable)
	require.ErrorContains(t, err, "no bn254")
	_, err = r.Open("faster", curve.BN254)
	require.ErrorIs(t, err, engine.ErrUnknownEngine)
	require.ErrorContains(t, err, "known: fast")
	for _, name := range []string{"", "auto", "fast"} {
		require.Error(t, r.Add(kind(name, 1)))
	}
	_, err = gnark.New(0)
	require.ErrorIs(t, err, curve.ErrUnknown)
}
