package program_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/sched"
	"github.com/proofgraph/proofgraph/graph/stage"
)

const onDevices = `
pipeline: devices
pools:
  host:   { limit: 1000B }
  device: { limit: auto, memory: device }
  pinned: { limit: auto, memory: pinned }
buffers: { key: { pool: host }, vector: { pool: device }, scratch: { pool: device }, staging: { pool: pinned } }
resources: { disk: 1, lane: { count: 2, per: device }, bus: 1 }
stages:
  make: { kind: t.make }
  double: { kind: t.double, uses: { lane: 1, bus: 1 } }
  sum: { kind: t.sum, threads: 3 }
edges:
  - { from: make.out, to: double.in, capacity: 2, bytes: 50% }
  - { from: double.out, to: sum.in, capacity: 1, bytes: 10000B }
`

func bindOn(t require.TestingT, source string, devices int, limits map[string]int64) *program.Program {
	prog, err := program.New(load(t, source), limits, program.Devices(devices))
	require.NoError(t, err)
	return prog
}

func TestEveryDeviceHasItsPoolsClassesAndResources(t *testing.T) {
	for devices, want := range map[int]string{
		0: "host device pinned | key vector scratch staging | disk lane bus",
		1: "host device pinned | key vector scratch staging | disk lane bus",
		2: "host device0 device1 pinned | key vector@0 vector@1 scratch@0 scratch@1 staging | disk lane0 lane1 bus",
		3: "host device0 device1 device2 pinned | key vector@0 vector@1 vector@2 scratch@0 scratch@1 scratch@2 staging | disk lane0 lane1 lane2 bus",
	} {
		prog := bindOn(t, onDevices, devices, map[string]int64{"device": 600})
		assert.Equal(t, want, names(prog))
		assert.Equal(t, max(devices, 1), prog.Devices)
		tracker, err := prog.Tracker()
		require.NoError(t, err)
		for i, p := range tracker.Pools() {
			assert.Equal(t, prog.Pools[i].Pool, p)
			assert.Equal(t, prog.Graph.Pools[i].Name, p.Name)
			assert.Equal(t, prog.Graph.Pools[i].Limit, p.Limit)
			assert.Equal(t, p.Memory == budget.Device, prog.Pools[i].Device >= 0)
		}
		for i, c := range tracker.Classes() {
			assert.Equal(t, budget.Class{Name: prog.Classes[i].Name, Pool: prog.Classes[i].Pool}, c)
		}
	}
}

func names(prog *program.Program) string {
	var pools, classes, resources []string
	for _, p := range prog.Pools {
		pools = append(pools, p.Name)
	}
	for _, c := range prog.Classes {
		classes = append(classes, c.Name)
	}
	for _, r := range prog.Graph.Resources {
		resources = append(resources, r.Name)
	}
	all := []string{strings.Join(pools, " "), strings.Join(classes, " "), strings.Join(resources, " ")}
	return strings.Join(all, " | ")
}

func TestBuffersAndNeedsNameTheFirstDevice(t *testing.T) {
	prog := bindOn(t, onDevices, 2, map[string]int64{"device": 600})
	shape, err := prog.Shape(item(stage.Facts{"make.out": 100, "double.out": 100, "scratch": 30}))
	require.NoError(t, err)
	require.NoError(t, shape.Refusal)
	assert.Equal(t, 1, prog.Graph.Buffers[0].Pool)
	assert.Equal(t, 1, prog.ClassOf[0])
	assert.Equal(t, []sched.Need{{Pool: 1, Bytes: 30}}, shape.Sched.Scratch[2])
	assert.Equal(t, []program.Amount{{Class: 3, Name: "scratch", Bytes: 30}}, shape.Scratch[2])
	assert.Equal(t, []sched.Use{{Resource: 1, Count: 1}, {Resource: 3, Count: 1}}, prog.Graph.Stages[1].Uses)
	for class, want := range map[int]int{-1: -1, 0: 0, 1: 2, 3: 4, 5: 5} {
		assert.Equal(t, want, prog.ClassOn(class, 1), "class %d on the second device", class)
		assert.Equal(t, class, prog.ClassOn(class, 0))
	}
	assert.Equal(t, "device1", prog.NameOf(sched.Block{Kind: sched.BlockedMemory, Index: 2}))
	assert.Equal(t, "lane1", prog.NameOf(sched.Block{Kind: sched.BlockedResource, Index: 2}))
	_, err = sched.New(prog.Graph, nil)
	require.NoError(t, err)
}

func TestLimitsOfDevices(t *testing.T) {
	cases := []struct {
		name, limit, memory string
		devices             int
		given               map[string]int64
		want                []int64
	}{
		{"for each", "auto", "device", 2, map[string]int64{"p": 70}, []int64{70, 70}},
		{"for one", "auto", "device", 2, map[string]int64{"p": 70, "p1": 50}, []int64{70, 50}},
		{"for one alone", "auto", "device", 2, map[string]int64{"p1": 50}, []int64{0, 50}},
		{"of one device", "auto", "device", 1, map[string]int64{"p": 70}, []int64{70}},
		{"there is none", "auto", "device", 2, nil, []int64{0, 0}},
		{"its own", "100B", "device", 2, map[string]int64{"p0": 90, "p1": 200}, []int64{90, 100}},
		{"its own and there is none", "100B", "device", 1, map[string]int64{"p": 0}, []int64{0}},
		{"less than nothing is left", "auto", "device", 1, map[string]int64{"p": -5}, []int64{0}},
		{"pinned is the host's", "auto", "pinned", 2, map[string]int64{"p": 70}, []int64{70}},
		{"no pinned memory", "auto", "pinned", 2, nil, []int64{0}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			source := fmt.Sprintf("pipeline: p\npools: { p: { limit: %s, memory: %s } }\nstages: { begin: { kind: t.begin } }\n", c.limit, c.memory)
			prog := bindOn(t, source, c.devices, c.given)
			var limits []int64
			for _, p := range prog.Pools {
				limits = append(limits, p.Limit)
			}
			assert.Equal(t, c.want, limits)
		})
	}
}

func TestNamesThatMeetAreRefused(t *testing.T) {
	const rest = "stages: { begin: { kind: t.begin } }\n"
	for name, c := range map[string]struct{ source, says string }{
		"pools": {
			"pipeline: p\npools: { d1: { limit: 1B }, d: { limit: auto, memory: device } }\n" + rest,
			`with 2 devices there are two pools "d1"`,
		},
		"resources": {
			"pipeline: p\nresources: { lane: { count: 1, per: device }, lane0: 3 }\n" + rest,
			`with 2 devices there are two resources "lane0"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			bindOn(t, c.source, 1, nil)
			_, err := program.New(load(t, c.source), nil, program.Devices(2))
			require.ErrorContains(t, err, c.says)
		})
	}
	_, err := program.New(load(t, onDevices), nil, program.Devices(1<<30))
	require.ErrorContains(t, err, "at most 64")
}

// What asks nothing of memory that this machine does not have goes through; what asks for some is told that there is none.
func TestWithoutADevice(t *testing.T) {
	for _, devices := range []int{1, 2} {
		prog := bindOn(t, onDevices, devices, nil)
		shape, err := prog.Shape(item(nil))
		require.NoError(t, err)
		require.NoError(t, shape.Refusal)
		for _, facts := range []stage.Facts{{"make.out": 8}, {"scratch": 8}} {
			shape, err = prog.Shape(item(facts))
			require.NoError(t, err)
			require.ErrorContains(t, shape.Refusal, "has no memory on this machine, and one item needs 8 bytes")
			require.ErrorContains(t, shape.Refusal, `the pool "device`)
		}
	}
}

func TestDeviceMemoryIsTakenOverWhole(t *testing.T) {
	prog := bindOn(t, onDevices, 2, map[string]int64{"device": 600})
	for out, says := range map[int64]string{
		100: "", 0: "",
		99: `stage "double": output "out": takes over 100 bytes of device memory and needs only 99: it comes back whole or not at all`,
		1:  "needs only 1", 101: "takes over 100 bytes and needs 101",
	} {
		_, err := prog.Shape(item(stage.Facts{"make.out": 100, "double.out": out}))
		if says == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, says)
	}
}

func TestAShareOfDeviceMemoryIsOfAllDevices(t *testing.T) {
	assert.Equal(t, int64(300), bindOn(t, onDevices, 1, map[string]int64{"device": 600}).Graph.Edges[0].Bytes)
	assert.Equal(t, int64(350), bindOn(t, onDevices, 2, map[string]int64{"device0": 600, "device1": 101}).Graph.Edges[0].Bytes)
	const most = 1<<63 - 1
	assert.Positive(t, bindOn(t, onDevices, 8, map[string]int64{"device": most}).Graph.Edges[0].Bytes)
}

// With the least bytes an item goes through, with one less on every device it does not.
func TestLeastOfDevices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		devices := rapid.IntRange(1, 3).Draw(t, "devices")
		out := rapid.Int64Range(1, 500).Draw(t, "out")
		facts := stage.Facts{"make.out": out, "double.out": out, "scratch": rapid.Int64Range(0, 300).Draw(t, "scratch")}
		prog := bindOn(t, onDevices, devices, map[string]int64{"device": 1 << 40})
		shape, err := prog.Shape(item(facts))
		require.NoError(t, err)
		least := prog.Least(shape)
		for d := range devices {
			require.Equal(t, least[1], least[1+d])
		}
		for bytes, fits := range map[int64]bool{least[1]: true, least[1] - 1: false} {
			shape, err := bindOn(t, onDevices, devices, map[string]int64{"device": bytes}).Shape(item(facts))
			require.NoError(t, err)
			require.Equal(t, fits, shape.Refusal == nil, "%d bytes", bytes)
		}
	})
}
