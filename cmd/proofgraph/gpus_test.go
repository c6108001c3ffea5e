package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cmd/cli"
	"github.com/proofgraph/proofgraph/cudabind/standin"
	"github.com/proofgraph/proofgraph/graph/sim"
)

// These tests load the stand-in of the kernel library, which a process does not unload; so they have one of their own.

const cells = "../../proving/testdata/bn254/cells"

// proofgraph runs a command line and requires its exit code.
func proofgraph(t *testing.T, code int, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, err strings.Builder
	app := &cli.App{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &err, Getenv: os.Getenv}
	require.Equal(t, code, app.Run(args), "%v: %s%s", args, out.String(), err.String())
	return out.String(), err.String()
}

func TestWhatAProofNeedsOfAGPUThatIsNotHere(t *testing.T) {
	standin.Use(t, standin.Devices(0))
	for _, pipeline := range []string{"gpu-resident", "gpu-split"} {
		t.Run(pipeline, func(t *testing.T) {
			out, _ := proofgraph(t, 0, "check", pipeline, "--zkey", cells+".zkey")
			assert.Regexp(t, `device +\? +\d`, out)
			assert.Contains(t, out, "? is the memory of a GPU that is not here; --device-memory says how much it is")

			out, _ = proofgraph(t, 0, "check", pipeline, "--zkey", cells+".zkey", "--device-memory", "139GiB", "--device-count", "2", "--json")
			pools := poolsOf(t, out)
			for _, device := range []string{"device0", "device1"} {
				assert.Equal(t, int64(139<<30-512<<20), pools[device].Limit)
				assert.Positive(t, pools[device].One)
			}
			_, err := proofgraph(t, 4, "check", pipeline, "--zkey", cells+".zkey", "--device-memory", "536871936")
			assert.Contains(t, err, "one proof needs")
			_, err = proofgraph(t, 3, "prove", "--pipeline", pipeline, "--zkey", cells+".zkey", "--wtns", cells+".wtns", "--out", t.TempDir())
			assert.Contains(t, err, "cudaErrorNoDevice")
		})
	}
	out, _ := proofgraph(t, 0, "check", "groth16", "--zkey", cells+".zkey", "--json")
	assert.Zero(t, poolsOf(t, out)["device"].One, "auto is the CPU")
	out, _ = proofgraph(t, 0, "check", "groth16", "--zkey", cells+".zkey", "--json", "--device-memory", "1GiB")
	assert.Positive(t, poolsOf(t, out)["device"].One, "auto is the GPU that is assumed")
}

type pool struct {
	Name  string
	Limit int64
	One   int64 `json:"one_proof"`
}

func poolsOf(t *testing.T, text string) map[string]pool {
	var found []struct{ Pools []pool }
	require.NoError(t, json.Unmarshal([]byte(text), &found))
	require.Len(t, found, 1)
	pools := map[string]pool{}
	for _, p := range found[0].Pools {
		pools[p.Name] = p
	}
	return pools
}

func TestSimulationsOfGPUsThatAreNotHere(t *testing.T) {
	standin.Use(t, standin.Devices(0))
	for profile, pipeline := range map[string]string{"h200": "gpu-resident", "h200-dense": "gpu-resident", "h200-split": "gpu-split"} {
		proofgraph(t, 0, "simulate", pipeline, "--profile", profile, "--jobs", "5")
	}
	simulate := []string{"simulate", "gpu-resident", "--profile", "h200", "--jobs", "5"}
	out, _ := proofgraph(t, 0, simulate...)
	assert.Contains(t, out, "device1 ")
	out, _ = proofgraph(t, 0, append(simulate, "--device-count", "1", "--device-memory", "24GiB")...)
	assert.NotContains(t, out, "device1 ")
	proofgraph(t, 4, append(simulate, "--device-memory", "600MiB")...)
	proofgraph(t, 0, "plan", "gpu-resident", "--profile", "h200", "--jobs", "5", "--trials", "3", "--device-memory", "24GiB")
	for _, wrong := range [][]string{{"--device-memory", "much"}, {"--device-count", "-1"}} {
		proofgraph(t, 2, append(simulate, wrong...)...)
		proofgraph(t, 2, append([]string{"check", "gpu-resident"}, wrong...)...)
	}
}

// A profile recorded on GPUs has them, and simulates the pipeline that it was recorded of.
func TestProfileRecordedOnGPUs(t *testing.T) {
	standin.Use(t, standin.Devices(2))
	path := filepath.Join(t.TempDir(), "here.yaml")
	proofgraph(t, 0, "prove", "--pipeline", "gpu-resident", "--zkey", cells+".zkey", "--wtns", cells+".wtns", "--out", t.TempDir(), "--memory", "256MiB", "--record-profile", path)
	profile, err := sim.LoadProfile(path)
	require.NoError(t, err)
	assert.Equal(t, 2, profile.Machine.Devices)
	assert.Equal(t, sim.Size(1<<30), profile.Machine.Memory["device0"].Total)
	assert.Positive(t, profile.Machine.Memory["pinned"].Total)
	assert.Equal(t, "device", profile.Resources["gpu"].Per)
	assert.Equal(t, 1.0, profile.Stages["msm_h"][0].Loads["gpu"])
	assert.Positive(t, profile.Stages["upload"][0].Loads["pcie"])
	assert.Less(t, profile.Stages["upload"][0].Loads["pcie"], profile.Resources["pcie"].Capacity)
	assert.Equal(t, "device", profile.Resources["pcie"].Per)
	assert.NotContains(t, profile.Resources, "memory", "256 MiB have no room for what caches do not hold")
	simulate := []string{"simulate", "gpu-resident", "--profile", path, "--jobs", "3", "--json"}
	proofgraph(t, 0, simulate...)
	out, _ := proofgraph(t, 0, append(simulate, "--memory", "64MiB")...)
	var results []struct{ Pools []pool }
	require.NoError(t, json.Unmarshal([]byte(out), &results))
	limits := map[string]int64{}
	for _, p := range results[0].Pools {
		limits[p.Name] = p.Limit
	}
	assert.Equal(t, int64(48<<20), limits["host"], "as in a run: pinned memory is of the 64 MiB")
	assert.Equal(t, int64(16<<20), limits["pinned"])
}

// A profile of a machine without GPUs can be given some: its bytes are known, and seconds are what the CPU takes.
func TestGPUsForAProfileWithout(t *testing.T) {
	standin.Use(t, standin.Devices(0))
	path := filepath.Join(t.TempDir(), "here.yaml")
	proofgraph(t, 0, "prove", "--zkey", cells+".zkey", "--wtns", cells+".wtns", "--out", t.TempDir(), "--memory", "256MiB", "--record-profile", path)
	profile, err := sim.LoadProfile(path)
	require.NoError(t, err)
	assert.Zero(t, profile.Machine.Devices)
	simulate := []string{"simulate", "groth16", "--profile", path, "--jobs", "3"}
	out, _ := proofgraph(t, 0, simulate...)
	assert.NotContains(t, out, "device ", "auto is the CPU")
	out, _ = proofgraph(t, 0, append(simulate, "--device-memory", "1GiB")...)
	assert.Contains(t, out, ", device ")
	assert.Contains(t, out, ", pinned ", "a part of the host's memory is pinned, as in runs")
	out, _ = proofgraph(t, 0, append(simulate, "--device-memory", "536871912B")...)
	assert.Contains(t, out, "groth16: on the CPU: ntt, msm_b_g2")
}
