//go:build interop

package interop

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/format/wtns"
	"github.com/proofgraph/proofgraph/proving/witness"
)

// The same program and input give the file that snarkjs calculates, byte for byte. No command writes
// a witness, so this asks the package that prove uses.
func TestWitnessIsThatOfSnarkjs(t *testing.T) {
	onCircuits(t, append([]string{"sha256"}, keyed...), func(t *testing.T, c circuit) {
		wasm, err := os.ReadFile(c.wasm())
		require.NoError(t, err)
		program, err := witness.Compile(t.Context(), wasm, witness.Options{})
		require.NoError(t, err)
		defer program.Close()

		inputs, witnesses := c.inputs(t), c.witnesses(t)
		require.Len(t, witnesses, len(inputs))
		for i, input := range inputs {
			theirs, err := os.ReadFile(witnesses[i])
			require.NoError(t, err)
			ours := calculated(t, program, input)
			assert.True(t, bytes.Equal(theirs, ours), "%s gives another witness than %s", input, witnesses[i])
		}
	})
}

// calculated returns the .wtns file of an input.
func calculated(t *testing.T, program *witness.Calculator, input string) []byte {
	t.Helper()
	inputs, err := os.Open(input)
	require.NoError(t, err)
	defer inputs.Close()
	memory := make([]byte, program.Need().Memory)
	sizes, err := program.Sizes(t.Context(), memory)
	require.NoError(t, err)
	values := make([]byte, sizes.Length*curve.ScalarSize)
	require.NoError(t, program.Calculate(t.Context(), inputs, values, memory))
	var file bytes.Buffer
	require.NoError(t, wtns.Write(&file, sizes.Curve, values))
	return file.Bytes()
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
