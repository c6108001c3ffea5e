package stages_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/witness"
	"github.com/proofgraph/proofgraph/stages"
)

func need(t *testing.T, path string) witness.Need {
	need, err := stages.StatModule(path)
	require.NoError(t, err)
	return need
}

func TestAGeneratorIsCompiledOnceForAllWhoUseIt(t *testing.T) {
	g, path := stages.NewGenerators(), filepath.Join(golden, "bn254", "cells.wasm")
	of := need(t, path)
	var all [8]*stages.Generator
	var users sync.WaitGroup
	for i := range all {
		users.Go(func() {
			var err error
			all[i], err = g.Open(t.Context(), path, of)
			require.NoError(t, err)
		})
	}
	users.Wait()
	for _, generator := range all {
		require.Same(t, all[0], generator)
		require.NoError(t, generator.Close())
	}
	again, err := g.Open(t.Context(), path, of)
	require.NoError(t, err)
	require.Same(t, all[0], again, "idle ones are kept")
	require.NoError(t, again.Close())
	require.NoError(t, g.Close())
}

// bulky is a module of a circuit with a name of so many bytes, which count in what it needs.
func bulky(t *testing.T, dir, name string, bytesOfName int) string {
	wasm, err := os.ReadFile(filepath.Join(golden, "bn254", "cells.wasm"))
	require.NoError(t, err)
	section := append([]byte{byte(len(name))}, name...)
	section = append(section, bytes.Repeat([]byte{1}, bytesOfName)...)
	wasm = append(binary.AppendUvarint(append(wasm, 0), uint64(len(section))), section...)
	path := filepath.Join(dir, name+".wasm")
	require.NoError(t, os.WriteFile(path, wasm, 0o600))
	return path
}

// However many circuits a run has, idle generators take no more than they may: the longest unused go first.
func TestIdleGeneratorsAreBounded(t *testing.T) {
	g, dir := stages.NewGenerators(), t.TempDir()
	open := func(path string) *stages.Generator {
		generator, err := g.Open(t.Context(), path, need(t, path))
		require.NoError(t, err)
		require.NoError(t, generator.Close())
		return generator
	}
	a, b, c := bulky(t, dir, "a", 2<<20), bulky(t, dir, "b", 2<<20), bulky(t, dir, "c", 2<<20) // two of which may be idle
	first, second := open(a), open(b)
	require.Same(t, first, open(a))
	third := open(c)
	require.Same(t, first, open(a))
	require.Same(t, third, open(c))
	require.NotSame(t, second, open(b))
	require.NoError(t, g.Close())
}

func TestAModuleThatCannotBeCompiledIsTriedAgain(t *testing.T) {
	g, path := stages.NewGenerators(), filepath.Join(t.TempDir(), "none.wasm")
	require.NoError(t, os.WriteFile(path, []byte("\x00asm\x01\x00\x00\x00"), 0o600)) // a module without exports
	for range 2 {
		_, err := g.Open(t.Context(), path, need(t, path))
		require.ErrorIs(t, err, witness.ErrModule)
	}
	require.NoError(t, os.WriteFile(path, []byte("none"), 0o600))
	_, err := stages.StatModule(path)
	require.ErrorIs(t, err, witness.ErrModule)
	require.NoError(t, g.Close())
}

// A module that needs more than was charged for it is not used.
func TestModuleThatChangedSinceItsJobWasMade(t *testing.T) {
	p, dir := payload(t, "bn254", "changed"), t.TempDir()
	p.Wtns, p.Wasm, p.Input = "", bulky(t, dir, "a", 1), filepath.Join(golden, "input.json")
	var err error
	p.Generator, err = stages.StatModule(p.Wasm)
	require.NoError(t, err)
	bulky(t, dir, "a", 2)
	require.ErrorContains(t, proveError(t, p), "is not the module that it was")
	bulky(t, dir, "a", 1<<20)
	require.ErrorContains(t, proveError(t, p), "bytes, and at most", "it is not even read")
}
