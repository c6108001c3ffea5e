package r1cs_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/format/r1cs"
)

var ctx = context.Background()

func golden(t testing.TB, id curve.ID) []byte {
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", id.String(), "cells.r1cs"))
	require.NoError(t, err)
	return data
}

func TestHeaderOfCircom(t *testing.T) {
	for _, id := range curve.All() {
		s, err := r1cs.Parse(ctx, golden(t, id))
		require.NoError(t, err)
		require.Equal(t, r1cs.Header{Curve: id, Wires: 30, Outputs: 2, Inputs: 1, Private: 14, Labels: 30, Constraints: 22}, s.Header)
		require.Equal(t, 3, s.NPublic())
	}
}

func TestWrittenConstraintsReadBack(t *testing.T) {
	for _, id := range curve.All() {
		s, err := r1cs.Parse(ctx, golden(t, id))
		require.NoError(t, err)
		var section []byte
		for _, c := range s.All() {
			for _, combination := range c {
				var wires []int
				var coefficients [][]byte
				for i := range combination.Len() {
					wire, coefficient := combination.Term(i)
					wires, coefficients = append(wires, wire), append(coefficients, coefficient)
				}
				section = r1cs.Append(section, wires, coefficients)
			}
		}
		var out bytes.Buffer
		require.NoError(t, r1cs.Write(&out, s.Header, int64(len(section)), func(w io.Writer) error {
			_, err := w.Write(section)
			return err
		}))
		back, err := r1cs.Parse(ctx, out.Bytes())
		require.NoError(t, err)
		require.Equal(t, s.Header, back.Header)
		require.Equal(t, s.Terms, back.Terms)
	}
}

// The golden file is 12 bytes of head, then its sections wherever circom puts them.
func sectionStart(file []byte, id uint32) int {
	for at := 12; at < len(file); at += 12 + int(binary.LittleEndian.Uint64(file[at+4:])) {
		if binary.LittleEndian.Uint32(file[at:]) == id {
			return at + 12
		}
	}
	return -1
}

func TestBadSystemsAreRefused(t *testing.T) {
	put := func(b []byte, v uint32) { binary.LittleEndian.PutUint32(b, v) }
	for _, test := range []struct {
		name, says string
		change     func(f []byte) []byte
	}{
		{"empty", "at least 12 bytes", func(f []byte) []byte { return nil }},
		{"cut short", "truncated", func(f []byte) []byte { return f[:len(f)-1] }},
		{"too long", "follow the last section", func(f []byte) []byte { return append(f, 1) }},
		{"another field", "unknown curve", func(f []byte) []byte { f[sectionStart(f, 1)+4] ^= 1; return f }},
		{"elements of 8 bytes", "8 bytes", func(f []byte) []byte { f[sectionStart(f, 1)] = 8; return f }},
		{"fewer wires", "names wire", func(f []byte) []byte { put(f[sectionStart(f, 1)+36:], 20); return f }},
		{"no wires", "among 0 wires", func(f []byte) []byte { put(f[sectionStart(f, 1)+36:], 0); return f }},
		{"more outputs than wires", "outputs and inputs", func(f []byte) []byte { put(f[sectionStart(f, 1)+40:], 1<<32-1); return f }},
		{"more constraints", "end inside number 22", func(f []byte) []byte { put(f[sectionStart(f, 1)+60:], 23); return f }},
		{"fewer constraints", "follow the last of 21", func(f []byte) []byte { put(f[sectionStart(f, 1)+60:], 21); return f }},
		{"an endless combination", "end inside number 0", func(f []byte) []byte { put(f[sectionStart(f, 2):], 1<<32-1); return f }},
		{"a coefficient outside", "not less than", func(f []byte) []byte { f[sectionStart(f, 2)+4+35] = 0xff; return f }},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := r1cs.Parse(ctx, test.change(golden(t, curve.BN254)))
			require.ErrorContains(t, err, test.says)
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add(golden(f, curve.BN254))
	f.Add(golden(f, curve.BLS12381))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := r1cs.Parse(ctx, data)
		if err != nil {
			return
		}
		seen := 0
		for i, c := range s.All() {
			require.Equal(t, seen, i)
			seen++
			for _, combination := range c {
				for j := range combination.Len() {
					wire, _ := combination.Term(j)
					require.Less(t, wire, s.Wires)
				}
			}
		}
		require.Equal(t, s.Constraints, seen)
	})
}
