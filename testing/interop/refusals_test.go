//go:build interop

package interop

import (
	"bytes"
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// document is a JSON object that a test spoils.
type document = map[string]any

// forgery changes a valid proof, its signals or the key.
type forgery struct {
	name  string
	code  int // 0: either invalid input or not verified
	spoil func(proof, vkey document, public []any) []any
}

var forgeries = []forgery{
	{"another signal", exitNotVerified, func(_, _ document, public []any) []any {
		public[0] = plus(public[0], big.NewInt(1))
		return public
	}},
	{"signals exchanged", exitNotVerified, func(_, _ document, public []any) []any {
		public[0], public[1] = public[1], public[0]
		return public
	}},
	{"a signal beyond the field", exitInvalidInput, func(_, _ document, public []any) []any {
		public[0] = plus(public[0], new(big.Int).Lsh(big.NewInt(1), 256))
		return public
	}},
	{"a negative signal", exitInvalidInput, func(_, _ document, public []any) []any {
		public[0] = "-1"
		return public
	}},
	{"a signal too few", exitInvalidInput, func(_, _ document, public []any) []any { return public[1:] }},
	{"a signal too many", exitInvalidInput, func(_, _ document, public []any) []any { return append(public, "0") }},
	{"points exchanged", exitNotVerified, func(proof, _ document, public []any) []any {
		proof["pi_a"], proof["pi_c"] = proof["pi_c"], proof["pi_a"]
		return public
	}},
	{"A off the curve", exitInvalidInput, func(proof, _ document, public []any) []any {
		a := proof["pi_a"].([]any)
		a[0] = plus(a[0], big.NewInt(1))
		return public
	}},
	{"B off the curve", exitInvalidInput, func(proof, _ document, public []any) []any {
		x := proof["pi_b"].([]any)[0].([]any)
		x[1] = plus(x[1], big.NewInt(1))
		return public
	}},
	{"A at infinity", 0, func(proof, _ document, public []any) []any {
		proof["pi_a"] = []any{"0", "1", "0"}
		return public
	}},
	{"no C", exitInvalidInput, func(proof, _ document, public []any) []any {
		delete(proof, "pi_c")
		return public
	}},
	{"another key", exitNotVerified, func(_, vkey document, public []any) []any {
		vkey["vk_delta_2"] = vkey["vk_gamma_2"]
		return public
	}},
	{"a key of another protocol", exitInvalidInput, func(_, vkey document, public []any) []any {
		vkey["protocol"] = "plonk"
		return public
	}},
	{"a key with a short IC", exitInvalidInput, func(_, vkey document, public []any) []any {
		vkey["IC"] = vkey["IC"].([]any)[1:]
		return public
	}},
}

func plus(number any, n *big.Int) string {
	v, _ := new(big.Int).SetString(number.(string), 10)
	return v.Add(v, n).String()
}

func TestForgeriesAreRefused(t *testing.T) {
	onCircuits(t, []string{"multiplier"}, func(t *testing.T, c circuit) {
		valid := snarkjsProof(t, c.zkey(), c.witnesses(t)[0])
		for _, f := range forgeries {
			t.Run(f.name, func(t *testing.T) {
				proof := readJSON(t, valid.proof).(document)
				vkey := readJSON(t, c.vkey()).(document)
				public := f.spoil(proof, vkey, readJSON(t, valid.public).([]any))
				forged := inFolder(t.TempDir())
				writeJSON(t, forged.proof, proof)
				writeJSON(t, forged.public, public)
				key := filepath.Join(t.TempDir(), "vkey.json")
				writeJSON(t, key, vkey)
				refused(t, f.code, verifyProof(t, key, forged))
			})
		}
	})
}

func refused(t *testing.T, code int, got outcome) {
	t.Helper()
	if code == 0 {
		assert.Contains(t, []int{exitInvalidInput, exitNotVerified}, got.code, got.stderr)
	} else {
		assert.Equal(t, code, got.code, got.stderr)
	}
	assert.NotEmpty(t, got.stderr, "a refusal says why")
	assert.NotContains(t, got.stderr, "goroutine", "it is no panic")
}

func writeJSON(t *testing.T, path string, value any) {
	t.Helper()
	text, err := json.Marshal(value)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, text, 0o600))
}

func TestKeyOfTheOtherCurveIsRefused(t *testing.T) {
	bn, bls := circuitOf(t, "bn128", "multiplier"), circuitOf(t, "bls12381", "multiplier")
	proof := snarkjsProof(t, bn.zkey(), bn.witnesses(t)[0])
	refused(t, 0, verifyProof(t, bls.vkey(), proof))
	unproved(t, exitInvalidInput, bls.zkey(), bn.witnesses(t)[0])
}

// snarkjs and rapidsnark write a proof of a false witness and say nothing; no proof of it leaves here.
func TestFalseWitnessLeavesNoProof(t *testing.T) {
	onCircuits(t, []string{"multiplier", "poseidon"}, func(t *testing.T, c circuit) {
		witness, err := os.ReadFile(c.witnesses(t)[0])
		require.NoError(t, err)
		witness[len(witness)-32] ^= 1 // the last wire's lowest bit
		path := filepath.Join(t.TempDir(), "false.wtns")
		require.NoError(t, os.WriteFile(path, witness, 0o600))
		unproved(t, exitNotVerified, c.zkey(), path)
	})
}

func TestFilesThatAreNotWhole(t *testing.T) {
	c := circuitOf(t, "bn128", "poseidon")
	zkey, err := os.ReadFile(c.zkey())
	require.NoError(t, err)
	witness, err := os.ReadFile(c.witnesses(t)[0])
	require.NoError(t, err)
	other, err := os.ReadFile(circuitOf(t, "bn128", "nested").witnesses(t)[0])
	require.NoError(t, err)
	for name, files := range map[string][2][]byte{
		"key cut in half":             {zkey[:len(zkey)/2], witness},
		"key without its last byte":   {zkey[:len(zkey)-1], witness},
		"an empty key":                {nil, witness},
		"a witness as key":            {witness, witness},
		"witness cut in half":         {zkey, witness[:len(witness)/2]},
		"witness of another circuit":  {zkey, other},
		"an empty witness":            {zkey, nil},
		"a key as witness":            {zkey, zkey},
		"witness beyond the field":    {zkey, append(witness[:len(witness)-32:len(witness)-32], bytes.Repeat([]byte{0xff}, 32)...)},
		"witness with a huge section": {zkey, spliced(witness, 16, 0xff)},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			key, wtns := filepath.Join(dir, "key.zkey"), filepath.Join(dir, "w.wtns")
			require.NoError(t, os.WriteFile(key, files[0], 0o600))
			require.NoError(t, os.WriteFile(wtns, files[1], 0o600))
			unproved(t, exitInvalidInput, key, wtns)
		})
	}
}

// spliced returns a copy with eight bytes replaced.
func spliced(file []byte, at int, b byte) []byte {
	out := bytes.Clone(file)
	copy(out[at:], bytes.Repeat([]byte{b}, 8))
	return out
}

// unproved requires that prove ends with a code and leaves nothing.
func unproved(t *testing.T, code int, zkey, wtns string) {
	t.Helper()
	out := t.TempDir()
	refused(t, code, execute(t, proofgraph(t, "prove", "--zkey", zkey, "--wtns", wtns, "--out", out)...))
	left, err := os.ReadDir(out)
	require.NoError(t, err)
	assert.Empty(t, left, "what is left of a proof that was refused")
}
