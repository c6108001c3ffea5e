package cli_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/cudabind/standin"
	"github.com/proofgraph/proofgraph/pipelines"
)

// proveOnGPU is a command line that proves the golden witness through a pipeline.
func proveOnGPU(t *testing.T, pipeline string, more ...string) []string {
	return append([]string{
		"prove", "--pipeline", pipeline, "--zkey", golden("bn254", "cells.zkey"), "--wtns", golden("bn254", "cells.wtns"),
		"--out", t.TempDir(), "--memory", "64MiB",
	}, more...)
}

func TestProofsOnGPUs(t *testing.T) {
	standin.Use(t, standin.Devices(2))
	for _, name := range append(pipelines.Devices(), pipelines.Default) {
		proofgraph(t, proveOnGPU(t, name)...).requireEnds(t, done)
		proofgraph(t, proveOnGPU(t, name, "--devices", "1")...).requireEnds(t, done)
		proofgraph(t, "check", name, "--zkey", golden("bn254", "cells.zkey")).requireEnds(t, done)
	}
	proofgraph(t, "graph", "gpu-resident").requireEnds(t, done)
}

// GPUs that are named must be there, whatever the pipeline makes of them.
func TestGPUsThatAreNotThere(t *testing.T) {
	standin.Use(t, standin.Devices(2))
	for devices, says := range map[string]string{
		"7": "number 7, where there are 2", "0,0": "number 0 for a second time", "-1": "number -1", "0,1,2": "number 2",
	} {
		for _, pipeline := range []string{"gpu-resident", "groth16", "serial"} {
			proofgraph(t, proveOnGPU(t, pipeline, "--devices", devices)...).requireEnds(t, invalid, "--devices", says)
		}
		proofgraph(t, "check", "gpu-split", "--devices", devices).requireEnds(t, invalid, "--devices", says)
	}
	proofgraph(t, proveOnGPU(t, "gpu-resident", "--devices", "one")...).requireEnds(t, usage, "write numbers such as 0,2, or none")
	standin.Use(t, standin.Devices(0))
	proofgraph(t, proveOnGPU(t, "groth16", "--devices", "0")...).requireEnds(t, invalid, "cudaErrorNoDevice")
	absent := proofgraph(t, proveOnGPU(t, "gpu-split")...)
	absent.requireEnds(t, invalid, "pipeline gpu-split needs a GPU, for ", "cudaErrorNoDevice", "--pipeline groth16")
	require.NotContains(t, absent.stderr, "make cuda")
	proofgraph(t, "check", "gpu-split", "--zkey", golden("bn254", "cells.zkey")).requireEnds(t, done)
	proofgraph(t, proveOnGPU(t, "groth16")...).requireEnds(t, done)
}

func TestProofsThatDoNotFitOnAGPU(t *testing.T) {
	standin.Use(t, standin.Memory(513<<20)) // the margin is 512 MiB
	proofgraph(t, proveOnGPU(t, "gpu-resident")...).requireEnds(t, done)
	lost := lostMemory(t)
	standin.Use(t, standin.Memory(512<<20+1000+lost))
	proofgraph(t, proveOnGPU(t, "gpu-resident")...).requireEnds(t, tooLarge, "the least that would do for pool device is")
	source, _ := pipelines.Read("groth16")
	must := write(t, t.TempDir(), "must.yaml", bytes.Replace([]byte(source), []byte("query: h,"), []byte("query: h, backend: cuda,"), 1))
	proofgraph(t, proveOnGPU(t, must)...).requireEnds(t, tooLarge, "pool device", "a margin of 512 MiB")
	proofgraph(t, proveOnGPU(t, "gpu-split", "--devices", "none")...).requireEnds(t, invalid, "no GPU is used here")
}

// Where nobody insists on the GPU, what it has no memory for is the CPU's, and the user is told: in a run of one circuit, of
// several, in a check, and for GPUs that are assumed.
func TestWhatAGPUIsTooSmallForIsTheCPUs(t *testing.T) {
	const onCPU = "on the CPU: ntt, msm_b_g2, msm_a, msm_b_g1, msm_l, msm_h, since pool device has 1000 B of device memory, " +
		"beside a margin of 512 MiB, and they would take up to 7.75 KiB of it"
	lost := lostMemory(t)
	standin.Use(t, standin.Memory(512<<20+1000+lost))
	proofgraph(t, proveOnGPU(t, "groth16")...).requireEnds(t, done, "proofgraph: "+onCPU)
	checked := proofgraph(t, "check", "groth16", "--zkey", golden("bn254", "cells.zkey"))
	checked.requireEnds(t, done)
	require.Contains(t, checked.stdout, onCPU)
	standin.Use(t, standin.Devices(2))
	checked = proofgraph(t, "check", "groth16", "--zkey", golden("bn254", "cells.zkey"), "--device-memory", "536871912B", "--device-count", "1")
	checked.requireEnds(t, done)
	require.Contains(t, checked.stdout, onCPU)
	proofgraph(t, proveOnGPU(t, "groth16")...).requireEnds(t, done)

	standin.Use(t, standin.Memory(512<<20+8000+lost)) // enough for one curve
	jobs := ""
	for i, curve := range []string{"bn254", "bls12-381", "bn254", "bls12-381"} {
		jobs += fmt.Sprintf(`{"id": "%s %d", "zkey": %q, "wtns": %q}`+"\n", curve, i, golden(curve, "cells.zkey"), golden(curve, "cells.wtns"))
	}
	ran := proofgraph(t, "run", "groth16", "--jobs", write(t, t.TempDir(), "jobs.jsonl", []byte(jobs)))
	ran.requireEnds(t, done, "proofgraph: bls12-381 1: on the CPU: ")
	require.NotContains(t, ran.stderr, "bls12-381 3: on the CPU", "it is told once")
	require.NotContains(t, ran.stderr, "bn254 0: on the CPU")
	require.Regexp(t, `device_scratch +[1-9]`, ran.stderr)
}

// lostMemory gives the bytes that the first device never got back, in tests of devices that fail to.
func lostMemory(t *testing.T) int {
	standin.Use(t)
	library, err := cudabind.Open()
	require.NoError(t, err)
	device, err := library.Device(0)
	require.NoError(t, err)
	free, total, err := device.Memory()
	require.NoError(t, err)
	return int(total - free)
}

func TestKeysWithMoreCoefficientsThanAPipelineAllows(t *testing.T) {
	standin.Use(t)
	source, _ := pipelines.Read("gpu-resident")
	few := bytes.Replace([]byte(source), []byte("part: constraints }"), []byte("part: constraints, distinct: 1 }"), 1)
	require.NotEqual(t, string(source), string(few))
	file := write(t, t.TempDir(), "few.yaml", few)
	proofgraph(t, proveOnGPU(t, file)...).requireEnds(t, invalid, "too many distinct coefficients: more than 1", "load_rows")
}

func TestFailuresOfAGPU(t *testing.T) {
	for call, says := range map[string]string{
		"pg_device_open:1": "open GPU 0: cudaErrorIllegalAddress (700): pg_device_open", "pg_device_memory:1": "free memory of GPU 0",
		"pg_device_alloc:2": "cudaErrorMemoryAllocation (2): pg_device_alloc", "pg_msm_start:1:later": "cudaErrorIllegalAddress (700): pg_msm_start",
		"pg_pinned_alloc:1": "cudaErrorMemoryAllocation (2): pg_pinned_alloc", "pg_device_free:1": "pool device: unmap",
		"pg_copy_to_device:3:ever": "cudaErrorIllegalAddress (700): pg_",
	} {
		standin.Use(t, standin.Fail(call))
		proofgraph(t, proveOnGPU(t, "gpu-resident")...).requireEnds(t, failed, says, "at faults.cpp:")
	}
}

// A device that hangs stalls the run, which says where.
func TestAStalledGPU(t *testing.T) {
	standin.Use(t, standin.Delay(400*time.Millisecond))
	proofgraph(t, proveOnGPU(t, "gpu-resident", "--stall", "100ms")...).requireEnds(t, stalled, "no stage body ended for 100ms",
		"under way:", "at load_a", "holds:")
}

// A profile that a run on GPUs recorded says what it needs to simulate that run: the GPUs and their memory.
func TestRunsOnGPUsAreSimulated(t *testing.T) {
	for devices := 1; devices <= 2; devices++ {
		standin.Use(t, standin.Devices(devices))
		for _, name := range pipelines.Devices() {
			profile := filepath.Join(t.TempDir(), "here.yaml")
			proofgraph(t, proveOnGPU(t, name, "--record-profile", profile)...).requireEnds(t, done)
			simulated := proofgraph(t, "simulate", name, "--profile", profile, "--jobs", "4")
			simulated.requireEnds(t, done)
			require.Contains(t, simulated.stdout, "device")
		}
	}
}

func TestASimulationThatRefusesSaysWhy(t *testing.T) {
	standin.Use(t)
	dir := t.TempDir()
	recorded := filepath.Join(dir, "here.yaml")
	proofgraph(t, proveOnGPU(t, "gpu-resident", "--record-profile", recorded)...).requireEnds(t, done)
	elsewhere := write(t, dir, "elsewhere.yaml", bytes.Replace(read(t, recorded), []byte("        pinned:"), []byte("        other:"), 1))
	refused := proofgraph(t, "simulate", "gpu-resident", "--profile", elsewhere)
	refused.requireEnds(t, tooLarge)
	require.Contains(t, refused.stdout, `the pool "pinned" has no memory on this machine`)
}

// --memory is what the process takes of the host's memory, with what is pinned of it: whatever is asked for, the pools of
// both together have no more, and what is said to be the least does.
func TestMemoryIncludesWhatIsPinned(t *testing.T) {
	standin.Use(t)
	for _, name := range append(pipelines.Devices(), pipelines.Default) {
		t.Run(name, func(t *testing.T) {
			for _, mib := range []int64{64, 100, 1000} {
				memory := fmt.Sprintf("%dMiB", mib)
				proved := proofgraph(t, append(proveOnGPU(t, name, "--json"), "--memory", memory)...)
				proved.requireEnds(t, done)
				host, pinned := limitOf(t, proved.stdout, "host"), limitOf(t, proved.stdout, "pinned")
				require.Equal(t, mib<<20, host+pinned)
				require.Equal(t, mib<<20/4, pinned)
				checked := proofgraph(t, "check", name, "--zkey", golden("bn254", "cells.zkey"), "--memory", memory, "--json")
				require.Equal(t, host, limitOf(t, checked.stdout, "host"))
				require.Equal(t, pinned, limitOf(t, checked.stdout, "pinned"))
			}
		})
	}
	refused := proofgraph(t, append(proveOnGPU(t, "gpu-resident"), "--memory", "8KiB")...)
	refused.requireEnds(t, tooLarge, "the least that would do for pool pinned", "of which a part is pinned")
	least := leastMemory.FindStringSubmatch(refused.stderr)
	require.NotNil(t, least, refused.stderr)
	proofgraph(t, append(proveOnGPU(t, "gpu-resident"), "--memory", least[1]+"KiB")...).requireEnds(t, done)
	proofgraph(t, append(proveOnGPU(t, "gpu-resident"), "--memory", decrement(t, least[1])+"KiB")...).requireEnds(t, tooLarge)
}

// limitOf finds the limit of a pool in what a command printed as JSON.
func limitOf(t *testing.T, printed, pool string) int64 {
	found := regexp.MustCompile(`"name": "` + pool + `",\s+"limit": (\d+)`).FindStringSubmatch(printed)
	require.NotNil(t, found, printed)
	limit, err := strconv.ParseInt(found[1], 10, 64)
	require.NoError(t, err)
	return limit
}

// A pool of pinned memory of a size of its own comes out of --memory too, and must leave something.
func TestPinnedMemoryOfAFixedSize(t *testing.T) {
	standin.Use(t)
	source, _ := pipelines.Read("gpu-resident")
	file := write(t, t.TempDir(), "fixed.yaml", bytes.Replace([]byte(source), []byte("memory: pinned, limit: auto"), []byte("memory: pinned, limit: 16MiB"), 1))
	proved := proofgraph(t, append(proveOnGPU(t, file, "--json"), "--memory", "40MiB")...)
	proved.requireEnds(t, done)
	require.Equal(t, int64(24<<20), limitOf(t, proved.stdout, "host"))
	proofgraph(t, append(proveOnGPU(t, file), "--memory", "16MiB")...).requireEnds(t, usage, "pools of pinned memory take 16 MiB of it, which leaves nothing")
}
