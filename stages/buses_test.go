package stages_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind/standin"
	"github.com/proofgraph/proofgraph/graph/probe"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// What buses carry is measured where pools have room for it, and every byte comes back.
func TestBusRates(t *testing.T) {
	cases := map[string]struct {
		pipeline string
		limits   map[string]int64
		want     []stage.Bus
	}{
		"all":                       {"gpu-resident", map[string]int64{"host": int64(probe.Enough()), "pinned": 2 << 20, "device": 4 << 20}, []stage.Bus{stage.MemoryBus, stage.DeviceBus}},
		"caches would hold it":      {"gpu-resident", map[string]int64{"host": 32 << 20, "pinned": 2 << 20, "device": 4 << 20}, []stage.Bus{stage.DeviceBus}},
		"too little that is pinned": {"gpu-resident", map[string]int64{"host": 32 << 20, "pinned": 1 << 19, "device": 4 << 20}, nil},
		"nothing on devices":        {"serial", map[string]int64{"host": 32 << 20}, nil},
		"the first GPU left out":    {"gpu-resident", map[string]int64{"host": 32 << 20, "pinned": 2 << 20, "device0": 0, "device1": 4 << 20}, []stage.Bus{stage.DeviceBus}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if c.want != nil && c.want[0] == stage.MemoryBus && testing.Short() {
				t.Skip("takes twice the cache")
			}
			w := newWorkshop(t)
			if _, several := c.limits["device1"]; several {
				w = onGPUs(t, 2, standin.Broken(0))
			}
			w.limits = c.limits
			prog := w.program(bundledSource(t, c.pipeline))
			memory, err := w.engines.PoolMemory(prog)
			require.NoError(t, err)
			tracker, err := prog.Tracker(memory...)
			require.NoError(t, err)
			rates, err := w.engines.BusRates(prog, tracker)
			require.NoError(t, err)
			assert.Len(t, rates, len(c.want))
			for _, bus := range c.want {
				assert.Greater(t, rates[bus], 1e6, bus)
			}
			require.NoError(t, tracker.Close())
		})
	}
}

// Each body moves its operands and results at least once, by the bytes that files and vectors have.
func TestTraffic(t *testing.T) {
	const (
		n, wires, records = 1024, 1000, 3000
		vector            = 32 * n
		scalars           = 32 * wires
		points            = 64 * wires // of G1 over BN254
	)
	facts := stage.Facts{"curve": 1, "domain": n, "wires": wires, "public": 3, "records": records, "wtns": 1, "key_bytes": 1 << 20}
	moved := func(pipeline string) map[string]stage.Traffic {
		w := newWorkshop(t)
		prog := w.program(bundledSource(t, pipeline))
		shape, err := prog.Shape(&stage.Item{Job: "j", Facts: facts})
		require.NoError(t, err)
		all := map[string]stage.Traffic{}
		for i, s := range prog.Spec.Stages {
			if len(shape.Traffic[i]) > 0 {
				all[s.Name] = shape.Traffic[i]
			}
		}
		return all
	}
	memory := func(bytes int64) stage.Traffic { return stage.Traffic{stage.MemoryBus: bytes} }
	up := func(bytes int64) stage.Traffic {
		return stage.Traffic{stage.DeviceBus: bytes, stage.MemoryBus: 3 * bytes}
	}

	assert.Equal(t, map[string]stage.Traffic{
		"witness":    memory(scalars),
		"synthesize": memory(44*records + scalars + 3*vector),
		"ntt":        memory(16 * vector),
		"msm_a":      memory(points + scalars),
		"msm_b_g1":   memory(points + scalars),
		"msm_b_g2":   memory(2*points + scalars),
		"msm_l":      memory((64 + 32) * (wires - 4)),
		"msm_h":      memory((64 + 32) * n),
	}, moved("serial"))

	low := moved("lowmem")
	assert.Equal(t, memory(11*vector), low["product"])
	assert.Equal(t, memory(7*vector), low["subtract"])

	resident := moved("gpu-resident")
	assert.Equal(t, up(scalars), resident["upload"])
	assert.Equal(t, up(points), resident["load_a"])
	assert.Equal(t, up(0), resident["msm_a"], "all of it is on the device")
	streamed := moved("groth16")
	assert.Equal(t, up(points+scalars), streamed["msm_a"])
	assert.Equal(t, up(4*vector), streamed["ntt"])
}
