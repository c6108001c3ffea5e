//go:build linux

package standin_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind/standin"
)

func TestBuildOnce(t *testing.T) {
	path := standin.Build(t)
	before, err := os.Stat(path)
	require.NoError(t, err)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			again, err := standin.Path(t.Context())
			assert.NoError(t, err)
			assert.Equal(t, path, again)
		})
	}
	wait.Wait()
	after, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, before.ModTime(), after.ModTime(), "not built again")
	leftovers, err := filepath.Glob(filepath.Join(filepath.Dir(path), "build-*"))
	require.NoError(t, err)
	require.Empty(t, leftovers)
}

func TestNoCompiler(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("CXX", "")
	_, err := standin.Path(t.Context())
	require.ErrorIs(t, err, standin.ErrNoCompiler)
}

func TestCompilerErrorsAreShown(t *testing.T) {
	compiler := filepath.Join(t.TempDir(), "broken")
	require.NoError(t, os.WriteFile(compiler, []byte("#!/bin/sh\necho it is broken >&2\nexit 1\n"), 0o755))
	t.Setenv("CXX", compiler)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	_, err := standin.Path(t.Context())
	require.ErrorContains(t, err, "it is broken")
}
