package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/pipelines"
)

const goldenCells = "../../proving/testdata/bn254/cells"

// A pipeline without a sink would report proofs that nobody has.
func TestPipelineThatWritesNoProofIsRefused(t *testing.T) {
	source, ok := pipelines.Read(pipelines.Default)
	require.True(t, ok)
	unsunk := regexp.MustCompile(`(?m)^  (write: .*|- \{ from: verify\.proven.*)\n`).ReplaceAllString(string(source), "")
	file := filepath.Join(t.TempDir(), "unsunk.yaml")
	require.NoError(t, os.WriteFile(file, []byte(unsunk), 0o644))
	proofgraph(t, "check", file).requireEnds(t, done)
	refused := proofgraph(t, "prove", "--pipeline", file, "--zkey", goldenCells+".zkey", "--wtns", goldenCells+".wtns", "--out", t.TempDir())
	refused.requireEnds(t, invalid)
	assert.Contains(t, refused.stderr, "no stage of kind groth16.write")
}

func TestModelsProveNothing(t *testing.T) {
	refused := proofgraph(t, "prove", "--pipeline", "porep", "--zkey", goldenCells+".zkey", "--wtns", goldenCells+".wtns", "--out", t.TempDir())
	refused.requireEnds(t, invalid)
	assert.Contains(t, refused.stderr, "is a model and proves nothing")
}

// A pipe keeps its opener waiting for a writer; a proof has a file.
func TestPipesAreNoDocuments(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	dir := filepath.Dir(goldenCells)
	refused := proofgraph(t, "verify", "--vkey", filepath.Join(dir, "verification_key.json"), "--proof", pipe, "--public", filepath.Join(dir, "public.json"))
	refused.requireEnds(t, invalid)
	assert.Contains(t, refused.stderr, "no regular file")
}
