package wtns_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/format/binfile"
	"github.com/proofgraph/proofgraph/proving/format/wtns"
)

func golden(t testing.TB, id curve.ID) []byte {
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", id.String(), "cells.wtns"))
	require.NoError(t, err)
	return data
}

func TestWitnessOfCircomReadsAndWritesBack(t *testing.T) {
	for _, id := range curve.All() {
		file := golden(t, id)
		w, err := wtns.Parse(file)
		require.NoError(t, err)
		require.Equal(t, id, w.Curve)
		require.Equal(t, 30, w.Length)
		var out bytes.Buffer
		require.NoError(t, wtns.Write(&out, id, w.Values))
		require.Equal(t, file, out.Bytes())
		require.NoError(t, w.Close())
	}
}

// The file is 12 bytes of head, 12 + 40 of header section, then 12 and the values.
const firstValue = 12 + 12 + 40 + 12

func TestBadWitnessesAreRefused(t *testing.T) {
	for _, test := range []struct {
		name, says string
		change     func(f []byte) []byte
	}{
		{"empty", "at least 12 bytes", func(f []byte) []byte { return nil }},
		{"cut in the head", "at least 12 bytes", func(f []byte) []byte { return f[:11] }},
		{"cut before a section", "before section 1", func(f []byte) []byte { return f[:12] }},
		{"cut in the header", "truncated", func(f []byte) []byte { return f[:40] }},
		{"cut before the values", "before section 2", func(f []byte) []byte { return f[:64] }},
		{"cut in the values", "truncated", func(f []byte) []byte { return f[:len(f)-1] }},
		{"too long", "follow the last section", func(f []byte) []byte { return append(f, 0) }},
		{"a key", "begins with", func(f []byte) []byte { copy(f, "zkey"); return f }},
		{"elements of 31 bytes", "31 bytes", func(f []byte) []byte { f[24] = 31; return f }},
		{"another field", "unknown curve", func(f []byte) []byte { f[28] ^= 1; return f }},
		{"more wires", "header asks for", func(f []byte) []byte { f[60]++; return f }},
		{"billions of wires", "header asks for", func(f []byte) []byte {
			binary.LittleEndian.PutUint32(f[60:], 1<<32-1)
			return f
		}},
		{"no constant", "constant 1", func(f []byte) []byte { f[firstValue] = 2; return f }},
		{"a value outside the field", "wire 3", func(f []byte) []byte { f[firstValue+3*32+31] = 0xff; return f }},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := wtns.Parse(test.change(slices.Clone(golden(t, curve.BN254))))
			require.ErrorContains(t, err, test.says)
		})
	}
}

func TestOpenNamesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "short.wtns")
	require.NoError(t, os.WriteFile(path, golden(t, curve.BN254)[:100], 0o600))
	_, err := wtns.Open(path)
	require.ErrorIs(t, err, binfile.ErrMalformed)
	require.ErrorContains(t, err, path)
}

func TestTheModulusItselfIsOutside(t *testing.T) {
	for _, id := range curve.All() {
		values := make([]byte, 64)
		values[0] = 1
		curve.PutLittleEndian(values[32:], id.ScalarModulus())
		require.ErrorContains(t, wtns.Check(id, values), "wire 1")
		values[32]--
		require.NoError(t, wtns.Check(id, values))
	}
}

func FuzzParse(f *testing.F) {
	f.Add(golden(f, curve.BN254))
	f.Add(golden(f, curve.BLS12381))
	f.Fuzz(func(t *testing.T, data []byte) {
		if w, err := wtns.Parse(data); err == nil {
			require.Len(t, w.Values, 32*w.Length)
		}
	})
}

func TestEveryPartOfALongWitnessIsChecked(t *testing.T) {
	const wires = 1 << 17
	for _, bad := range []int{0, 1, wires / 2, wires - 1} {
		values := make([]byte, 32*wires)
		values[0] = 1
		if bad > 0 {
			values[32*bad+31] = 0xff
		}
		var file bytes.Buffer
		require.NoError(t, wtns.Write(&file, curve.BLS12381, values))
		path := filepath.Join(t.TempDir(), "long.wtns")
		require.NoError(t, os.WriteFile(path, file.Bytes(), 0o600))
		w, err := wtns.OpenParallel(t.Context(), path, 5)
		if bad > 0 {
			require.ErrorContains(t, err, fmt.Sprintf("wire %d is not", bad))
			continue
		}
		require.NoError(t, err)
		require.NoError(t, w.Close())
	}
}
