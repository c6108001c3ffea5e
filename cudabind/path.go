package cudabind

import (
	"os"
	"path/filepath"
)

// LibraryVariable names the environment variable that points at the kernel library, before all other places.
const LibraryVariable = "PROOFGRAPH_CUDA_LIB"

const libraryName = "libproofgraph_cuda.so"

// searchPath lists the places of the library in the order they are tried: the variable alone if it is set, else
// beside the binary, then ./bin.
func searchPath() []string {
	if path := os.Getenv(LibraryVariable); path != "" {
		return []string{path}
	}
	places := []string{filepath.Join("bin", libraryName)}
	if binary, err := os.Executable(); err == nil {
		places = append([]string{filepath.Join(filepath.Dir(binary), libraryName)}, places...)
	}
	return places
}
