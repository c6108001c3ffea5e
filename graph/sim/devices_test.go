package sim

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/stage"
)

const laned = `
pipeline: laned
pools: { host: { limit: auto }, device: { limit: auto, margin: 10, memory: device } }
buffers: { v: { pool: host }, d: { pool: device }, s: { pool: device }, bases: { pool: device, cached: true } }
resources: { lane: { count: 1, per: device } }
stages:
  load: { kind: model.stage, out: "bases:bases=40", cache: bases, time: 2s }
  msm: { kind: model.stage, in: bases, out: "p:d=10", scratch: "s=20", workers: "${2 * devices}", uses: { lane: 1 }, time: 3s }
  back: { kind: model.stage, in: p, out: "h:v=4", time: 0s, workers: 4 }
edges:
  - { from: load.bases, to: msm.bases, capacity: 4, bytes: 100% }
  - { from: msm.p, to: back.p, capacity: 4, bytes: 100% }
`

// machine is a profile of a machine with devices of 110 bytes.
func machine(devices int, more string) string {
	return fmt.Sprintf("profile: p\nmachine: { devices: %d, memory: { host: { total: 1000 }, device: { total: 110 }%s } }\n", devices, more)
}

func simulateOn(t *testing.T, profile string, jobs int) *Result {
	t.Helper()
	registry, err := stage.NewRegistry(Kinds()...)
	require.NoError(t, err)
	p := profileOf(t, profile)
	prog, err := p.Bind("laned.yaml", []byte(laned), registry, nil, nil)
	require.NoError(t, err)
	return simulate(t, prog, p, Arrivals{Jobs: jobs, Items: 1})
}

func TestTwoDevicesTakeHalfAsLong(t *testing.T) {
	for devices, seconds := range map[int]float64{0: 2 + 8*3, 1: 2 + 8*3, 2: 2 + 2 + 4*3} { // one worker loads the bases of one device after the other's
		t.Run(fmt.Sprint(devices), func(t *testing.T) {
			r := simulateOn(t, machine(devices, ""), 8)
			require.Equal(t, Completed, r.Verdict.Outcome, r.Verdict.Reason)
			assert.InDelta(t, seconds, r.Seconds, 1e-9)
		})
	}
}

func TestDevicesAreCountedEachForItself(t *testing.T) {
	r := simulateOn(t, machine(2, ""), 8)
	var pools, classes []string
	for _, p := range r.Pools {
		pools = append(pools, fmt.Sprintf("%s %d of %d", p.Name, p.PeakResident, p.Limit))
	}
	assert.Equal(t, []string{"host 4 of 1000", "device0 80 of 100", "device1 80 of 100"}, pools)
	for _, c := range r.Classes {
		classes = append(classes, fmt.Sprintf("%s in %s: %d", c.Name, c.Pool, c.PeakResident))
	}
	assert.Equal(t, []string{
		"v in host: 4", "d@0 in device0: 20", "d@1 in device1: 20", "s@0 in device0: 20", "s@1 in device1: 20",
		"bases@0 in device0: 40", "bases@1 in device1: 40",
	}, classes)
	for i, p := range r.Timeline.Pools {
		assert.Equal(t, r.Pools[i].Name, p.Name)
	}
	require.Len(t, r.Timeline.Classes, len(classes))
	for i, c := range r.Timeline.Classes {
		assert.Equal(t, r.Classes[i].Name, c.Name)
		assert.Equal(t, r.Classes[i].Pool, r.Timeline.Pools[c.Pool].Name)
	}
	for _, s := range r.Timeline.Samples {
		require.Len(t, s.Bytes, len(classes))
	}
	last := r.Timeline.Samples[len(r.Timeline.Samples)-1]
	assert.Equal(t, []int64{0, 0, 0, 0, 0, 40, 40}, last.Bytes, "the entries stay, on each device its own")
}

func TestMemoryOfOneDevice(t *testing.T) {
	r := simulateOn(t, machine(2, ", device1: { total: 60 }"), 4)
	require.Equal(t, Completed, r.Verdict.Outcome)
	assert.Equal(t, int64(50), r.Pool("device1").Limit)
	assert.Zero(t, r.Pool("device1").PeakPromised, "an item does not fit there")
	assert.Equal(t, int64(100), r.Pool("device0").Limit)
}

func TestAMachineWithoutDevicesRefuses(t *testing.T) {
	r := simulateOn(t, "profile: p\nmachine: { memory: { host: { total: 1000 } } }", 1)
	assert.Equal(t, Refused, r.Verdict.Outcome)
	assert.Equal(t, "device", r.Verdict.Pool)
	assert.Contains(t, r.Verdict.Reason, "has no memory on this machine")
}

// A rate that every device has is not shared between devices.
func TestRatesPerDevice(t *testing.T) {
	for per, seconds := range map[string]float64{"": 2 + 8*3, "device": 2 + 2 + 4*3} {
		rates := fmt.Sprintf("resources: { compute: { capacity: 1, per: %q } }\nstages: { msm: { seconds: 3, loads: { compute: 1 } } }\n", per)
		r := simulateOn(t, machine(2, "")+rates, 8)
		require.Equal(t, Completed, r.Verdict.Outcome)
		assert.InDelta(t, seconds, r.Seconds, 1e-6, per)
	}
}

func TestWrongDevicesAreErrors(t *testing.T) {
	for text, want := range map[string]string{
		"machine: { devices: -1 }":                       "a machine with -1 devices",
		"machine: { devices: 65 }":                       "a machine with 65 devices",
		"resources: { gpu: { capacity: 1, per: stage }}": `resource "gpu": per is device`,
	} {
		_, err := ReadProfile("p.yaml", []byte(text))
		assert.ErrorContains(t, err, want)
	}
}

// A pipeline that is bound to more than a device has dies on that device; who held its memory is told.
func TestADeviceRunsOutOfMemory(t *testing.T) {
	registry, err := stage.NewRegistry(Kinds()...)
	require.NoError(t, err)
	p := profileOf(t, machine(2, ", device1: { total: 65 }"))
	prog, err := p.Bind("laned.yaml", []byte(laned), registry, nil, map[string]int64{"device0": 100, "device1": 100})
	require.NoError(t, err)
	r := simulate(t, prog, p, Arrivals{Jobs: 4, Items: 1})
	require.Equal(t, OutOfMemory, r.Verdict.Outcome)
	assert.Equal(t, "device1", r.Verdict.Pool)
	assert.Equal(t, int64(65), r.Verdict.Limit)
	assert.Equal(t, []Holder{{"cache entry bases/0@1", 40}, {"job 1, item 0", 30}}, r.Verdict.Holders)
}
