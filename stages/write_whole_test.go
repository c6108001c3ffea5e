package stages_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

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
