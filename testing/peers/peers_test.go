package main

import (
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/consensys/gnark/backend/groth16"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The files of testdata are circom's and snarkjs': c = a·b, proved for 33 = 3·11.
var testCurves = []string{"bn128", "bls12381"}

func readProof(t *testing.T, curve string) (vkey snarkjsKey, proof snarkjsProof, public []number) {
	dir := filepath.Join("testdata", curve)
	require.NoError(t, readJSON(filepath.Join(dir, "vkey.json"), &vkey))
	require.NoError(t, readJSON(filepath.Join(dir, "proof.json"), &proof))
	require.NoError(t, readJSON(filepath.Join(dir, "public.json"), &public))
	return vkey, proof, public
}

func TestGnarkVerifiesSnarkjsProofs(t *testing.T) {
	for _, curve := range testCurves {
		t.Run(curve, func(t *testing.T) {
			vkey, proof, public := readProof(t, curve)
			require.NoError(t, verify(vkey, proof, public))
		})
	}
}

func TestGnarkRefuses(t *testing.T) {
	for name, spoil := range map[string]func(*snarkjsKey, *snarkjsProof, *[]number){
		"another signal":        func(_ *snarkjsKey, _ *snarkjsProof, p *[]number) { (*p)[0].SetInt64(34) },
		"a signal too few":      func(_ *snarkjsKey, _ *snarkjsProof, p *[]number) { *p = (*p)[:1] },
		"a signal out of range": func(_ *snarkjsKey, _ *snarkjsProof, p *[]number) { (*p)[1].Lsh(big.NewInt(1), 255) },
		"a point off the curve": func(_ *snarkjsKey, p *snarkjsProof, _ *[]number) { p.A[0].Add(&p.A[0].Int, big.NewInt(1)) },
		"a huge coordinate":     func(_ *snarkjsKey, p *snarkjsProof, _ *[]number) { p.C[1].Lsh(big.NewInt(1), 4000) },
		"points exchanged":      func(_ *snarkjsKey, p *snarkjsProof, _ *[]number) { p.A, p.C = p.C, p.A },
		"another key":           func(k *snarkjsKey, _ *snarkjsProof, _ *[]number) { k.Delta = k.Gamma },
		"an unknown curve":      func(k *snarkjsKey, _ *snarkjsProof, _ *[]number) { k.Curve = "mnt4" },
	} {
		for _, curve := range testCurves {
			t.Run(name+"/"+curve, func(t *testing.T) {
				vkey, proof, public := readProof(t, curve)
				spoil(&vkey, &proof, &public)
				require.Error(t, verify(vkey, proof, public))
			})
		}
	}
}

func TestGnarkProvesCircomFiles(t *testing.T) {
	for _, curve := range testCurves {
		t.Run(curve, func(t *testing.T) {
			dir := filepath.Join("testdata", curve)
			cs, id, err := readR1CS(filepath.Join(dir, "circuit.r1cs"))
			require.NoError(t, err)
			assert.Equal(t, 1, cs.GetNbConstraints(), "no constraint is added")
			pk, vk := groth16.NewProvingKey(id), groth16.NewVerifyingKey(id)
			keys := t.TempDir()
			for range 2 { // makes the keys, then reads them
				require.NoError(t, loadKeys(cs, keys, pk, vk))
				_, err = prove(cs, pk, vk, filepath.Join(dir, "1.wtns"))
				require.NoError(t, err)
			}
		})
	}
}

func TestFilesThatAreNotIden3(t *testing.T) {
	whole, err := os.ReadFile("testdata/bn128/circuit.r1cs")
	require.NoError(t, err)
	for name, content := range map[string][]byte{
		"empty":     {},
		"another":   []byte("zkey\x01\x00\x00\x00\x00\x00\x00\x00"),
		"no header": []byte("r1cs\x01\x00\x00\x00\x00\x00\x00\x00"),
		"cut":       whole[:len(whole)-100],
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "c.r1cs")
			require.NoError(t, os.WriteFile(path, content, 0o600))
			_, _, err := readR1CS(path)
			require.Error(t, err)
		})
	}
}

func TestMeasureCountsTheChildAlone(t *testing.T) {
	u, err := measure(t.Context(), []string{"sh", "-c", "sleep 0.05; echo done"})
	require.NoError(t, err)
	assert.Equal(t, "done\n", string(u.stdout))
	assert.GreaterOrEqual(t, u.wall.Seconds(), 0.05)
	assert.Positive(t, u.peakRSS)

	_, err = measure(t.Context(), []string{"sh", "-c", "echo why >&2; exit 3"})
	require.ErrorContains(t, err, "why")
}

func TestTable(t *testing.T) {
	var text strings.Builder
	mib := int64(1 << 20)
	require.NoError(t, writeTable(&text, []row{{
		circuit: "sha256-18",
		samples: map[string][]sample{
			"proofgraph":       {{1, 40 * mib}, {9, 60 * mib}, {2, 50 * mib}},
			"gnark":            {{4, 400 * mib}},
			"rapidsnark":       {{2, 100 * mib}},
			"proofgraph batch": {{7, 80 * mib}},
			"gnark batch":      {{10, 500 * mib}},
		},
	}}))
	lines := strings.Split(strings.TrimSpace(text.String()), "\n")
	require.Len(t, lines, 3)
	assert.Equal(t, "| sha256-18 | 2.00 / 50 | 2.00 / 100 | 4.00 / 400 | - | **1.00 (≤ 0.55)** | 0.50 (≤ 1.00) "+
		"| 0.50 (≤ 1.00) | 7.00 / 80 | 10.00 / 500 | **0.70 (≤ 0.65)** |", lines[2])
}
