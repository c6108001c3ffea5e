// Package wtns reads and writes witnesses as circom and snarkjs keep them: every wire's value in canonical form, the
// constant one first.
package wtns

import (
	"context"
	"encoding/binary"
	"errors"
	"io"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/format/binfile"
	"github.com/proofgraph/proofgraph/proving/internal/canonical"
	"github.com/proofgraph/proofgraph/proving/internal/parallel"
)

const (
	headerSection = 1
	valueSection  = 2
	headerSize    = 4 + curve.ScalarSize + 4
)

var kind = binfile.Kind{Magic: "wtns", Version: 2}

// Witness is an opened witness file.
type Witness struct {
	Curve  curve.ID
	Length int    // number of wires, the constant one included
	Values []byte // Length canonical scalars; a view of the file, which may lie at any alignment

	file *binfile.File
}

// Open maps a .wtns file and checks it: the modulus, the length, that every value is less than the modulus
// and that the first is 1.
func Open(path string) (*Witness, error) { return OpenParallel(context.Background(), path, 1) }

// OpenParallel is Open with up to so many threads; it gives up when ctx ends.
func OpenParallel(ctx context.Context, path string, threads int) (*Witness, error) {
	file, err := binfile.Open(path, kind)
	if err != nil {
		return nil, err
	}
	w, err := read(ctx, file, threads)
	if err = file.Verdict(path, err); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return w, nil
}

// Intact says whether the witness's file is still as it was when it was opened; otherwise the error wraps
// binfile.ErrChanged.
func (w *Witness) Intact() error {
	if w.file == nil {
		return nil
	}
	return w.file.Intact()
}

// Parse is Open for a file in memory, which the caller keeps alive and unchanged.
func Parse(data []byte) (*Witness, error) {
	file, err := binfile.Parse(data, kind)
	if err != nil {
		return nil, err
	}
	return read(context.Background(), file, 1)
}

func read(ctx context.Context, file *binfile.File, threads int) (*Witness, error) {
	header, err := file.SectionOf(headerSection, "header", headerSize)
	if err != nil {
		return nil, err
	}
	if n8 := binary.LittleEndian.Uint32(header); n8 != curve.ScalarSize {
		return nil, binfile.Malformed("field elements of %d bytes, not %d", n8, curve.ScalarSize)
	}
	id, err := curve.FromScalarModulus(header[4 : 4+curve.ScalarSize])
	if err != nil {
		return nil, err
	}
	length := binary.LittleEndian.Uint32(header[4+curve.ScalarSize:])
	values, err := file.SectionOf(valueSection, "values", uint64(length)*curve.ScalarSize)
	if err != nil {
		return nil, err
	}
	if err := check(ctx, id, values, threads); err != nil {
		return nil, err
	}
	return &Witness{Curve: id, Length: int(length), Values: values, file: file}, nil
}

// Check says whether values, canonical scalars, can be a witness: the first is 1 and all are less than the modulus.
func Check(id curve.ID, values []byte) error { return check(context.Background(), id, values, 1) }

func check(ctx context.Context, id curve.ID, values []byte, threads int) error {
	if len(values) < curve.ScalarSize || !canonical.IsOne(values[:curve.ScalarSize]) {
		return binfile.Malformed("the first value of a witness is the constant 1, and here it is not")
	}
	const grain = 1 << 14
	return parallel.Ranges(ctx, len(values)/curve.ScalarSize, grain, threads, func(first, end int) error {
		if i := canonical.FirstOutOfRange(id, values[first*curve.ScalarSize:end*curve.ScalarSize]); i >= 0 {
			return binfile.Malformed("the value of wire %d is not less than the modulus of %s", first+i, id)
		}
		return nil
	})
}

// Close ends the view of the file.
func (w *Witness) Close() error {
	w.Values = nil
	if w.file == nil {
		return nil
	}
	return w.file.Close()
}

// Write writes canonical values as a .wtns file.
func Write(to io.Writer, id curve.ID, values []byte) error {
	header := make([]byte, headerSize)
	binary.LittleEndian.PutUint32(header, curve.ScalarSize)
	curve.PutLittleEndian(header[4:4+curve.ScalarSize], id.ScalarModulus())
	binary.LittleEndian.PutUint32(header[4+curve.ScalarSize:], uint32(len(values)/curve.ScalarSize))
	w, err := binfile.NewWriter(to, kind, 2)
	if err != nil {
		return err
	}
	if err := w.Section(headerSection, headerSize, bytesOf(header)); err != nil {
		return err
	}
	if err := w.Section(valueSection, int64(len(values)), bytesOf(values)); err != nil {
		return err
	}
	return w.Close()
}

func bytesOf(b []byte) func(io.Writer) error {
	return func(to io.Writer) error {
		_, err := to.Write(b)
		return err
	}
}
