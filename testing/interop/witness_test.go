//go:build interop

package interop

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The same program and input give the file that snarkjs calculates, byte for byte.
func TestWitnessIsThatOfSnarkjs(t *testing.T) {
	onCircuits(t, append([]string{"sha256"}, keyed...), func(t *testing.T, c circuit) {
		inputs, witnesses := c.inputs(t), c.witnesses(t)
		require.Len(t, witnesses, len(inputs))
		for i, input := range inputs {
			ours := filepath.Join(t.TempDir(), "ours.wtns")
			calculateWitness(t, c.wasm(), input, ours)
			sameBytes(t, witnesses[i], ours)
		}
	})
}

func sameBytes(t *testing.T, want, got string) {
	t.Helper()
	w, err := os.ReadFile(want)
	require.NoError(t, err)
	g, err := os.ReadFile(got)
	require.NoError(t, err)
	assert.True(t, string(w) == string(g), "%s and %s differ", want, got)
}

func TestInputsThatDoNotFit(t *testing.T) {
	c := circuitOf(t, "bn128", "nested")
	for name, input := range map[string]string{
		"a signal is missing":   `{"list": [1, 2, 3, 4], "alpha": 1, "zeta": [[1, 2, 3], [4, 5, 6]]}`,
		"an array is too short": `{"list": [1, 2, 3], "alpha": 1, "zeta": [[1, 2, 3], [4, 5, 6]], "deep": [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]}`,
		"a signal is unknown":   `{"omega": 1, "list": [1, 2, 3, 4], "alpha": 1, "zeta": [[1, 2, 3], [4, 5, 6]], "deep": [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]}`,
		"not a number":          `{"list": [1, 2, 3, 4], "alpha": "one", "zeta": [[1, 2, 3], [4, 5, 6]], "deep": [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]}`,
		"not JSON":              `{"list": [`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "input.json")
			require.NoError(t, os.WriteFile(path, []byte(input), 0o600))
			got := execute(t, proofgraph(t, "prove", "--zkey", c.zkey(), "--wasm", c.wasm(), "--input", path, "--out", dir)...)
			assert.Equal(t, exitInvalidInput, got.code, got.stderr)
			assert.NoFileExists(t, inFolder(dir).proof)
		})
	}
}
