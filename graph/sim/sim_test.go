package sim

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/sim/timeline"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/graph/stage"
)

func compile(t testing.TB, yaml string, limits map[string]int64, sets ...string) *program.Program {
	t.Helper()
	registry, err := stage.NewRegistry(Kinds()...)
	require.NoError(t, err)
	p, err := spec.Load("pipeline.yaml", []byte(yaml), registry, sets)
	require.NoError(t, err)
	prog, err := program.New(p, limits)
	require.NoError(t, err)
	return prog
}

func profileOf(t testing.TB, yaml string) *Profile {
	t.Helper()
	p, err := ReadProfile("profile.yaml", []byte(yaml))
	require.NoError(t, err)
	return p
}

func simulate(t testing.TB, prog *program.Program, profile *Profile, arrivals Arrivals) *Result {
	t.Helper()
	r, err := Run(prog, profile, arrivals, Options{Seed: 1, Record: true})
	require.NoError(t, err)
	return r
}

const twoStages = `
pipeline: two
params: { workers: { default: 2, range: [1, 8] }, limit: { default: 100 } }
pools: { host: { limit: "${limit}" } }
buffers: { v: { pool: host }, s: { pool: host } }
stages:
  make: { kind: model.stage, out: "q:v=10", scratch: "s=4", workers: "${workers}", time: 3s }
  use: { kind: model.stage, in: q, time: 1s }
edges: [{ from: make.q, to: use.q, capacity: 2, bytes: 100 }]
`

func TestSecondsByHand(t *testing.T) {
	cases := []struct {
		name, set     string
		jobs          Arrivals
		seconds       float64
		latency, busy float64 // the last job's, and use's seconds
	}{
		{"one item", "workers=1", Arrivals{Jobs: 1, Items: 1}, 4, 4, 1},
		{"the slow stage sets the pace", "workers=1", Arrivals{Jobs: 5, Items: 1}, 16, 16, 5},
		{"two workers halve it", "workers=2", Arrivals{Jobs: 4, Items: 1}, 8, 8, 4},
		{"one job after another", "workers=8", Arrivals{Jobs: 3, Items: 1, AtOnce: 1}, 12, 4, 3},
		{"by the clock", "workers=8", Arrivals{Jobs: 3, Items: 1, Every: 10 * time.Second}, 24, 4, 3},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := simulate(t, compile(t, twoStages, nil, c.set), &Profile{}, c.jobs)
			require.Equal(t, Completed, r.Verdict.Outcome)
			assert.InDelta(t, c.seconds, r.Seconds, 1e-9)
			assert.InDelta(t, c.latency, r.Latency.Max, 1e-9)
			assert.InDelta(t, c.busy, r.Stage("use").BodySeconds*float64(r.Stage("use").Bodies), 1e-9)
		})
	}
}

// What would take longer than the clock can tell is an error, however it comes about, and not a time that went round.
func TestTimeHasAnEnd(t *testing.T) {
	slow := func(resource, load string) *Profile {
		return profileOf(t, "profile: slow\nresources: { bus: { "+resource+" } }\nkinds: { model.stage: { seconds: 1e6, loads: { bus: "+load+" } } }")
	}
	cases := map[string]struct {
		profile *Profile
		jobs    Arrivals
	}{
		"a load beyond all measure": {slow("capacity: 1", "1e300"), Arrivals{Jobs: 1, Items: 1}},
		"a resource that collapses": {slow("capacity: 1e-3, falloff: 1", "1e6"), Arrivals{Jobs: 1, Items: 1}},
		"too much work":             {slow("capacity: 1", "1"), Arrivals{Jobs: 6000, Items: 1}},
		"arrivals for ever":         {slow("capacity: 1", "0"), Arrivals{Jobs: 6000, Items: 1, Every: inTime(longest)}},
		"random ones":               {slow("capacity: 1", "0"), Arrivals{Jobs: 8000, Items: 1, Every: inTime(longest), Random: true}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := Run(compile(t, twoStages, nil, "workers=1"), c.profile, c.jobs, Options{})
			assert.ErrorContains(t, err, "the simulation takes more than 146 years")
		})
	}
}

func TestBytesByHand(t *testing.T) {
	r := simulate(t, compile(t, twoStages, nil, "workers=1"), &Profile{}, Arrivals{Jobs: 3, Items: 1})
	host := r.Pool("host")
	assert.Equal(t, int64(24), host.PeakResident, "one made with its scratch while the one before is used")
	assert.Equal(t, int64(24), host.PeakLeased)
	assert.InDelta(t, 3, host.PeakAt, 1e-9)
	assert.InDelta(t, 10.0*3*4/10+4.0*9/10, float64(host.MeanResident), 1, "byte-seconds over seconds")
	assert.Equal(t, 2, r.MostHeld)
	assert.Equal(t, int64(20), r.Class("v").PeakResident)
	last := r.Timeline.Samples[len(r.Timeline.Samples)-1]
	assert.Equal(t, timeline.Sample{At: 10 * time.Second, Bytes: []int64{0, 0}}, last, "all is given back")
	assert.Len(t, r.Timeline.Spans, 6)
}

func TestBodiesShareWhatIsScarce(t *testing.T) {
	cases := []struct {
		name, profile string
		seconds       float64
	}{
		{"enough for both", "resources: { bus: { capacity: 2 } }\nstages: { make: { seconds: 3, loads: { bus: 1 } } }", 5},
		{"half as much", "resources: { bus: { capacity: 1 } }\nstages: { make: { seconds: 3, loads: { bus: 1 } } }", 8},
		{"the scarcer one counts", "resources: { bus: { capacity: 1 }, gpu: { capacity: 0.5 } }\nstages: { make: { seconds: 3, loads: { bus: 1, gpu: 1 } } }", 14},
		{"contention wastes some", "resources: { bus: { capacity: 1, falloff: 0.5 } }\nstages: { make: { seconds: 3, loads: { bus: 1 } } }", 11},
		{"only the phase that loads it", "resources: { bus: { capacity: 1 } }\nstages: { make: { phases: [{ seconds: 1 }, { seconds: 2, loads: { bus: 1 } }] } }", 7},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := simulate(t, compile(t, twoStages, nil), profileOf(t, "profile: p\n"+c.profile), Arrivals{Jobs: 2, Items: 1})
			assert.InDelta(t, c.seconds, r.Seconds, 1e-6)
		})
	}
}

func TestVerdicts(t *testing.T) {
	t.Run("refused", func(t *testing.T) {
		r := simulate(t, compile(t, twoStages, nil, "limit=13"), &Profile{}, Arrivals{Jobs: 1, Items: 1})
		assert.Equal(t, Verdict{
			Outcome: Refused, Pool: "host", Bytes: 14, Limit: 13, Reason: `the pool "host" has 13 B and one item needs 14 B; pool host would do with 14 B (14 bytes)`,
		}, r.Verdict)
		close := strings.NewReplacer("v=10", "v=1073741824", "s=4", "s=0", "bytes: 100", "bytes: 50%").Replace(twoStages)
		r = simulate(t, compile(t, close, nil, "limit=2147483647"), &Profile{}, Arrivals{Jobs: 1, Items: 1})
		assert.Equal(t, "the edge from make.q to use has 1073741823 B and one item needs 1073741824 B; pool host would do with 2 GiB (2147483648 bytes)",
			r.Verdict.Reason, "what differs by a byte is told by the byte")
	})
	t.Run("a limit that holds", func(t *testing.T) {
		r := simulate(t, compile(t, twoStages, nil, "limit=14"), &Profile{}, Arrivals{Jobs: 4, Items: 2})
		assert.Equal(t, Completed, r.Verdict.Outcome)
		assert.LessOrEqual(t, r.Pool("host").PeakResident, int64(14))
	})
	t.Run("out of memory", func(t *testing.T) {
		unbounded := `
pipeline: unbounded
pools: { host: { limit: none } }
buffers: { v: { pool: host } }
stages:
  make: { kind: model.stage, out: "q:v=7", scratch: "v=3", workers: 3, release: on_complete, time: 1s }
  use: { kind: model.stage, in: q, time: 2s, scratch: "v=3" }
edges: [{ from: make.q, to: use.q, capacity: 1, bytes: 100 }]
`
		profile := profileOf(t, "profile: p\nmachine: { memory: { host: { total: 70, others: 5 } } }")
		r := simulate(t, compile(t, unbounded, nil), profile, Arrivals{Jobs: 20, Items: 1})
		require.Equal(t, OutOfMemory, r.Verdict.Outcome)
		assert.InDelta(t, 2, r.Verdict.Seconds, 1e-9)
		assert.Equal(t, int64(4*7+4*10), r.Verdict.Bytes)
		assert.Equal(t, Holder{"job 0, item 0", 10}, r.Verdict.Holders[0])
		assert.Len(t, r.Verdict.Holders, 8)
		var held int64
		for _, h := range r.Verdict.Holders {
			held += h.Bytes
		}
		assert.Equal(t, r.Verdict.Bytes, held, "every byte has a holder")
		var text, page bytes.Buffer
		require.NoError(t, Text(&text, r))
		assert.Contains(t, text.String(), "unbounded: out of memory at 2 s: 68 B are resident and the machine has 65 B\nheld by job 0, item 0 (10 B), ")
		assert.Contains(t, text.String(), ", 2 more (14 B)\n")
		require.NoError(t, r.HTML(&page))
		for _, want := range []string{">the machine has 65 B<", "<dt>held by</dt><dd>job 0, item 0 (10 B), ", ">out of memory at 2 s</text>"} {
			assert.Contains(t, page.String(), want)
		}
	})
}

func TestMemoryIsResidentWhenItIsTouched(t *testing.T) {
	profile := profileOf(t, "profile: p\nstages: { make: { phases: [{ seconds: 2 }, { seconds: 1, touches: [q, s] }] } }")
	r := simulate(t, compile(t, twoStages, nil), profile, Arrivals{Jobs: 1, Items: 1})
	assert.Equal(t, []timeline.Sample{
		{At: 0, Bytes: []int64{0, 0}}, {At: 2 * time.Second, Bytes: []int64{10, 4}}, {At: 3 * time.Second, Bytes: []int64{10, 0}},
		{At: 4 * time.Second, Bytes: []int64{0, 0}},
	}, r.Timeline.Samples)
	assert.Equal(t, int64(14), r.Pool("host").PeakLeased)
}

// Two circuits alternate in a budget that holds one key and a half: the idle key goes, and comes again.
func TestKeysAreLoadedOnceAndEvicted(t *testing.T) {
	yaml := `
pipeline: keyed
pools: { host: { limit: "%d" } }
buffers: { key: { pool: host, cached: true } }
stages:
  load: { kind: model.stage, out: "key:key=10", cache: key, time: 5s, workers: 2 }
  use: { kind: model.stage, in: key, time: 1s }
edges: [{ from: load.key, to: use.key, capacity: 4, bytes: 100 }]
`
	alternating := Arrivals{Jobs: 4, Items: 2, AtOnce: 1, Mix: []stage.Facts{{"circuit": 1}, {"circuit": 2}}}
	cases := []struct {
		limit   int
		seconds float64
	}{{20, 2*5 + 8}, {15, 4*5 + 8}}
	for _, c := range cases {
		t.Run(fmt.Sprint(c.limit, " bytes"), func(t *testing.T) {
			r := simulate(t, compile(t, fmt.Sprintf(yaml, c.limit), nil), &Profile{}, alternating)
			require.Equal(t, Completed, r.Verdict.Outcome, r.Verdict.Reason)
			assert.InDelta(t, c.seconds, r.Seconds, 1e-9)
		})
	}
}

func TestAsyncWorkGoesOnBesideItsWorker(t *testing.T) {
	yaml := `
pipeline: beside
pools: { host: { limit: 100 } }
stages:
  sum: { kind: model.stage, out: q, async: true, pending: 3, time: 4s }
  use: { kind: model.stage, in: q }
edges: [{ from: sum.q, to: use.q, capacity: 3 }]
`
	profile := profileOf(t, "profile: p\nstages: { sum: { seconds: 4, launch: 1 } }")
	r := simulate(t, compile(t, yaml, nil), profile, Arrivals{Jobs: 3, Items: 1})
	assert.InDelta(t, 3+4, r.Seconds, 1e-9, "three launches one after another, and the last one's work")
	assert.True(t, r.Timeline.Spans[1].Pending || r.Timeline.Spans[3].Pending)
}

func TestSecondsFollowTheSizeOfACircuit(t *testing.T) {
	phase := Phase{Of: "domain", At: map[int64]float64{1 << 10: 1, 1 << 12: 4, 1 << 14: 32}}
	cases := map[int64]float64{1 << 10: 1, 1 << 11: 2, 1 << 12: 4, 1 << 14: 32, 1 << 9: 0.5, 1 << 16: 256}
	for domain, want := range cases {
		got, err := phase.secondsFor(stage.Facts{"domain": domain})
		require.NoError(t, err)
		assert.InDelta(t, want, got, 1e-9, "domain %d", domain)
	}
	slow := Phase{Of: "domain", At: map[int64]float64{1 << 10: 1, 1 << 12: 2}} // grows more slowly than its size
	for domain, want := range map[int64]float64{1 << 10: 1, 1 << 11: math.Sqrt2, 1 << 14: 5.469, 1 << 9: 0.8095} {
		got, err := slow.secondsFor(stage.Facts{"domain": domain})
		require.NoError(t, err)
		assert.InDelta(t, want, got, 1e-3, "domain %d", domain)
	}
	_, err := phase.secondsFor(stage.Facts{})
	assert.ErrorContains(t, err, `the fact "domain"`)
}

func TestEqualSeedsGiveEqualResults(t *testing.T) {
	profile := profileOf(t, "profile: p\nstages: { make: { seconds: 3, spread: 0.3 }, use: { seconds: 1, spread: 0.3 } }")
	arrivals := Arrivals{Jobs: 50, Items: 2, Every: 4 * time.Second, Random: true}
	prog := compile(t, twoStages, nil)
	first, again := simulate(t, prog, profile, arrivals), simulate(t, prog, profile, arrivals)
	assert.Equal(t, first, again)
	other, err := Run(prog, profile, arrivals, Options{Seed: 2})
	require.NoError(t, err)
	assert.NotEqual(t, first.Seconds, other.Seconds)
}

func TestWhatDoesNotGoTogetherIsAnError(t *testing.T) {
	prog := compile(t, twoStages, nil)
	one := Arrivals{Jobs: 1, Items: 1}
	cases := []struct {
		name, profile, want string
		arrivals            Arrivals
	}{
		{"no jobs", "profile: p", "0 jobs of 1 items", Arrivals{Items: 1}},
		{"two ways to arrive", "profile: p", "not both", Arrivals{Jobs: 1, Items: 1, AtOnce: 1, Every: time.Second}},
		{"touches what is not there", "profile: p\nstages: { make: { touches: [z] } }", `touches "z"`, one},
		{"lacks a fact", "profile: p\nstages: { make: { of: domain, at: { 1024: 1 } } }", `stage "make": its seconds depend`, one},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := Run(prog, profileOf(t, c.profile), c.arrivals, Options{})
			assert.ErrorContains(t, err, c.want)
		})
	}
}
