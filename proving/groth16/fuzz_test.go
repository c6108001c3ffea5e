package groth16_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine/gnark"
	"github.com/proofgraph/proofgraph/proving/format/wtns"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
	"github.com/proofgraph/proofgraph/proving/groth16"
	"github.com/proofgraph/proofgraph/proving/internal/view"
)

// Whatever a key holds, a proof is made or refused, and a wrong one does not verify; nothing panics.
func FuzzProveUnderAnyKey(f *testing.F) {
	honest := map[curve.ID]*groth16.VerifyingKey{}
	witnesses := map[curve.ID][]byte{}
	for _, id := range curve.All() {
		dir := filepath.Join("..", "testdata", id.String())
		file, err := os.ReadFile(filepath.Join(dir, "cells.zkey"))
		require.NoError(f, err)
		key, err := zkey.Parse(ctx, file, 1)
		require.NoError(f, err)
		honest[id], err = groth16.ExportVerifyingKey(key)
		require.NoError(f, err)
		w, err := wtns.Open(filepath.Join(dir, "cells.wtns"))
		require.NoError(f, err)
		witnesses[id] = w.Values
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		key, err := zkey.Parse(ctx, file, 1)
		if err != nil || len(witnesses[key.Curve]) != 32*key.NVars {
			return
		}
		e, err := gnark.New(key.Curve)
		require.NoError(t, err)
		memory := view.Allocate(groth16.ProveNeed(e, key.Header, 1).Scratch)
		proof, err := groth16.Prove(ctx, e, key, witnesses[key.Curve], memory, 1)
		if err != nil {
			return
		}
		if public, err := groth16.PublicInputs(key.Header, witnesses[key.Curve]); err == nil {
			_ = groth16.Verify(honest[key.Curve], proof, public)
		}
		_ = groth16.CheckKey(ctx, key, 1, nil)
	})
}
