package stages_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/cudabind/standin"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/pipelines"
	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/stages"
	"github.com/proofgraph/proofgraph/testing/blinded"
)

// onGPUs is a pipeline that comes with the program, on so many devices.
func onGPUs(t *testing.T, devices int, machine ...standin.Option) *workshop {
	w := newWorkshop(t, append(machine, standin.Devices(devices))...)
	w.options, w.adapt = []program.Option{program.Devices(devices)}, blinded.Adapt
	return w
}

func bundledSource(t *testing.T, name string) string {
	source, ok := pipelines.Read(name)
	require.True(t, ok, name)
	return string(source)
}

// proofOf gives the bytes of a payload's proof, which must be there.
func proofOf(t *testing.T, p *stages.Payload) string {
	text, err := os.ReadFile(p.Proof)
	require.NoError(t, err)
	return string(text)
}

// Every pipeline that uses GPUs makes the CPU's proofs, byte by byte.
func TestGPUPipelinesMakeTheProofsOfTheCPU(t *testing.T) {
	cpuBeside := strings.Replace(bundledSource(t, "gpu-split"), "query: b_g2, backend: cuda", "query: b_g2, backend: cpu", 1)
	require.NotEqual(t, bundledSource(t, "gpu-split"), cpuBeside)
	loadsBeside := strings.ReplaceAll(bundledSource(t, "gpu-resident"), "kind: groth16.load_device", "kind: groth16.load_device, async: true, pending: 2")
	for _, id := range curves {
		reference := payload(t, id, "cpu")
		requireNoErrors(t, onGPUs(t, 1).run(bundledSource(t, "serial"), reference))
		requireGolden(t, id, reference)
		for _, c := range []struct {
			name, source string
			devices      int
			sets         []string
		}{
			{"groth16", bundledSource(t, "groth16"), 1, nil},
			{"groth16 in slices", bundledSource(t, "groth16"), 1, []string{"slice=10"}},
			{"split", bundledSource(t, "gpu-split"), 1, nil},
			{"split, two devices", bundledSource(t, "gpu-split"), 2, nil},
			{"split, b_g2 on the CPU", cpuBeside, 1, nil},
			{"resident", bundledSource(t, "gpu-resident"), 1, nil},
			{"resident, multiples", bundledSource(t, "gpu-resident"), 1, []string{"multiples=3"}},
			{"resident, loads beside", loadsBeside, 2, nil},
			{"resident, two devices", bundledSource(t, "gpu-resident"), 2, []string{"lanes=1"}},
		} {
			t.Run(id+"/"+c.name, func(t *testing.T) {
				w := onGPUs(t, c.devices)
				w.sets = c.sets
				first, second := payload(t, id, "first"), payload(t, id, "second")
				requireNoErrors(t, w.run(c.source, first, second))
				require.Equal(t, proofOf(t, reference), proofOf(t, first))
				require.Equal(t, proofOf(t, reference), proofOf(t, second))
				require.Positive(t, w.peak("device"), "nothing was done on a device")
			})
		}
	}
}

// peak is the most bytes that pools whose names begin so have held, which is at most their limit.
func (w *workshop) peak(name string) (most int64) {
	for _, pool := range w.report.Memory.Pools {
		if strings.HasPrefix(pool.Name, name) {
			most = max(most, pool.HighWater)
		}
		if pool.Limit >= 0 {
			require.LessOrEqual(w.t, pool.HighWater, pool.Limit, pool.Name)
		}
	}
	return most
}

// Whichever call of the kernel library fails, one job fails with CUDA's words, the other is proved, and all memory comes
// back.
func TestEveryCallOfAProofMayFail(t *testing.T) {
	now := []string{
		"pg_device_alloc", "pg_pinned_alloc", "pg_stream_create", "pg_stream_synchronize", "pg_stream_wait", "pg_event_create",
		"pg_event_record", "pg_event_synchronize", "pg_copy_to_device", "pg_copy_to_host", "pg_ntt_table_build",
		"pg_powers_build", "pg_quotient", "pg_evaluate", "pg_msm_table_build", "pg_msm_start", "pg_msm_finish",
	}
	later := []string{"pg_copy_to_device", "pg_powers_build", "pg_quotient", "pg_evaluate", "pg_msm_table_build", "pg_msm_start"}
	key := square(t, curve.BN254)
	for _, c := range []struct {
		pipeline string
		sets     []string
	}{{"gpu-resident", []string{"multiples=2"}}, {"gpu-split", nil}} {
		t.Run(c.pipeline, func(t *testing.T) {
			source := bundledSource(t, c.pipeline)
			attempts := 0
			for _, f := range now {
				attempts += failEachCall(t, source, c.sets, key, f, "")
			}
			for _, f := range later {
				attempts += failEachCall(t, source, c.sets, key, f, ":later")
			}
			require.Greater(t, attempts, 100)
		})
	}
}

// failEachCall lets the first, the second, ... call of a function fail until a run makes fewer, and gives how many have.
func failEachCall(t *testing.T, source string, sets []string, key *stages.Payload, function, when string) int {
	for call := 1; ; call++ {
		at := fmt.Sprintf("%s:%d%s", function, call, when)
		w := onGPUs(t, 1, standin.Fail(at))
		w.sets = sets
		var failures []error
		for _, result := range w.run(source, key, key) {
			if result.Err != nil {
				failures = append(failures, result.Err)
			}
		}
		if len(failures) == 0 {
			return call - 1
		}
		require.Len(t, failures, 1, at)
		var failure *cudabind.Error
		require.ErrorAs(t, failures[0], &failure, at)
		require.Contains(t, failure.Name, "cudaError", at)
		require.Contains(t, failure.Expression, function, at)
		require.Equal(t, "faults.cpp", filepath.Base(failure.File), at)
		require.Positive(t, failure.Line, at)
	}
}
