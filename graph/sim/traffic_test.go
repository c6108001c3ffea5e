package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/stage"
)

// mover is a stage kind whose bodies move ten bytes to a device and read one from memory for each row.
func mover() *stage.Kind {
	return &stage.Kind{
		Name: "test.mover", Doc: "moves bytes", Outputs: []stage.Port{{Name: "done", Type: stage.T("signal"), Doc: "that they have moved"}},
		Footprint: func(_ stage.Options, item stage.Item) (stage.Footprint, error) {
			rows := item.Facts["domain"]
			return stage.Footprint{Traffic: stage.Traffic{stage.DeviceBus: 10 * rows, stage.MemoryBus: rows}}, nil
		},
		New: func(stage.Options) (stage.Body, error) { return nil, nil },
	}
}

const moving = `
pipeline: moving
params: { movers: { default: 1, range: [1, 8] } }
stages:
  move: { kind: test.mover, workers: "${movers}", threads: 1 }
  use: { kind: model.stage, in: done, threads: 1 }
edges: [{ from: move.done, to: use.done, capacity: 8 }]
`

// What bodies move is learned as a load on what was measured of the buses, and slows down those who share a bus.
func TestTrafficIsLearned(t *testing.T) {
	registry, err := stage.NewRegistry(append(Kinds(), mover())...)
	require.NoError(t, err)
	truth := profileOf(t, "profile: truth\nmachine: { cores: 8, devices: 2 }\nresources: { cores: { capacity: 8 } }\n"+
		"stages: { move: { of: domain, at: { 1000: 2, 4000: 6 } }, use: 0.001 }")
	bind := func(p *Profile, sets ...string) Recording {
		prog, err := p.Bind("moving.yaml", []byte(moving), registry, sets, nil)
		require.NoError(t, err)
		facts := stage.Facts{"domain": 1000}
		run := simulate(t, prog, p, Arrivals{Jobs: 8, Items: 1, Facts: facts})
		return Recording{
			Program: prog, Timeline: run.Timeline, Facts: func(string, int) stage.Facts { return facts }, Usage: []Used{{}, {run.Timeline.Wall, 0}},
			Buses: map[stage.Bus]float64{stage.DeviceBus: 8000},
		}
	}
	large := bind(truth)
	large.Facts = func(string, int) stage.Facts { return stage.Facts{"domain": 4000} }
	for i := range large.Timeline.Spans {
		large.Timeline.Spans[i].Start *= 3
		large.Timeline.Spans[i].End *= 3
	}
	learned, err := Learn("learned", "domain", truth.Machine, bind(truth), large)
	require.NoError(t, err)
	assert.Equal(t, Resource{Doc: "bytes a second between host and device", Capacity: 8000, Per: "device", Measured: true}, learned.Resources["pcie"])
	assert.NotContains(t, learned.Resources, "memory", "nobody measured what it carries")
	assert.Equal(t, map[string]float64{"cores": 0, "pcie": 50000 / 8.0}, learned.Stages["move"][0].Loads, "both sizes: 50000 bytes in 8 seconds")
	assert.NotContains(t, learned.Stages["use"][0].Loads, "pcie")

	apart := bind(learned, "movers=2").Timeline.Wall
	learned.Machine.Devices = 1
	together := bind(learned, "movers=2").Timeline.Wall
	assert.InDelta(t, 2*6250/8000.0, together.Seconds()/apart.Seconds(), 0.01, "two on one bus ask for more than it carries")
}

// A pipeline that counts something by the name of a bus keeps its count.
func TestWhatAPipelineCountsIsNoBus(t *testing.T) {
	truth := profileOf(t, "profile: truth\nmachine: { cores: 8, devices: 1, memory: { host: { total: 1000 }, device: { total: 1000 } } }\n"+
		"resources: { gpu: { capacity: 1, per: device } }\nstages: { load: 1, up: 1, msm: 1, ntt: 1 }")
	run := shareDevices(t, truth)
	run.Buses = map[stage.Bus]float64{"gpu": 5000}
	learned, err := Learn("learned", "domain", truth.Machine, run)
	require.NoError(t, err)
	assert.Equal(t, 1.0, learned.Resources["gpu"].Capacity)
	assert.Equal(t, 1.0, learned.Stages["msm"][0].Loads["gpu"])
}

func TestMeasuredCapacitiesMerge(t *testing.T) {
	with := func(resource string) *Profile {
		return profileOf(t, "profile: p\nresources: { pcie: "+resource+" }\nstages: { a: 1 }")
	}
	p, err := Merge(with("{ capacity: 8, per: device, measured: true }"), with("{ capacity: 9, per: device, measured: true }"))
	require.NoError(t, err)
	assert.Equal(t, Resource{Capacity: 9, Per: "device", Measured: true}, p.Resources["pcie"])
	_, err = Merge(with("{ capacity: 8, measured: true }"), with("{ capacity: 9 }"))
	assert.ErrorContains(t, err, "different machines", "by hand it is said exactly")
	_, err = Merge(with("{ capacity: 8, measured: true }"), with("{ capacity: 9, per: device, measured: true }"))
	assert.ErrorContains(t, err, "different machines")
}
