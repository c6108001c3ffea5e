package cuda

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/proofgraph/proofgraph/cudabind/standin"
	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
)

func places() *rapid.Generator[Place] { return rapid.SampledFrom([]Place{OnDevice, InPinned, OnHost}) }

func sums() *rapid.Generator[Sum] {
	return rapid.Custom(func(t *rapid.T) Sum {
		return Sum{
			Bases: Bases{
				Curve: rapid.SampledFrom(curve.All()).Draw(t, "curve"), Group: rapid.SampledFrom([]curve.Group{curve.G1, curve.G2}).Draw(t, "group"),
				Count: rapid.IntRange(0, 1<<26).Draw(t, "terms"), Multiples: 1,
			},
			Sparse: rapid.Bool().Draw(t, "sparse"), Slice: rapid.IntRange(0, 1<<24).Draw(t, "slice"),
		}
	})
}

func TestSlicesCoverEveryTermOnce(t *testing.T) {
	standin.Use(t)
	rapid.Check(t, func(t *rapid.T) {
		s, bases, scalars := sums().Draw(t, "sum"), places().Draw(t, "bases"), places().Draw(t, "scalars")
		s.Slice = max(s.Slice, s.Bases.Count/1000)
		l, err := s.lay(bases, scalars)
		require.NoError(t, err)
		next := 0
		for i := range l.slices {
			first, count := l.slice(i)
			require.Equal(t, next, first)
			require.Positive(t, count)
			if s.Slice > 0 {
				require.LessOrEqual(t, count, s.Slice)
			}
			next = first + count
		}
		require.Equal(t, s.Bases.Count, next)
	})
}

// Memory that turns out to be page-locked takes no more than a footprint foresaw.
func TestPinnedOperandsTakeNoMore(t *testing.T) {
	standin.Use(t)
	rapid.Check(t, func(t *rapid.T) {
		s := sums().Draw(t, "sum")
		foreseen, err := s.Need(OnHost, OnHost)
		require.NoError(t, err)
		bases, scalars := rapid.SampledFrom([]Place{InPinned, OnHost}).Draw(t, "bases"), rapid.SampledFrom([]Place{InPinned, OnHost}).Draw(t, "scalars")
		need, err := s.Need(bases, scalars)
		require.NoError(t, err)
		require.Equal(t, foreseen.Device, need.Device)
		require.LessOrEqual(t, need.Pinned, foreseen.Pinned)
	})
}

func TestSumsThatAreTooLongAreCut(t *testing.T) {
	standin.Use(t)
	s := Sum{Bases: Bases{Curve: curve.BLS12381, Group: curve.G1, Count: 1 << 30, Multiples: 1}}
	_, err := s.Need(OnDevice, OnDevice)
	require.ErrorIs(t, err, engine.ErrOperand)
	require.ErrorContains(t, err, "cut it into slices")
	s.Slice = 1 << 24
	_, err = s.Need(OnDevice, OnDevice)
	require.NoError(t, err)
}

func TestFewerDenseScalarsGetSmallerWindows(t *testing.T) {
	standin.Use(t)
	const n = 1 << 16
	s := Sum{Bases: Bases{Curve: curve.BN254, Group: curve.G1, Count: n, Multiples: 1}, Sparse: true}
	l, err := s.lay(OnDevice, OnDevice)
	require.NoError(t, err)
	require.Equal(t, l.configFor(n), l.configFor(0), "any number may be dense")
	last := l.configFor(n).WindowBits
	for dense := n; dense > 0; dense /= 2 {
		c := l.configFor(dense)
		require.LessOrEqual(t, c.WindowBits, last)
		require.LessOrEqual(t, int64(c.ScratchBytes(n)), l.scratch)
		last = c.WindowBits
	}
	require.Less(t, last, l.configFor(n).WindowBits)
	s.Sparse = false
	l, err = s.lay(OnDevice, OnDevice)
	require.NoError(t, err)
	require.Equal(t, l.configFor(n), l.configFor(1), "there is scratch for one choice alone")
}
