package cudabind

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A library in the current folder would let its owner run code in the process of whoever proves there.
func TestTheLibraryIsNotLookedForInTheCurrentFolder(t *testing.T) {
	t.Setenv(LibraryVariable, "")
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("bin", 0o700))
	for _, place := range []string{libraryName, filepath.Join("bin", libraryName)} {
		require.NoError(t, os.WriteFile(place, nil, 0o600))
	}
	path, err := libraryPath()
	require.NoError(t, err)
	binary, err := os.Executable()
	require.NoError(t, err)
	require.Equal(t, filepath.Join(filepath.Dir(binary), libraryName), path)
}

func TestTheVariableNamesTheLibraryAlone(t *testing.T) {
	t.Setenv(LibraryVariable, "/elsewhere/kernels.so")
	path, err := libraryPath()
	require.NoError(t, err)
	require.Equal(t, "/elsewhere/kernels.so", path)
}
