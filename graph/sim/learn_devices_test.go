package sim

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/sim/timeline"
	"github.com/proofgraph/proofgraph/graph/stage"
)

const sharedDevices = `
pipeline: shared
params: { lanes: { default: 2, range: [1, 8] } }
pools: { host: { limit: auto }, device: { limit: auto, memory: device } }
buffers: { v: { pool: host }, d: { pool: device }, bases: { pool: device, cached: true } }
resources: { gpu: { count: "${lanes}", per: device } }
stages:
  load: { kind: model.stage, out: "bases:bases=40", cache: bases, threads: 1 }
  up: { kind: model.stage, out: "w:d=10", threads: 1, workers: 4 }
  msm: { kind: model.stage, in: "bases w", out: "p:v=1", workers: "${lanes * devices}", threads: 1, uses: { gpu: 1 } }
  ntt: { kind: model.stage, in: p, workers: "${lanes * devices}", threads: 1, uses: { gpu: 1 } }
edges:
  - { from: load.bases, to: msm.bases, capacity: 4, bytes: 100% }
  - { from: up.w, to: msm.w, capacity: 4, bytes: 100% }
  - { from: msm.p, to: ntt.p, capacity: 4, bytes: 100% }
in_flight: "${3 * devices}"
`

func shareDevices(t *testing.T, p *Profile, sets ...string) Recording {
	registry, err := stage.NewRegistry(Kinds()...)
	require.NoError(t, err)
	prog, err := p.Bind("shared.yaml", []byte(sharedDevices), registry, sets, nil)
	require.NoError(t, err)
	run := simulate(t, prog, p, Arrivals{Jobs: 40, Items: 1, Facts: stage.Facts{"domain": 1024}})
	require.Equal(t, Completed, run.Verdict.Outcome, run.Verdict.Reason)
	r := Recording{Program: prog, Timeline: run.Timeline, Facts: func(string, int) stage.Facts { return stage.Facts{"domain": 1024} }}
	r.Usage = []Used{{}, {run.Timeline.Wall, 0}}
	return r
}

// Bodies that a pipeline lets share a device slow each other down there, and what they would take alone is learned from a
// run in which none was alone; so runs with other numbers of them and of devices are predicted.
func TestWhatDevicesShareIsLearned(t *testing.T) {
	truth := func(devices int) *Profile {
		return profileOf(t, fmt.Sprintf(`
profile: truth
machine: { cores: 8, devices: %d, memory: { host: { total: 1000 }, device: { total: 1000 } } }
resources: { cores: { capacity: 8 }, gpu: { capacity: 1, per: device } }
stages:
  load: { seconds: 0.5 }
  up: { seconds: 0.1 }
  msm: { of: domain, at: { 1024: 0.3 }, spread: 0.05, loads: { gpu: 1 } }
  ntt: { of: domain, at: { 1024: 0.2 }, spread: 0.05, loads: { gpu: 1 } }
`, devices))
	}
	profile, err := Learn("learned", "domain", truth(2).Machine, shareDevices(t, truth(2)))
	require.NoError(t, err)
	assert.Equal(t, Resource{Doc: "the time of a device", Capacity: 1, Per: "device"}, profile.Resources["gpu"])
	assert.InEpsilon(t, 0.3, profile.Stages["msm"][0].At[1024], 0.03)
	assert.InEpsilon(t, 0.2, profile.Stages["ntt"][0].At[1024], 0.03)
	assert.Equal(t, 1.0, profile.Stages["msm"][0].Loads["gpu"])
	assert.NotContains(t, profile.Stages["up"][0].Loads, "gpu")
	for devices := 1; devices <= 3; devices++ {
		profile.Machine.Devices = devices
		for _, lanes := range []string{"lanes=1", "lanes=2", "lanes=4"} {
			want, got := shareDevices(t, truth(devices), lanes).Timeline.Wall, shareDevices(t, profile, lanes).Timeline.Wall
			assert.InEpsilon(t, want, got, 0.05, "%d devices, %s", devices, lanes)
		}
	}
}

// The first bodies at a device open it; a recording of many tells what the others take.
func TestOpeningADeviceIsNotLearned(t *testing.T) {
	p := profileOf(t, machine(2, "")+"stages: { load: 1, up: 1, msm: 1, ntt: 1 }")
	r := shareDevices(t, p)
	r.Timeline.Spans = nil
	span := func(stage, device, item int, from, to time.Duration) {
		r.Timeline.Spans = append(r.Timeline.Spans, timeline.Span{
			Stage: stage, Device: device, Item: item, Start: from * time.Millisecond, End: to * time.Millisecond,
		})
	}
	names := map[string]int{}
	for i, s := range r.Program.Spec.Stages {
		names[s.Name] = i
	}
	load, up := names["load"], names["up"]
	span(load, 0, 0, 0, 170)
	span(load, 1, 1, 170, 180)
	span(load, 0, 2, 180, 180)
	span(up, 0, 0, 0, 150)
	span(up, 1, 1, 10, 160) // this device's first too
	span(up, 0, 2, 100, 155)
	span(up, 0, 3, 200, 204)
	span(up, 1, 4, 200, 206)
	r.Usage = []Used{{}, {206 * time.Millisecond, 0}}
	profile, err := Learn("learned", "domain", Machine{Cores: 2, Devices: 2}, r)
	require.NoError(t, err)
	assert.InDelta(t, 0.010, profile.Stages["load"][0].At[1024], 1e-9, "the second device's, which opened nothing")
	assert.InDelta(t, 0.005, profile.Stages["up"][0].At[1024], 1e-9)
	assert.InDelta(t, 0.2, profile.Stages["up"][0].Spread, 1e-3)
}
