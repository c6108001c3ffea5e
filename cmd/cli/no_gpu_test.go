package cli_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/cudabind/standin"
)

// What needs a GPU says so before all else: why there is none, where the library was looked for, and what to do.
func TestPipelinesForAGPUThatThereIsNot(t *testing.T) {
	jobs := write(t, t.TempDir(), "jobs.jsonl", nil)
	library := filepath.Join(t.TempDir(), "missing.so")
	if _, err := cudabind.Open(); err != nil { // a process keeps the library that another test has opened
		t.Setenv(cudabind.LibraryVariable, library)
		for _, args := range [][]string{proveOnGPU(t, "gpu-resident"), {"run", "gpu-split", "--jobs", jobs}} {
			refused := proofgraph(t, args...)
			refused.requireEnds(t, invalid, "needs a GPU, for ", "there is no kernel library "+library+", which "+cudabind.LibraryVariable+" names",
				"make cuda builds the kernel library", "--pipeline groth16 proves without a GPU")
			require.NotContains(t, refused.stderr, "what its kernels take")
		}
	}
	standin.Use(t, standin.Devices(0))
	for _, args := range [][]string{proveOnGPU(t, "gpu-resident"), {"run", "gpu-split", "--jobs", jobs}} {
		refused := proofgraph(t, args...)
		refused.requireEnds(t, invalid, "needs a GPU, for ", "cudaErrorNoDevice", "--pipeline groth16")
		require.NotContains(t, refused.stderr, "make cuda")
	}
}
