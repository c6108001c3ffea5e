package stages_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/proofgraph/proofgraph/pipelines"
	"github.com/proofgraph/proofgraph/stages"
)

// proveError is what becomes of one payload in the default pipeline; it must be told soon.
func proveError(t *testing.T, p *stages.Payload) error {
	told := make(chan error, 1)
	go func() {
		results, _ := bundled(t, pipelines.Default).prove(t, p)
		told <- results[0].Err
	}()
	select {
	case err := <-told:
		require.NoFileExists(t, p.Proof)
		require.NoFileExists(t, p.Public)
		return err
	case <-time.After(20 * time.Second):
		require.Fail(t, "still waiting")
		return nil
	}
}

// A pipe without a writer would keep a stage waiting for ever, and a device has no end.
func TestPipesAndDevicesAreNoInputs(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, unix.Mkfifo(pipe, 0o600))
	for _, file := range []string{pipe, "/dev/zero"} {
		for name, change := range map[string]func(*stages.Payload){
			"witness": func(p *stages.Payload) { p.Wtns = file },
			"circuit": func(p *stages.Payload) { p.R1CS = file },
			"module":  func(p *stages.Payload) { p.Wtns, p.Wasm, p.Input = "", file, file },
			"inputs": func(p *stages.Payload) {
				p.Wtns, p.Wasm, p.Input = "", filepath.Join(golden, "bn254", "cells.wasm"), file
				var err error
				p.Generator, err = stages.StatModule(p.Wasm)
				require.NoError(t, err)
			},
		} {
			t.Run(name+" "+filepath.Base(file), func(t *testing.T) {
				p := payload(t, "bn254", "pipe")
				change(p)
				require.ErrorContains(t, proveError(t, p), "no regular file")
			})
		}
		_, err := stages.StatKey(file)
		require.ErrorContains(t, err, "no regular file")
	}
}

func TestKeyThatChangedSinceItsJobWasMade(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(golden, "bn254", "cells.zkey"))
	require.NoError(t, err)
	p, path := payload(t, "bn254", "changed"), filepath.Join(t.TempDir(), "cells.zkey")
	require.NoError(t, os.WriteFile(path, text, 0o600))
	p.Key, err = stages.StatKey(path)
	require.NoError(t, err)
	require.NoError(t, os.Chtimes(path, time.Time{}, time.Unix(1, 0)))
	require.ErrorContains(t, proveError(t, p), "is not the key that it was")
}
