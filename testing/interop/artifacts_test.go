//go:build interop

package interop

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Semaphore's published programs, proving keys and verification keys, the outcome of a ceremony of
// hundreds of contributions: a membership proof in groups of two depths.
func TestSemaphore(t *testing.T) {
	for _, depth := range []int{10, 20} {
		t.Run(fmt.Sprintf("depth=%d", depth), func(t *testing.T) {
			t.Parallel()
			base := work(t, "node_modules", "@zk-kit", "semaphore-artifacts", fmt.Sprintf("semaphore-%d", depth))
			input := membership(t, depth)

			ours := proveInput(t, base+".zkey", base+".wasm", input)
			acceptedBySnarkjs(t, base+".json", ours)
			acceptedByGnark(t, base+".json", ours)

			wtns := filepath.Join(t.TempDir(), "theirs.wtns")
			snarkjs(t, "wtns", "calculate", base+".wasm", input, wtns)
			theirs := snarkjsProof(t, base+".zkey", wtns)
			assert.Equal(t, readJSON(t, theirs.public), readJSON(t, ours.public), "root, nullifier, message, scope")
			got := verifyProof(t, base+".json", theirs)
			assert.Equal(t, exitDone, got.code, got.stderr)
		})
	}
}

// membership writes the input of a member who is fifth in a group of up to eight.
func membership(t *testing.T, depth int) (path string) {
	siblings := make([]string, depth)
	for i := range siblings {
		siblings[i] = "0"
	}
	copy(siblings, []string{"101", "102", "103"})
	text, err := json.Marshal(map[string]any{
		"secret":              "1234567890123456789",
		"merkleProofLength":   3,
		"merkleProofIndex":    5,
		"merkleProofSiblings": siblings,
		"message":             "42",
		"scope":               "7",
	})
	require.NoError(t, err)
	path = filepath.Join(t.TempDir(), "input.json")
	require.NoError(t, os.WriteFile(path, text, 0o600))
	return path
}
