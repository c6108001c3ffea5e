package stages_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/proofgraph/proofgraph/stages"
)

func TestFilesGrowBesideTheirPlace(t *testing.T) {
	elsewhere, dir := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", elsewhere)
	name := filepath.Join(dir, "file")
	require.NoError(t, stages.WriteWhole(name, func(to io.Writer) error {
		require.NoFileExists(t, name)
		begun, err := os.ReadDir(elsewhere)
		require.NoError(t, err)
		require.Empty(t, begun)
		_, err = io.WriteString(to, "whole")
		return err
	}))
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, "whole", string(text))
}

// A disk that is full is told by the name of the file that was to be, and leaves nothing behind.
func TestAFullDiskLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	err := stages.WriteWhole(name, func(to io.Writer) error {
		return &os.PathError{Op: "write", Path: to.(interface{ Name() string }).Name(), Err: unix.ENOSPC}
	})
	require.EqualError(t, err, name+" cannot be written: no space left on device")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}
