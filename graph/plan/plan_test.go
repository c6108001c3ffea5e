package plan

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/proofgraph/proofgraph/graph/sim"
	"github.com/proofgraph/proofgraph/graph/stage"
)

const pipeline = `
pipeline: planned
params:
  makers: { default: 2, range: [1, 24] }
  users: { default: 1, range: [1, 12] }
  places: { default: 1, range: [1, 8] }
pools: { host: { limit: auto } }
buffers: { v: { pool: host } }
stages:
  make: { kind: model.stage, out: "q:v=10", workers: "${makers}", time: 12s }
  use: { kind: model.stage, in: q, workers: "${users}", time: 3s }
edges: [{ from: make.q, to: use.q, capacity: "${places}", bytes: 100% }]
`

func search(t testing.TB, limit int64) Search {
	registry, err := stage.NewRegistry(sim.Kinds()...)
	require.NoError(t, err)
	profile, err := sim.ReadProfile("p", []byte("profile: p\nresources: { bus: { capacity: 16, falloff: 0.6 } }\nstages: { make: { seconds: 12, spread: 0.1, loads: { bus: 1 } } }"))
	require.NoError(t, err)
	return Search{
		Name: "planned.yaml", Source: []byte(pipeline), Registry: registry, Profile: profile,
		Arrivals: sim.Arrivals{Jobs: 240, Items: 1}, Limits: map[string]int64{"host": limit}, Seed: 1,
	}
}

func TestASearchFindsWhatTryingAllFinds(t *testing.T) {
	for _, limit := range []int64{55, 1000} {
		s := search(t, limit)
		s.Sets = []string{"users=5"}
		s.Trials = 24 * 8
		all, err := s.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, 24*8, all.Tried)
		s.Trials = 60
		some, err := s.Run(t.Context())
		require.NoError(t, err)
		assert.LessOrEqual(t, some.Tried, 60)
		assert.InEpsilon(t, all.Best.Seconds, some.Best.Seconds, 0.02)
		assert.LessOrEqual(t, some.Best.Memory, limit)
		assert.Equal(t, all.Front[0].Memory, some.Front[0].Memory)
	}
}

func TestThePlanIsTheSameEveryTime(t *testing.T) {
	s := search(t, 300)
	s.Trials = 100
	first, err := s.Run(t.Context())
	require.NoError(t, err)
	again, err := s.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, first, again)
}

func TestObjectives(t *testing.T) {
	s := search(t, 1000)
	s.Sets = []string{"users=4", "places=2"}
	throughput, err := s.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{"makers"}, throughput.Params)
	assert.InDelta(t, 16, throughput.Best.Values[0], 3, "more makers slow each other down")
	assert.NotNil(t, throughput.Default)
	s.Objective = Memory
	memory, err := s.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []int64{1}, memory.Best.Values)
	var text strings.Builder
	require.NoError(t, throughput.Text(&text))
	assert.Contains(t, text.String(), "best  --set makers=1")
	assert.Contains(t, text.String(), "as written")
}

func TestWhatCannotBePlanned(t *testing.T) {
	var nothing *NothingFits
	_, err := search(t, 9).Run(t.Context())
	require.ErrorAs(t, err, &nothing)
	assert.ErrorContains(t, err, "fits: refused: ")
	s := search(t, 100)
	s.Sets = []string{"makers=1", "users=1", "places=1"}
	_, err = s.Run(t.Context())
	assert.ErrorContains(t, err, "no parameter with a range")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = search(t, 100).Run(ctx)
	assert.ErrorIs(t, err, context.Canceled)
}

func TestNoPointOfAFrontIsBeaten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Point {
			return Point{Memory: rapid.Int64Range(1, 20).Draw(t, "bytes"), Seconds: float64(rapid.IntRange(1, 20).Draw(t, "seconds"))}
		}), 1, 30).Draw(t, "points")
		kept := front(points, Throughput)
		for _, p := range points {
			beaten := false
			for _, k := range kept {
				beaten = beaten || k.Memory <= p.Memory && k.Seconds <= p.Seconds
				better := p.Memory <= k.Memory && p.Seconds <= k.Seconds && (p.Memory < k.Memory || p.Seconds < k.Seconds)
				assert.False(t, better)
			}
			assert.True(t, beaten)
		}
		assert.Contains(t, kept, knee(kept, Throughput))
	})
}

// worker is a kind whose bodies see an option, and that no profile tells the cost of.
var worker = &stage.Kind{
	Name: "test.worker", Doc: "Works.",
	Options: []stage.Option{{Name: "slice", Type: stage.Int, Default: "0", Doc: "how much at once"}},
	New: func(stage.Options) (stage.Body, error) {
		return stage.BodyFunc(func(context.Context, *stage.Task) error { return nil }), nil
	},
}

func TestWhatBodiesSeeIsNotSearched(t *testing.T) {
	s := search(t, 100)
	var err error
	s.Registry, err = stage.NewRegistry(append(sim.Kinds(), worker)...)
	require.NoError(t, err)
	s.Profile, err = sim.ReadProfile("p", []byte("profile: p\nstages: { work: 1 }"))
	require.NoError(t, err)
	s.Source = []byte(`
pipeline: sliced
params: { slice: { default: 4, range: [1, 8] }, workers: { default: 1, range: [1, 4] } }
stages: { work: { kind: test.worker, slice: "${slice}", workers: "${workers}" } }
`)
	plan, err := s.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{"workers"}, plan.Params)
	assert.Equal(t, []string{"slice=4"}, plan.Fixed)
	var text strings.Builder
	require.NoError(t, plan.Text(&text))
	assert.Contains(t, text.String(), "no other value: slice=4")
}

func TestMemoryIsThatOfPoolsWithALimit(t *testing.T) {
	s := search(t, 40)
	s.Source = []byte(strings.NewReplacer(
		"pools: { host: { limit: auto } }", "pools: { host: { limit: auto }, mapped: { limit: none } }",
		"buffers: { v: { pool: host } }", "buffers: { v: { pool: host }, file: { pool: mapped } }",
		"time: 3s }", `scratch: "file=1000", time: 3s }`,
	).Replace(pipeline))
	plan, err := s.Run(t.Context())
	require.NoError(t, err)
	assert.LessOrEqual(t, plan.Best.Memory, int64(40))
}
