package pipelines_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/explore"
	"github.com/proofgraph/proofgraph/graph/plan"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/sched"
	"github.com/proofgraph/proofgraph/graph/sim"
	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/pipelines"
	"github.com/proofgraph/proofgraph/pipelines/cuzk"
	"github.com/proofgraph/proofgraph/testing/budgettest"
)

const gib = 1 << 30

func machine(t testing.TB) *sim.Profile {
	text, ok := pipelines.Profile("threadripper-7995wx")
	require.True(t, ok)
	profile, err := sim.ReadProfile("threadripper-7995wx.yaml", text)
	require.NoError(t, err)
	return profile
}

// porep binds the pipeline to a number of bytes.
func porep(t testing.TB, profile *sim.Profile, limit int64, sets ...string) *program.Program {
	source, ok := pipelines.Read("porep")
	require.True(t, ok)
	registry, err := budgettest.Registry()
	require.NoError(t, err)
	prog, err := profile.Bind("porep.yaml", source, registry, sets, map[string]int64{"host": limit})
	require.NoError(t, err)
	return prog
}

func prove(t testing.TB, limit int64, arrivals sim.Arrivals) *sim.Result {
	profile := machine(t)
	r, err := sim.Run(porep(t, profile, limit), profile, arrivals, sim.Options{Seed: 1})
	require.NoError(t, err)
	return r
}

func TestPoRepKeepsItsBudgets(t *testing.T) {
	few := func(_ time.Duration, bytes map[string]int64) bool { return bytes["abc"] <= 8*96*130278869 }
	budgettest.Run(t, "pipelines/porep.yaml", budgettest.Always("vectors of eight partitions at most", few))
}

func TestPoRepHoldsEveryBudget(t *testing.T) {
	seconds := 1e9
	for limit := int64(128); limit <= 755; limit += 11 {
		r := prove(t, limit*gib, sim.Arrivals{Jobs: 20, Items: 10, AtOnce: 15})
		require.Equal(t, sim.Completed, r.Verdict.Outcome, "%d GiB: %s", limit, r.Verdict)
		assert.LessOrEqual(t, r.Pool("host").PeakPromised, limit*gib)
		assert.LessOrEqual(t, r.PerJob, seconds*1.03, "%d GiB are no slower than less", limit)
		seconds = min(seconds, r.PerJob)
	}
}

// Whatever arrives at once, and however soon, the pool holds.
func TestPoRepHoldsUnderAnyArrivals(t *testing.T) {
	for name, arrivals := range map[string]sim.Arrivals{
		"a hundred jobs at once": {Jobs: 100, Items: 10}, "one job": {Jobs: 1, Items: 10}, "one every 5 s": {Jobs: 50, Items: 10, Every: 5e9, Random: true},
	} {
		r := prove(t, 256*gib, arrivals)
		assert.Equal(t, sim.Completed, r.Verdict.Outcome, name)
		assert.LessOrEqual(t, r.Pool("host").PeakPromised, int64(256*gib), name)
	}
}

// At the memory of every published point that a budget can be set to, it is faster than what was published there; loading
// the keys, which was not counted there, is counted here.
func TestPoRepBeatsEveryPublishedPointAtItsMemory(t *testing.T) {
	for _, row := range cuzk.Rows() {
		if row.Dies || row.Peak < 128 || row.Seconds == 0 {
			continue
		}
		t.Run(fmt.Sprintf("%s: %s", row.Source, row.Name), func(t *testing.T) {
			r := prove(t, int64(row.Peak*gib), sim.Arrivals{Jobs: row.Jobs, Items: 10, AtOnce: row.AtOnce})
			require.Equal(t, sim.Completed, r.Verdict.Outcome)
			assert.Less(t, r.PerJob, row.Seconds)
			assert.LessOrEqual(t, float64(r.Pool("host").PeakResident)/gib, row.Peak)
			t.Logf("%.1f s, %.0f GiB resident; published %.1f s, %.0f GiB", r.PerJob, float64(r.Pool("host").PeakResident)/gib, row.Seconds, row.Peak)
		})
	}
}

func planned(t testing.TB, trials int) *plan.Plan {
	source, _ := pipelines.Read("porep")
	registry, err := budgettest.Registry()
	require.NoError(t, err)
	p, err := plan.Search{
		Name: "porep.yaml", Source: source, Registry: registry, Profile: machine(t), Seed: 1, Trials: trials,
		Arrivals: sim.Arrivals{Jobs: 12, Items: 10, AtOnce: 12}, Limits: map[string]int64{"host": 256 * gib},
	}.Run(t.Context())
	require.NoError(t, err)
	return p
}

func TestAPlanForPoRepIsNoWorseThanWhatIsWritten(t *testing.T) {
	p := planned(t, 60)
	require.NotNil(t, p.Default)
	assert.LessOrEqual(t, p.Best.Seconds, p.Default.Seconds)
	assert.LessOrEqual(t, p.Best.Memory, int64(256*gib))
	assert.LessOrEqual(t, p.Knee.Memory, p.Best.Memory)
	var text strings.Builder
	require.NoError(t, p.Text(&text))
	assert.Contains(t, text.String(), "--set witness_workers=")
}

func BenchmarkPlan(b *testing.B) {
	for b.Loop() {
		p := planned(b, 0)
		b.ReportMetric(float64(p.Tried), "settings")
	}
}

func BenchmarkPoRep(b *testing.B) {
	profile := machine(b)
	prog := porep(b, profile, 256*gib)
	arrivals := sim.Arrivals{Jobs: 1000, Items: 10, AtOnce: 15}
	for b.Loop() {
		r, err := sim.Run(prog, profile, arrivals, sim.Options{Seed: 1})
		require.NoError(b, err)
		require.Equal(b, sim.Completed, r.Verdict.Outcome)
	}
	b.ReportMetric(10_000*float64(b.N)/b.Elapsed().Seconds(), "items/s")
}

// Two partitions go through in every order that their bodies can end in, in a budget that holds two and in one that holds
// one; either may fail at any point.
func TestPoRepGoesThroughInEveryOrder(t *testing.T) {
	profile := machine(t)
	for _, limit := range []int64{112, 95} {
		for failures := range 2 {
			prog := porep(t, profile, limit*gib, "witness_workers=2")
			shape, err := prog.Shape(&stage.Item{Facts: profile.Facts})
			require.NoError(t, err)
			require.NoError(t, shape.Refusal)
			result, err := explore.Explore(explore.Case{
				Graph: prog.Graph, Together: true, Failures: failures,
				Items: []sched.Item{{ID: 1, Job: 1, Shape: shape.Sched}, {ID: 2, Job: 2, Shape: shape.Sched}},
			})
			require.NoError(t, err)
			assert.True(t, result.Complete)
			t.Logf("%d GiB, %d failures: %d states", limit, failures, result.States)
		}
	}
}
