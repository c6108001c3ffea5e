package stages

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/sim"
)

func TestKindsOfAMachineThatNeedNotBeHere(t *testing.T) {
	for _, devices := range []int{0, 2} {
		registry, err := KindsOn(sim.Machine{Devices: devices})
		require.NoError(t, err)
		for _, name := range []string{"groth16.msm", "groth16.load_device", "model.stage"} {
			assert.NotNil(t, registry.Find(name), name)
		}
	}
}
