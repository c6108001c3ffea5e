package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/stage"
)

// usageOf gives the processor time that the loads of a run would use, sampled at every start and end of a body; every
// other sample is a tick late or early.
func usageOf(r Recording, cores float64, truth map[string]float64, tick time.Duration) []Used {
	var all loads
	all, _ = threadsOf([]Recording{r})
	names := all.names()
	amounts := make([]float64, len(names))
	for i, name := range names {
		amounts[i] = truth[name]
	}
	usage, cpu := []Used{{}}, 0.0
	for i, m := range r.moments(names) {
		cpu += m.seconds() * min(m.demand(amounts), cores)
		usage = append(usage, Used{m.to, inTime(cpu) + tick*time.Duration(i%3-1)})
	}
	return usage
}

// Stages that keep different parts of their threads busy are told apart by the processor time between samples, though no
// body ever runs alone for long and every sample is off by a tick.
func TestLoadsAreToldApart(t *testing.T) {
	truth := profileOf(t, `
profile: truth
machine: { cores: 8 }
resources: { cores: { capacity: 8 } }
stages:
  load: { seconds: 0.1, loads: { cores: 0.4 } }
  make: { of: domain, at: { 1024: 0.030 }, spread: 0.2, loads: { cores: 3.8 } }
  use: { of: domain, at: { 1024: 0.025 }, spread: 0.2, loads: { cores: 1 } }
`)
	prog := compile(t, learned, nil, "makers=1")
	run := simulate(t, prog, truth, Arrivals{Jobs: 60, Items: 1, Facts: stage.Facts{"domain": 1024}})
	r := Recording{Program: prog, Timeline: run.Timeline, Facts: func(string, int) stage.Facts { return stage.Facts{"domain": 1024} }}
	r.Usage = usageOf(r, 8, map[string]float64{"load": 0.4, "make": 3.8, "use": 1}, 4*time.Millisecond)
	profile, err := Learn("learned", "domain", truth.Machine, r)
	require.NoError(t, err)
	assert.InEpsilon(t, 3.8, profile.Stages["make"][0].Loads["cores"], 0.05)
	assert.InEpsilon(t, 1, profile.Stages["use"][0].Loads["cores"], 0.08)
	assert.InDelta(t, 0.4, profile.Stages["load"][0].Loads["cores"], 0.2)
	assert.Equal(t, 4, profile.Stages["make"][0].Threads)
}

// Where a machine is full all the time, its processor time tells nothing of single stages: all get the same part.
func TestAFullMachineTellsNoStagesApart(t *testing.T) {
	truth := profileOf(t, "profile: truth\nmachine: { cores: 2 }\nresources: { cores: { capacity: 2 } }\nstages:\n"+
		"  load: { seconds: 0.001, loads: { cores: 4 } }\n  make: { seconds: 1, loads: { cores: 4 } }\n  use: { seconds: 1, loads: { cores: 2 } }\n")
	prog := compile(t, learned, nil)
	run := simulate(t, prog, truth, Arrivals{Jobs: 20, Items: 1})
	r := Recording{Program: prog, Timeline: run.Timeline, Facts: func(string, int) stage.Facts { return nil }}
	r.Usage = []Used{{}, {run.Timeline.Wall, 2 * run.Timeline.Wall}}
	profile, err := Learn("learned", "domain", truth.Machine, r)
	require.NoError(t, err)
	assert.InDelta(t, 2, profile.Stages["make"][0].Loads["cores"]/profile.Stages["use"][0].Loads["cores"], 0.1)
}

func TestOneStageWithTwoNumbersOfThreadsIsNotLearned(t *testing.T) {
	record := func(yaml string) Recording {
		prog := compile(t, yaml, nil)
		profile := profileOf(t, "profile: p\nstages: { a: 1 }")
		run := simulate(t, prog, profile, Arrivals{Jobs: 1, Items: 1})
		return Recording{Program: prog, Timeline: run.Timeline, Facts: func(string, int) stage.Facts { return nil }}
	}
	one, two := record("pipeline: p\nstages: { a: { kind: model.stage, threads: 1 } }\n"), record("pipeline: p\nstages: { a: { kind: model.stage, threads: 2 } }\n")
	_, err := Learn("p", "domain", Machine{Cores: 2}, one, two)
	assert.ErrorContains(t, err, `stage "a" ran with 1 threads and with 2`)
}

func TestThreadsByAmdahlsLaw(t *testing.T) {
	cost := Cost{Phase: Phase{Seconds: 1, Loads: map[string]float64{"cores": 3.1, "bus": 2}}, Threads: 4}
	cases := []struct {
		threads       int
		seconds, load float64
	}{
		{4, 1, 3.1},
		{1, 3.1, 1}, // three tenths on one thread, seven tenths of four
		{2, 0.3 + 0.7*2, 3.1 / 1.7},
		{8, 0.3 + 0.7/2, 3.1 / 0.65},
		{0, 1, 3.1},
	}
	for _, c := range cases {
		got := cost.onThreads(c.threads)
		assert.InDelta(t, c.seconds, got.Seconds, 1e-9, "%d threads", c.threads)
		assert.InDelta(t, c.load, got.Loads["cores"], 1e-9, "%d threads", c.threads)
		assert.Equal(t, 2.0, got.Loads["bus"])
	}
	assert.Equal(t, 3.1, cost.Loads["cores"], "the cost itself stays")
	idle := Cost{Phase: Phase{Of: "domain", At: map[int64]float64{8: 2}, Loads: map[string]float64{"cores": 0.1}}, Threads: 2}.onThreads(1)
	assert.Equal(t, 2.0, idle.At[8], "what waits for a disk waits no longer with one thread")
	phases := Cost{Phases: []Phase{{Seconds: 1, Loads: map[string]float64{"cores": 2}}, {Seconds: 1}}, Threads: 2}.onThreads(1)
	assert.Equal(t, []float64{2, 1}, []float64{phases.Phases[0].Seconds, phases.Phases[1].Seconds})
	unknown := Cost{Phase: Phase{Seconds: 1, Loads: map[string]float64{"cores": 1}}, Threads: 1}.onThreads(2)
	assert.Equal(t, 1.0, unknown.Seconds, "one thread tells nothing of two")
}
