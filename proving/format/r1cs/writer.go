package r1cs

import (
	"encoding/binary"
	"io"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/format/binfile"
)

// Append adds a combination to the bytes of a constraint section: its length, then its terms. Coefficients are 32 bytes,
// canonical. A constraint is three combinations, A, B and C.
func Append(section []byte, wires []int, coefficients [][]byte) []byte {
	section = binary.LittleEndian.AppendUint32(section, uint32(len(wires)))
	for i, wire := range wires {
		section = binary.LittleEndian.AppendUint32(section, uint32(wire))
		section = append(section, coefficients[i]...)
	}
	return section
}

// Write writes a constraint system whose constraint section has size bytes and is written by constraints. Labels are
// the wires' own numbers.
func Write(to io.Writer, h Header, size int64, constraints func(io.Writer) error) error {
	w, err := binfile.NewWriter(to, kind, 3)
	if err != nil {
		return err
	}
	header := func(to io.Writer) error {
		_, err := to.Write(encodeHeader(h))
		return err
	}
	labels := func(to io.Writer) error { return writeLabels(to, h.Wires) }
	if err := w.Section(sectionHeader, headerSize, header); err != nil {
		return err
	}
	if err := w.Section(sectionConstraints, size, constraints); err != nil {
		return err
	}
	if err := w.Section(sectionLabels, 8*int64(h.Wires), labels); err != nil {
		return err
	}
	return w.Close()
}

func encodeHeader(h Header) []byte {
	b := make([]byte, 4+curve.ScalarSize, headerSize)
	binary.LittleEndian.PutUint32(b, curve.ScalarSize)
	curve.PutLittleEndian(b[4:], h.Curve.ScalarModulus())
	for _, n := range []int{h.Wires, h.Outputs, h.Inputs, h.Private} {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	b = binary.LittleEndian.AppendUint64(b, h.Labels)
	return binary.LittleEndian.AppendUint32(b, uint32(h.Constraints))
}

func writeLabels(to io.Writer, wires int) error {
	block := make([]byte, 0, 8<<10)
	for i := range wires {
		block = binary.LittleEndian.AppendUint64(block, uint64(i))
		if len(block) == cap(block) || i == wires-1 {
			if _, err := to.Write(block); err != nil {
				return err
			}
			block = block[:0]
		}
	}
	return nil
}
