package cudabind

import (
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
