//go:build interop

package interop

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Our development keys are keys to snarkjs too. sha256 is the one of real size: 31 thousand rows.
func TestSnarkjsProvesWithOurKeys(t *testing.T) {
	onCircuits(t, []string{"multiplier", "outputs", "sha256"}, func(t *testing.T, c circuit) {
		zkey, vkey := setupKey(t, c.r1cs())

		exported := filepath.Join(t.TempDir(), "vkey.json")
		snarkjs(t, "zkey", "export", "verificationkey", zkey, exported)
		assert.Equal(t, readJSON(t, exported), readJSON(t, vkey), "vkey.json")

		theirs := snarkjsProof(t, zkey, c.witnesses(t)[0])
		acceptedBySnarkjs(t, vkey, theirs)
		got := verifyProof(t, vkey, theirs)
		assert.Equal(t, exitDone, got.code, got.stderr)

		ours := proveInput(t, zkey, c.wasm(), c.inputs(t)[0])
		acceptedBySnarkjs(t, vkey, ours)
		acceptedByGnark(t, vkey, ours)
	})
}

func TestKeyCheckAcceptsKeysOfSnarkjs(t *testing.T) {
	onCircuits(t, []string{"multiplier", "poseidon"}, func(t *testing.T, c circuit) {
		got := checkKey(t, c.zkey())
		assert.Equal(t, exitDone, got.code, got.stderr)
	})
}

// A key with one bit of a point changed is no key.
func TestKeyCheckRefusesSpoiledKeys(t *testing.T) {
	onCircuits(t, []string{"poseidon"}, func(t *testing.T, c circuit) {
		key, err := os.ReadFile(c.zkey())
		require.NoError(t, err)
		for name, at := range map[string]int{"middle": len(key) / 2, "near the end": len(key) * 9 / 10} {
			spoiled := append([]byte{}, key...)
			spoiled[at] ^= 1
			path := filepath.Join(t.TempDir(), "spoiled.zkey")
			require.NoError(t, os.WriteFile(path, spoiled, 0o600))
			got := checkKey(t, path)
			assert.Equal(t, exitInvalidInput, got.code, "%s: %s", name, got.stderr)
		}
	})
}
