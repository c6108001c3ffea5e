package spec

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// Scratch that a kind wants in a device's memory is told where to lie, and is refused elsewhere.
func TestScratchLiesInMemoryThatServes(t *testing.T) {
	registry, err := stage.NewRegistry(&stage.Kind{
		Name: "test.device", Scratch: []string{"buckets"}, OptionalScratch: []string{"staging"}, New: idle,
		Memory: map[string][]budget.Memory{"buckets": {budget.Device}, "staging": {budget.Pinned}},
	})
	require.NoError(t, err)
	const pools = "pipeline: p\npools: { host: { limit: 1GiB }, gpu: { limit: auto, memory: device } }\n"
	for _, c := range []struct{ name, rest, says string }{
		{"good", "buffers: { buckets: { pool: gpu } }\nstages: { a: { kind: test.device } }\n", ""},
		{"renamed", "buffers: { other: { pool: gpu } }\nstages: { a: { kind: test.device, buffers: { buckets: other } } }\n", ""},
		{"none", "stages: { a: { kind: test.device } }\n", "add under buffers:  buckets: { pool: gpu }"},
		{"host", "buffers: { buckets: { pool: host } }\nstages: { a: { kind: test.device } }\n", `scratch "buckets" of stage "a" takes device memory`},
		{"optional", "buffers: { buckets: { pool: gpu }, staging: { pool: gpu } }\nstages: { a: { kind: test.device } }\n",
			"declare a pool with memory: pinned"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Load("p.yaml", []byte(pools+c.rest), registry, nil)
			if c.says == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.says)
		})
	}
}

func TestExplainTellsWhichMemoryAClassTakes(t *testing.T) {
	text := Explain(&stage.Kind{
		Name: "test.device", Scratch: []string{"buckets", "other"}, New: idle,
		Outputs: []stage.Port{{Name: "sum", Type: stage.T("sum"), Class: "sums"}},
		Memory:  map[string][]budget.Memory{"buckets": {budget.Device}, "sums": {budget.Host, budget.Pinned}},
	})
	require.Contains(t, text, "scratch classes: buckets (device memory), other\n")
	require.Contains(t, text, "class sums (host or pinned memory)")
}
