package cudabind

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// LibraryVariable names the environment variable that points at the kernel library, before all other places.
const LibraryVariable = "PROOFGRAPH_CUDA_LIB"

const libraryName = "libproofgraph_cuda.so"

// libraryPath is where the library may be: where the variable says, if it is set, else beside the binary. The current folder
// is no such place: who proves in a folder of somebody else's files must not run what lies there.
func libraryPath() (string, error) {
	if path := os.Getenv(LibraryVariable); path != "" {
		return path, nil
	}
	binary, err := os.Executable()
	if err != nil {
		return "", err
	}
	return filepath.Join(filepath.Dir(binary), libraryName), nil
}

// absent says that there is no library, and where else one could be.
func absent(path string, err error) error {
	switch {
	case !errors.Is(err, fs.ErrNotExist):
		return err
	case os.Getenv(LibraryVariable) != "":
		return fmt.Errorf("there is no kernel library %s, which %s names", path, LibraryVariable)
	}
	return fmt.Errorf("there is no kernel library %s, beside the program, and %s names no other", path, LibraryVariable)
}
