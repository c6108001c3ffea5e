//go:build interop

package interop

import (
	"encoding/binary"
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

// pointSections are the sections of a .zkey that hold points, by number.
var pointSections = map[string]uint32{"IC": 3, "A": 5, "B1": 6, "B2": 7, "C": 8, "H": 9}

// One bit changed puts a point off its curve.
func TestKeyCheckRefusesSpoiledPoints(t *testing.T) {
	onCircuits(t, []string{"poseidon"}, func(t *testing.T, c circuit) {
		for name, section := range pointSections {
			t.Run(name, func(t *testing.T) {
				key, err := os.ReadFile(c.zkey())
				require.NoError(t, err)
				body := sectionOf(t, key, section)
				body[len(body)/2+1] ^= 1
				path := filepath.Join(t.TempDir(), "spoiled.zkey")
				require.NoError(t, os.WriteFile(path, key, 0o600))
				refused(t, exitInvalidInput, checkKey(t, path))
			})
		}
	})
}

// sectionOf returns the bytes of a section, in place.
func sectionOf(t *testing.T, file []byte, want uint32) []byte {
	t.Helper()
	for at := uint64(12); at < uint64(len(file)); {
		kind, size := binary.LittleEndian.Uint32(file[at:]), binary.LittleEndian.Uint64(file[at+4:])
		at += 12
		if kind == want {
			return file[at : at+size]
		}
		at += size
	}
	require.Failf(t, "no such section", "%d", want)
	return nil
}
