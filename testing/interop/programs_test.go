//go:build interop

package interop

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Exit codes of proofgraph.
const (
	exitDone         = 0
	exitInvalidInput = 3
	exitNotVerified  = 6
)

// outcome is what a program did.
type outcome struct {
	code           int
	stdout, stderr string
}

// work is the folder that run.sh prepared.
func work(t *testing.T, elements ...string) string {
	root := os.Getenv("INTEROP_WORK")
	require.NotEmpty(t, root, "INTEROP_WORK is not set: start the suite with testing/interop/run.sh")
	return filepath.Join(append([]string{root}, elements...)...)
}

func execute(t *testing.T, argv ...string) outcome {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		require.NoError(t, err, "%q", argv)
	}
	return outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// succeed runs a program that must exit with 0 and returns its standard output.
func succeed(t *testing.T, argv ...string) string {
	t.Helper()
	got := execute(t, argv...)
	require.Zero(t, got.code, "%q\n%s%s", argv, got.stdout, got.stderr)
	return got.stdout
}

func proofgraph(t *testing.T, args ...string) []string {
	binary := os.Getenv("PROOFGRAPH")
	require.NotEmpty(t, binary, "PROOFGRAPH is not set: start the suite with testing/interop/run.sh")
	return append([]string{binary}, args...)
}

func snarkjs(t *testing.T, args ...string) string {
	t.Helper()
	cli := work(t, "node_modules", "snarkjs", "build", "cli.cjs")
	return succeed(t, append([]string{"node", cli}, args...)...)
}

// acceptedBySnarkjs and acceptedByGnark require that others hold a proof for valid.
func acceptedBySnarkjs(t *testing.T, vkey string, p proofFiles) {
	t.Helper()
	require.Contains(t, snarkjs(t, "groth16", "verify", vkey, p.public, p.proof), "OK!")
}

func acceptedByGnark(t *testing.T, vkey string, p proofFiles) {
	t.Helper()
	succeed(t, os.Getenv("PEERS"), "verify", "-vkey", vkey, "-proof", p.proof, "-public", p.public)
}
