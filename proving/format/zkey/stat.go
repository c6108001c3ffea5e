package zkey

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/proofgraph/proofgraph/proving/format/binfile"
)

// ReadHeader reads what a .zkey file says about its circuit, the number of its coefficients included, and checks the
// lengths of its sections against that. It reads no points and no coefficients.
func ReadHeader(path string) (h Header, records int, err error) {
	file, err := binfile.Open(path, kind)
	if err != nil {
		return Header{}, 0, err
	}
	defer file.Close()
	k, err := read(file)
	if err = file.Verdict(path, err); err != nil {
		return Header{}, 0, err
	}
	return k.Header, len(k.Records) / RecordSize, nil
}

// Digest is the SHA-256 of the whole file in hexadecimal digits, which is read for it; empty for a key that was parsed from
// memory.
func (k *Key) Digest() string {
	if k.file == nil || !k.file.Mapped() {
		return ""
	}
	sum := sha256.Sum256(k.file.Bytes())
	return hex.EncodeToString(sum[:])
}

// Forget tells the system that a view of the key is not needed for now, so that its pages no longer count as resident;
// they are mapped again when touched. It does nothing to a key that was parsed from memory.
func (k *Key) Forget(view []byte) {
	if k.file != nil && k.file.Mapped() {
		binfile.Release(view)
	}
}
