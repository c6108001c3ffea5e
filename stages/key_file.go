package stages

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/proofgraph/proofgraph/proving/format/zkey"
	"github.com/proofgraph/proofgraph/proving/groth16"
)

// A KeyFile is a proving key on disk and what its header says.
type KeyFile struct {
	Path string
	// Digest tells this state of the file from others: while it is the same, so is the key.
	Digest string
	Size   int64 // bytes
	Header zkey.Header
	// Records is how many coefficients of A and B the key has.
	Records int
}

// StatKey reads the header of a key; the rest is checked when it is loaded.
func StatKey(path string) (KeyFile, error) {
	digest, size, err := stateOf(path)
	if err != nil {
		return KeyFile{}, err
	}
	h, records, err := zkey.ReadHeader(path)
	if err != nil {
		return KeyFile{}, err
	}
	if err := groth16.CheckPublic(h.NPublic); err != nil {
		return KeyFile{}, fmt.Errorf("%s: %w", path, err)
	}
	return KeyFile{Path: path, Digest: digest, Size: size, Header: h, Records: records}, nil
}

// stateOf tells this state of a file from others by its place, size in bytes, and time of change.
func stateOf(path string) (digest string, size int64, err error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", 0, err
	}
	info, err := os.Stat(absolute)
	if err != nil {
		return "", 0, err
	}
	return fmt.Sprintf("key:%s:%d:%d", absolute, info.Size(), info.ModTime().UnixNano()), info.Size(), nil
}

// confirm says whether a key that was opened is still the one that the file was when it was looked at.
func (f KeyFile) confirm(h zkey.Header) error {
	state, _, err := stateOf(f.Path)
	if err == nil && (state != f.Digest || h != f.Header) {
		err = fmt.Errorf("%s is not the key that it was when its job was made", f.Path)
	}
	return err
}
