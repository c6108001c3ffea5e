//go:build interop

package interop

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

var curves = []string{"bn128", "bls12381"} // by snarkjs' names

// circuit is a folder that run.sh filled.
type circuit struct{ curve, name, dir string }

// keyed are the circuits for which snarkjs made a key.
var keyed = []string{"multiplier", "poseidon", "nested", "outputs"}

func circuitOf(t *testing.T, curve, name string) circuit {
	return circuit{curve, name, work(t, curve, name)}
}

func (c circuit) file(name string) string { return filepath.Join(c.dir, name) }
func (c circuit) zkey() string            { return c.file("key.zkey") }
func (c circuit) vkey() string            { return c.file("vkey.json") }
func (c circuit) wasm() string            { return c.file("circuit.wasm") }
func (c circuit) r1cs() string            { return c.file("circuit.r1cs") }

// inputs and witnesses pair by position.
func (c circuit) inputs(t *testing.T) []string    { return found(t, c.file("[0-9].json")) }
func (c circuit) witnesses(t *testing.T) []string { return found(t, c.file("[0-9].wtns")) }

func found(t *testing.T, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	require.NoError(t, err)
	require.NotEmpty(t, paths, pattern)
	return paths
}

// onCurves runs a test on both curves at once.
func onCurves(t *testing.T, test func(t *testing.T, curve string)) {
	for _, curve := range curves {
		t.Run(curve, func(t *testing.T) {
			t.Parallel()
			test(t, curve)
		})
	}
}

func onCircuits(t *testing.T, names []string, test func(t *testing.T, c circuit)) {
	onCurves(t, func(t *testing.T, curve string) {
		for _, name := range names {
			t.Run(name, func(t *testing.T) { test(t, circuitOf(t, curve, name)) })
		}
	})
}

// snarkjsProof has snarkjs prove a witness.
func snarkjsProof(t *testing.T, zkey, wtns string) proofFiles {
	t.Helper()
	p := inFolder(t.TempDir())
	snarkjs(t, "groth16", "prove", zkey, wtns, p.proof, p.public)
	return p
}

func readJSON(t *testing.T, path string) (value any) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &value), path)
	return value
}
