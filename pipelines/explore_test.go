package pipelines_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/explore"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/sched"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/pipelines"
	"github.com/proofgraph/proofgraph/stages"
)

// The pipelines that prove, with the footprints of their kinds: two proofs go through in every order that their bodies
// can end in, in the least memory that one of them is accepted with.
func TestTheProvingPipelinesGoThroughInEveryOrder(t *testing.T) {
	engines, err := stages.NewEngines()
	require.NoError(t, err)
	generators := stages.NewGenerators()
	defer generators.Close()
	registry, err := stages.Registry(engines, generators)
	require.NoError(t, err)
	key, err := stages.StatKey("../proving/testdata/bn254/cells.zkey")
	require.NoError(t, err)
	payload := &stages.Payload{Key: key, Wtns: "../proving/testdata/bn254/cells.wtns"}
	facts := payload.Facts()
	facts[stages.FactWires], facts[stages.FactDomain] = 1<<16, 1<<16
	for _, name := range pipelines.Names() {
		t.Run(name, func(t *testing.T) {
			source, _ := pipelines.Read(name)
			p, err := spec.Load(name, source, registry, nil)
			require.NoError(t, err)
			prog, err := program.New(p, map[string]int64{"host": 1 << 40})
			require.NoError(t, err)
			item := stage.Item{Facts: facts, Payload: payload}
			shape, err := prog.Shape(&item)
			require.NoError(t, err)
			for pool, need := range prog.Graph.Needs(shape.Sched) {
				if prog.Graph.Pools[pool].Limit >= 0 {
					prog.Graph.Pools[pool].Limit = need
				}
			}
			result, err := explore.Explore(explore.Case{
				Graph: prog.Graph, Together: true, MaxStates: 20_000,
				Items: []sched.Item{{ID: 1, Job: 1, Shape: shape.Sched}, {ID: 2, Job: 2, Shape: shape.Sched}},
			})
			require.NoError(t, err)
			assert.Positive(t, result.Ends)
			t.Logf("%d states, complete: %v; host needs %d, one order took %d", result.States, result.Complete, prog.Graph.Pools[0].Limit, result.Peak[0])
		})
	}
}
