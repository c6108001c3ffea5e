//go:build interop

package interop

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The command lines of proofgraph that the suite uses, each in one place.

// proofFiles are a proof and its public signals.
type proofFiles struct{ proof, public string }

func inFolder(dir string) proofFiles {
	return proofFiles{filepath.Join(dir, "proof.json"), filepath.Join(dir, "public.json")}
}

func ofWitness(dir, name string) proofFiles {
	return proofFiles{filepath.Join(dir, name+".proof.json"), filepath.Join(dir, name+".public.json")}
}

// proveWitness proves one .wtns file with the default pipeline, or with flags of the caller's.
func proveWitness(t *testing.T, zkey, wtns string, flags ...string) proofFiles {
	t.Helper()
	out := t.TempDir()
	args := append([]string{"prove", "--zkey", zkey, "--wtns", wtns, "--out", out}, flags...)
	succeed(t, proofgraph(t, args...)...)
	return inFolder(out)
}

// proveInput proves one input.json of a circom program.
func proveInput(t *testing.T, zkey, wasm, input string) proofFiles {
	t.Helper()
	out := t.TempDir()
	succeed(t, proofgraph(t, "prove", "--zkey", zkey, "--wasm", wasm, "--input", input, "--out", out)...)
	return inFolder(out)
}

func verifyProof(t *testing.T, vkey string, p proofFiles) outcome {
	t.Helper()
	return execute(t, proofgraph(t, "verify", "--vkey", vkey, "--proof", p.proof, "--public", p.public)...)
}

// setupKey makes a development key; its name says that it is insecure.
func setupKey(t *testing.T, r1cs string) (zkey, vkey string) {
	t.Helper()
	dir := t.TempDir()
	succeed(t, proofgraph(t, "setup", "--r1cs", r1cs, "--out", dir)...)
	name := strings.TrimSuffix(filepath.Base(r1cs), ".r1cs") + ".insecure"
	return filepath.Join(dir, name+".zkey"), filepath.Join(dir, name+".vkey.json")
}

func checkKey(t *testing.T, zkey string) outcome {
	t.Helper()
	return execute(t, proofgraph(t, "key", "check", zkey)...)
}

// proveWithCalldata proves a .wtns file and returns the calldata written beside the proof.
func proveWithCalldata(t *testing.T, zkey, wtns string) (p proofFiles, calldata string) {
	t.Helper()
	p = proveWitness(t, zkey, wtns, "--calldata")
	text, err := os.ReadFile(filepath.Join(filepath.Dir(p.proof), "calldata.txt"))
	require.NoError(t, err)
	return p, string(text)
}
