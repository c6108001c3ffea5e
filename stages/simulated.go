package stages

import (
	"github.com/proofgraph/proofgraph/graph/sim"
	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/cuda"
)

// KindsOn gives the stage kinds of the prover, and the costed ones, as they are on a machine that need not be this one, for
// simulations and for budgettest.RunKinds. What they take of GPUs the kernel library says, which needs none for that.
func KindsOn(m sim.Machine) (*stage.Registry, error) {
	engines, err := NewEngines(WithMachine(cuda.AssumeMachine(m.Devices)))
	if err != nil {
		return nil, err
	}
	return stage.NewRegistry(append(Kinds(engines, NewGenerators()), sim.Kinds()...)...)
}
