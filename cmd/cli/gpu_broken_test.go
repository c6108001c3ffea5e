package cli_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind/standin"
)

// proveMany is a command line that proves copies of the golden witness through a pipeline.
func proveMany(t *testing.T, pipeline string, copies int, more ...string) []string {
	dir, witness := t.TempDir(), read(t, golden("bn254", "cells.wtns"))
	args := []string{"prove", "--pipeline", pipeline, "--zkey", golden("bn254", "cells.zkey"), "--out", t.TempDir()}
	for i := range copies {
		args = append(args, "--wtns", write(t, dir, fmt.Sprintf("w%d.wtns", i), witness))
	}
	return append(args, more...)
}

// Of two GPUs, one that fails whatever it is asked for costs no proof, and the user is told of it.
func TestABrokenGPUAmongSeveral(t *testing.T) {
	for _, name := range []string{"gpu-resident", "gpu-split", "groth16"} {
		t.Run(name, func(t *testing.T) {
			standin.Use(t, standin.Devices(2), standin.Broken(1))
			proved := proofgraph(t, proveMany(t, name, 12, "--json")...)
			proved.requireEnds(t, done, "proofgraph: GPU 1 failed", "cudaErrorIllegalAddress (700)", "begins anew on another GPU, and GPU 1 is avoided")
			var report struct {
				Results []struct{ OK bool }
				Failed  []struct {
					GPU           int
					Failed, Moved int
					Avoided       bool
					Error         string
				} `json:"failed_devices"`
			}
			require.NoError(t, json.Unmarshal([]byte(proved.stdout), &report))
			assert.Len(t, report.Results, 12)
			require.Len(t, report.Failed, 1)
			assert.Equal(t, 1, report.Failed[0].GPU)
			assert.True(t, report.Failed[0].Avoided)
			assert.Equal(t, report.Failed[0].Failed, report.Failed[0].Moved)
			assert.Contains(t, report.Failed[0].Error, "device 1 has broken down")
			proofgraph(t, proveMany(t, name, 12)...).requireEnds(t, done, "GPU 1 failed", "was avoided at the end: ")
			proofgraph(t, proveMany(t, name, 2, "--devices", "0")...).requireEnds(t, done)
			proofgraph(t, proveMany(t, name, 2, "--devices", "1")...).requireEnds(t, failed, "device 1 has broken down")
		})
	}
}

// A GPU that breaks down in the middle of its work keeps what was there; no job fails for that, and the user is told.
func TestAGPUThatBreaksDown(t *testing.T) {
	for _, name := range []string{"gpu-resident", "gpu-split", "groth16"} {
		for _, calls := range []int{10, 30, 60, 90} {
			standin.Use(t, standin.Devices(2), standin.Broken(1), standin.WorksFor(calls))
			proved := proofgraph(t, proveMany(t, name, 12)...)
			proved.requireEnds(t, done, "GPU 1 failed", "12 proofs in", "was avoided at the end: ",
				"proofgraph: memory of a GPU that failed stays taken until this process ends: pool device1: unmap")
		}
	}
}

// What is wrong with a witness is not held against the GPU that it was proved on.
func TestABadWitnessIsNoFailureOfItsGPU(t *testing.T) {
	standin.Use(t, standin.Devices(2))
	witness := read(t, golden("bn254", "cells.wtns"))
	witness[len(witness)-40] ^= 1
	wrong := write(t, t.TempDir(), "wrong.wtns", witness)
	proved := proofgraph(t, proveMany(t, "gpu-resident", 3, "--wtns", wrong, "--json")...)
	proved.requireEnds(t, 6)
	assert.NotContains(t, proved.stdout, "failed_devices")
	assert.NotContains(t, proved.stderr, "is avoided")
}

// A GPU that does not even open is left out from the start, unless it was asked for.
func TestAGPUThatDoesNotOpen(t *testing.T) {
	standin.Use(t, standin.Devices(2), standin.Fail("pg_device_open:1"))
	proofgraph(t, proveMany(t, "gpu-resident", 3)...).requireEnds(t, done, "proofgraph: GPU 0 is left out, since it does not work: open GPU 0: cudaError")
	standin.Use(t, standin.Devices(2), standin.Fail("pg_device_memory:2"))
	proofgraph(t, proveMany(t, "groth16", 3)...).requireEnds(t, done, "proofgraph: GPU 1 is left out, since it does not work: free memory of GPU 1: cudaError")
	standin.Use(t, standin.Devices(2), standin.Fail("pg_device_open:2"))
	proofgraph(t, proveMany(t, "gpu-resident", 1, "--devices", "0,1")...).requireEnds(t, failed, "open GPU 1: cudaError")
}

func TestTheDoctorTriesEveryGPU(t *testing.T) {
	standin.Use(t, standin.Devices(2), standin.Broken(1))
	found := proofgraph(t, "doctor")
	found.requireEnds(t, done)
	assert.Regexp(t, `(?m)^gpu      0: .*, 1 GiB, 1 GiB of it free$`, found.stdout)
	assert.Regexp(t, `(?m)^gpu      1: .*, 1 GiB, which does not work; --devices leaves it out: cudaErrorIllegalAddress`, found.stdout)
}
