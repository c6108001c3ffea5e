package stages

import (
	"fmt"
	"io"

	"github.com/proofgraph/proofgraph/proving/format/binfile"
)

// readFile reads a regular file of at most so many bytes.
func readFile(path string, most int64) ([]byte, error) {
	file, size, err := binfile.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if size > most {
		return nil, fmt.Errorf("%s has %d bytes, and at most %d are read", path, size, most)
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(file, data); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return data, nil
}
