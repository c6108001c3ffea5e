package stages

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/proofgraph/proofgraph/proving/format/zkey"
)

// A KeyFile is a proving key on disk and what its header says.
type KeyFile struct {
	Path string
	// Digest tells this state of the file from others: while it is the same, so is the key.
	Digest string
	Size   int64 // bytes
	Header zkey.Header
}

// StatKey reads the header of a key; the rest is checked when it is loaded.
func StatKey(path string) (KeyFile, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return KeyFile{}, err
	}
	info, err := os.Stat(absolute)
	if err != nil {
		return KeyFile{}, err
	}
	h, err := zkey.ReadHeader(absolute)
	if err != nil {
		return KeyFile{}, err
	}
	digest := fmt.Sprintf("key:%s:%d:%d", absolute, info.Size(), info.ModTime().UnixNano())
	return KeyFile{Path: path, Digest: digest, Size: info.Size(), Header: h}, nil
}
