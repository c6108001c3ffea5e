package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/sim/timeline"
	"github.com/proofgraph/proofgraph/graph/stage"
)

const learned = `
pipeline: learned
params: { makers: { default: 3, range: [1, 8] } }
pools: { host: { limit: 1000 } }
buffers: { key: { pool: host, cached: true }, v: { pool: host } }
stages:
  load: { kind: model.stage, out: "key:key=10", cache: key, threads: 1 }
  make: { kind: model.stage, in: key, out: "q:v=10", workers: "${makers}", threads: 4 }
  use: { kind: model.stage, in: q, threads: 2, async: true, pending: 3 }
edges: [{ from: load.key, to: make.key, capacity: 4, bytes: 100 }, { from: make.q, to: use.q, capacity: 2, bytes: 100 }]
`

// What is learned from a run of a known profile predicts that profile's runs of other settings and another size.
func TestWhatIsLearnedPredicts(t *testing.T) {
	truth := profileOf(t, `
profile: truth
machine: { cores: 8 }
resources: { cores: { capacity: 8 } }
stages:
  load: { seconds: 2, loads: { cores: 0.8 } }
  make: { of: domain, at: { 1024: 3, 4096: 12 }, spread: 0.02, loads: { cores: 3.2 } }
  use: { of: domain, at: { 1024: 1, 4096: 4 }, spread: 0.02, loads: { cores: 1.6 } }
`)
	arrivals := func(domain int64) Arrivals { return Arrivals{Jobs: 30, Items: 1, Facts: stage.Facts{"domain": domain}} }
	prog := compile(t, learned, nil, "makers=1")
	run := simulate(t, prog, truth, arrivals(1024))
	facts := func(string, int) stage.Facts { return stage.Facts{"domain": 1024} }
	profile, err := Learn("learned", "domain", truth.Machine, Recording{
		Program: prog, Timeline: run.Timeline, Facts: facts, Usage: []Used{{}, {run.Timeline.Wall, inTime(30*(3*3.2+1.6) + 2*0.8)}},
	})
	require.NoError(t, err)
	assert.InEpsilon(t, 3, profile.Stages["make"][0].At[1024], 0.03, "the others' part in its seconds is taken out")
	assert.InEpsilon(t, 3.2, profile.Stages["make"][0].Loads["cores"], 0.05)
	assert.InEpsilon(t, 2, profile.Stages["load"][0].At[1024], 0.01, "what found the key in the cache does not count")
	for _, set := range []string{"makers=2", "makers=3", "makers=6"} {
		other := compile(t, learned, nil, set)
		for _, domain := range []int64{1024, 4096} {
			want := simulate(t, other, truth, arrivals(domain))
			got := simulate(t, other, profile, arrivals(domain))
			assert.InEpsilon(t, want.PerJob, got.PerJob, 0.1, "%s, domain %d", set, domain)
			assert.InEpsilon(t, want.Pool("host").PeakResident, got.Pool("host").PeakResident, 0.05, "%s, domain %d", set, domain)
		}
	}
}

func TestNothingIsLearnedFromNothing(t *testing.T) {
	_, err := Learn("p", "domain", Machine{Cores: 1})
	assert.Error(t, err)
	_, err = Learn("p", "domain", Machine{}, Recording{})
	assert.Error(t, err)
	_, err = Learn("p", "domain", Machine{Cores: 1}, Recording{Program: compile(t, learned, nil), Timeline: &timeline.Timeline{}})
	assert.ErrorIs(t, err, ErrNothingRan)
}

// An async stage's launch is told from the work that goes on beside, and a body that failed tells nothing.
func TestLaunchesAreLearnedAndFailuresAreNot(t *testing.T) {
	truth := profileOf(t, "profile: truth\nmachine: { cores: 8 }\nresources: { cores: { capacity: 8 } }\n"+
		"stages: { load: 1, make: 2, use: { seconds: 3, launch: 0.5 } }")
	prog := compile(t, learned, nil)
	run := simulate(t, prog, truth, Arrivals{Jobs: 5, Items: 1})
	for i := range run.Timeline.Spans {
		s := &run.Timeline.Spans[i]
		if s.Job == "job 3" && prog.Spec.Stages[s.Stage].Name == "make" {
			s.Failed = true
			s.Start = s.End
		}
	}
	profile, err := Learn("learned", "domain", truth.Machine, Recording{
		Program: prog, Timeline: run.Timeline, Facts: func(string, int) stage.Facts { return nil },
		Usage: []Used{{}, {run.Timeline.Wall, 0}},
	})
	require.NoError(t, err)
	assert.InDelta(t, 0.5, profile.Stages["use"][0].Launch, 1e-6)
	assert.InDelta(t, 3, profile.Stages["use"][0].Seconds, 1e-6)
	assert.InDelta(t, 2, profile.Stages["make"][0].Seconds, 1e-6)
}

// ${cores} and the threads of a body are those of the profile's machine, wherever the simulation runs.
func TestThreadsAreThoseOfTheMachine(t *testing.T) {
	profile := profileOf(t, "profile: p\nmachine: { cores: 96 }")
	registry, err := stage.NewRegistry(Kinds()...)
	require.NoError(t, err)
	prog, err := profile.Bind("p.yaml", []byte("pipeline: p\nstages: { a: { kind: model.stage }, b: { kind: model.stage, threads: 3 } }\n"), registry, nil, nil)
	require.NoError(t, err)
	assert.Equal(t, []int{96, 3}, []int{prog.Threads(0), prog.Threads(1)})
}
