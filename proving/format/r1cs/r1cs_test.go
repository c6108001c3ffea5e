package r1cs_test

import (
	"bytes"
	"context"
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
