package stages

import (
	"fmt"

	"github.com/proofgraph/proofgraph/proving/format/binfile"
	"github.com/proofgraph/proofgraph/proving/witness"
)

// maxModule bounds the size of a .wasm file.
const maxModule = 1 << 30

// StatModule says what a circuit's .wasm takes, without compiling it: its sections are read through where they lie.
func StatModule(path string) (witness.Need, error) {
	file, err := binfile.Map(path)
	if err != nil {
		return witness.Need{}, err
	}
	defer file.Close()
	if size := len(file.Bytes()); size > maxModule {
		return witness.Need{}, fmt.Errorf("%s has %d bytes, and a module has at most %d", path, size, maxModule)
	}
	need, err := witness.Inspect(file.Bytes())
	return need, file.Verdict(path, err)
}
