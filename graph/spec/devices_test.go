package spec

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/stage"
)

const onDevices = `
pipeline: devices
pools:
  host:    { limit: 1GiB }
  plain:   { limit: 1GiB, memory: host }
  staging: { limit: auto, memory: pinned, margin: 1MiB }
  device:  { limit: auto, memory: device }
buffers: { bases: { pool: device }, upload: { pool: staging } }
resources:
  disk: 2
  bus:  { count: 3 }
  lane: { count: "${1 + 1}", per: device }
stages:
  a: { kind: test.device, uses: { lane: 1 } }
`

// deviceKind has a scratch class that it can do without, and remembers what it was told that there is.
func deviceKind(told *stage.Options) *stage.Kind {
	return &stage.Kind{
		Name: "test.device", OptionalScratch: []string{"buckets", "points"}, New: idle,
		PortsFor: func(o stage.Options) (inputs, outputs []stage.Port, err error) {
			*told = o
			return nil, nil, nil
		},
	}
}

func loadOn(t *testing.T, source string) (*Pipeline, stage.Options) {
	var told stage.Options
	registry, err := stage.NewRegistry(deviceKind(&told))
	require.NoError(t, err)
	p, err := Load("devices.yaml", []byte(source), registry, nil)
	require.NoError(t, err)
	return p, told
}

func TestPoolsSayWhoseMemoryTheyAre(t *testing.T) {
	p, _ := loadOn(t, onDevices)
	var memories []budget.Memory
	for _, pool := range p.Pools {
		memories = append(memories, pool.Memory)
	}
	assert.Equal(t, []budget.Memory{budget.Host, budget.Host, budget.Pinned, budget.Device}, memories)
	assert.Equal(t, int64(1<<20), p.Pools[2].Margin)
}

func TestResourcesAreCountedPerMachineOrDevice(t *testing.T) {
	p, _ := loadOn(t, onDevices)
	assert.Equal(t, []Resource{
		{Name: "disk", Count: 2, Pos: Pos{10, 3}},
		{Name: "bus", Count: 3, Pos: Pos{11, 3}},
		{Name: "lane", Count: 2, PerDevice: true, Pos: Pos{12, 3}},
	}, p.Resources)
}

func TestAKindIsToldWhichClassesThereAre(t *testing.T) {
	const stageOf = "pipeline: p\npools: { host: { limit: 1GiB } }\n"
	for name, c := range map[string]struct {
		source   string
		declared []string
	}{
		"none": {stageOf + "stages: { a: { kind: test.device } }\n", nil},
		"declared": {
			stageOf + "buffers: { buckets: { pool: host }, other: { pool: host } }\nstages: { a: { kind: test.device } }\n",
			[]string{"buckets", "other"},
		},
		"mapped": {
			stageOf + "buffers: { other: { pool: host } }\nstages: { a: { kind: test.device, buffers: { points: other } } }\n",
			[]string{"other", "points"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			p, ports := loadOn(t, c.source)
			for _, options := range []stage.Options{ports, p.Stages[0].Options} {
				for _, class := range []string{"buckets", "points", "other", "a", ""} {
					assert.Equal(t, slices.Contains(c.declared, class), options.Declares(class), class)
				}
			}
			assert.Equal(t, slices.Contains(c.declared, "points"), has(p.Stages[0].ScratchClass, "points"))
		})
	}
	assert.False(t, stage.Options{}.Declares("buckets"))
	assert.True(t, stage.NewOptions(nil).WithClasses("b", "a").Declares("a"))
}

func has(classes map[string]int, name string) bool {
	_, found := classes[name]
	return found
}

func TestSchemaKnowsDevices(t *testing.T) {
	schema := resolvedSchema(t)
	const good = "pipeline: a\nstages: { s: { kind: photo.read } }\n"
	for text, fine := range map[string]bool{
		"pools: { d: { limit: auto, memory: device } }":     true,
		"pools: { d: { limit: auto, memory: pinned } }":     true,
		"pools: { d: { limit: auto, memory: gpu } }":        false,
		"resources: { lane: 2, other: \"${3}\" }":           true,
		"resources: { lane: { count: 2, per: device } }":    true,
		"resources: { lane: { count: 2 } }":                 true,
		"resources: { lane: { count: 2, per: machine } }":   false,
		"resources: { lane: { per: device } }":              false,
		"resources: { lane: { count: 0, per: device } }":    false,
		"resources: { lane: { count: 2, each: device } }":   false,
		"resources: { lane: [2] }":                          false,
		"resources: { lane: { count: two, per: device } }":  false,
		"resources: { lane: { count: \"2\", per: device }}": true,
	} {
		err := schema.Validate(instance(t, []byte(good+text)))
		_, loadErr := Load("a.yaml", []byte(good+text+"\nbuffers: { file: { pool: d } }"), photoKinds(t), nil)
		if fine {
			assert.NoError(t, err, text)
			continue
		}
		assert.Error(t, err, text)
		assert.Error(t, loadErr, text)
	}
}

func TestExplainNamesOptionalScratch(t *testing.T) {
	var told stage.Options
	assert.Contains(t, Explain(deviceKind(&told)), "scratch classes where they are declared: buckets, points\n")
	assert.False(t, told.Declares("buckets"))
}

func TestDevicesInExpressions(t *testing.T) {
	text, err := os.ReadFile("testdata/devices.yaml")
	require.NoError(t, err)
	for devices, workers := range map[int]int{-1: 4, 0: 4, 1: 4, 3: 12} {
		p, err := Loader{Registry: photoKinds(t), Devices: func() int { return devices }}.Load("devices.yaml", text)
		require.NoError(t, err)
		assert.Equal(t, workers, p.stageNamed("decode").Workers)
	}
	_, err = Load("p.yaml", []byte("pipeline: p\nparams: { devices: { default: 1 } }\nstages: { read: { kind: photo.read } }\n"), photoKinds(t), nil)
	require.ErrorContains(t, err, `"devices" has a meaning of its own in expressions`)
}
