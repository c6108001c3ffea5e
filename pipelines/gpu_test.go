package pipelines_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/graph/sim"
	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/pipelines"
	"github.com/proofgraph/proofgraph/stages"
	"github.com/proofgraph/proofgraph/testing/budgettest"
)

// needKernelLibrary skips a test where nobody says what kernels take. They are asked for no work, so no GPU is needed.
func needKernelLibrary(t *testing.T) {
	library, err := cudabind.Open()
	if err != nil {
		t.Skip(err)
	}
	if strings.Contains(library.Info().Architectures, "stand-in") {
		t.Skip("the stand-in takes other sizes than kernels")
	}
}

func TestResidentProofsKeepTheirBudgets(t *testing.T) {
	needKernelLibrary(t)
	budgettest.RunKinds(t, "pipelines/gpu-resident.yaml", stages.KindsOn)
}

// Kernels that were measured alone predict whole proofs that were measured on the same GPU.
func TestWholeProofsFollowFromKernels(t *testing.T) {
	needKernelLibrary(t)
	text, _ := pipelines.Profile("h200-dense")
	profile, err := sim.ReadProfile("h200-dense.yaml", text)
	require.NoError(t, err)
	registry, err := stages.KindsOn(profile.Machine)
	require.NoError(t, err)
	source, _ := pipelines.Read("gpu-resident")
	prog, err := profile.Bind("gpu-resident.yaml", source, registry, nil, nil)
	require.NoError(t, err)
	for _, c := range []struct {
		log, atOnce int
		measured    float64
	}{{20, 1, 0.0618}, {20, 0, 0.0553}, {22, 1, 0.1985}, {22, 0, 0.1838}} {
		t.Run(fmt.Sprintf("2^%d/%d at once", c.log, c.atOnce), func(t *testing.T) {
			r, err := sim.Run(prog, profile, sim.Arrivals{Jobs: 40, Items: 1, AtOnce: c.atOnce, Facts: multiplications(profile.Facts, c.log)}, sim.Options{Seed: 1})
			require.NoError(t, err)
			require.Equal(t, sim.Completed, r.Verdict.Outcome, r.Verdict.String())
			assert.InEpsilon(t, c.measured, r.Steady, 0.1)
			t.Logf("%.1f ms, measured %.1f", 1000*r.Steady, 1000*c.measured)
		})
	}
}

// multiplications gives the facts of a chain of 2^log multiplications.
func multiplications(of stage.Facts, log int) stage.Facts {
	facts, domain := maps.Clone(of), int64(1)<<log
	facts[stages.FactDomain], facts[stages.FactWires], facts[stages.FactRecords] = domain, domain+1, 4*domain-10
	facts[stages.FactKey] = 752 * domain
	return facts
}
