package cli_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind"
)

// What needs a GPU says so before all else: why there is none, where the library was looked for, and what to do. A process
// keeps the library that it has opened, so this test stands before those that open one.
func TestPipelinesForAGPUWithoutTheLibrary(t *testing.T) {
	library := filepath.Join(t.TempDir(), "missing.so")
	t.Setenv(cudabind.LibraryVariable, library)
	if _, err := cudabind.Open(); err == nil {
		t.Skip("another test has opened a library")
	}
	jobs := write(t, t.TempDir(), "jobs.jsonl", nil)
	for _, args := range [][]string{proveOnGPU(t, "gpu-resident"), {"run", "gpu-split", "--jobs", jobs}} {
		refused := proofgraph(t, args...)
		refused.requireEnds(t, invalid, "needs a GPU, for ", "there is no kernel library "+library+", which "+cudabind.LibraryVariable+" names",
			"make cuda builds the kernel library", "--pipeline groth16 proves without a GPU")
		require.NotContains(t, refused.stderr, "what its kernels take")
	}
}
