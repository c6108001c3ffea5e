package zkey

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/format/binfile"
)

// Part is a vector of a key.
type Part uint8

// The parts of a key, named like the fields of Key.
const (
	PartIC Part = iota
	PartRecords
	PartA
	PartB1
	PartB2
	PartC
	PartH
	PartContributions
)

// layout says in which section and how long a part is.
type layout struct {
	part    Part
	section uint32
	size    int64
}

func (h Header) layout(records int, contributions int64) []layout {
	g1, g2 := int64(h.Curve.PointSize(curve.G1)), int64(h.Curve.PointSize(curve.G2))
	vars, public := int64(h.NVars), int64(h.NPublic)
	return []layout{
		{PartIC, sectionIC, (public + 1) * g1},
		{PartRecords, sectionCoefficients, int64(records) * RecordSize},
		{PartA, sectionA, vars * g1},
		{PartB1, sectionB1, vars * g1},
		{PartB2, sectionB2, vars * g2},
		{PartC, sectionC, (vars - public - 1) * g1},
		{PartH, sectionH, int64(h.DomainSize) * g1},
		{PartContributions, sectionContributions, contributions},
	}
}

// Size is the size in bytes of the file that Write writes.
func Size(h Header, records int, contributions int64) int64 {
	size := int64(12 + 2*12 + 4 + len(encodeHeader(h, Points{})) + 4)
	size += 3*int64(h.Curve.PointSize(curve.G1)) + 3*int64(h.Curve.PointSize(curve.G2))
	for _, l := range h.layout(records, contributions) {
		size += 12 + l.size
	}
	return size
}

// Write writes a key as a stream. part writes the parts one after the other, in whatever order they are asked for, each
// exactly as long as the header says; contributions is the length of PartContributions.
func Write(to io.Writer, h Header, p Points, records int, contributions int64, part func(Part, io.Writer) error) error {
	w, err := binfile.NewWriter(to, binfile.Kind{Magic: kind.Magic, Version: 1}, 10)
	if err != nil {
		return err
	}
	protocol := binary.LittleEndian.AppendUint32(nil, protocolGroth16)
	if err := w.Section(sectionProtocol, 4, bytesOf(protocol)); err != nil {
		return err
	}
	header := encodeHeader(h, p)
	if err := w.Section(sectionHeader, int64(len(header)), bytesOf(header)); err != nil {
		return err
	}
	for _, l := range h.layout(records, contributions) {
		size, write := l.size, func(to io.Writer) error { return part(l.part, to) }
		if l.part == PartRecords {
			size, write = size+4, countedRecords(records, write)
		}
		if err := w.Section(l.section, size, write); err != nil {
			return fmt.Errorf("write key: %w", err)
		}
	}
	return w.Close()
}

func countedRecords(n int, records func(io.Writer) error) func(io.Writer) error {
	return func(to io.Writer) error {
		if _, err := to.Write(binary.LittleEndian.AppendUint32(nil, uint32(n))); err != nil {
			return err
		}
		return records(to)
	}
}

func encodeHeader(h Header, p Points) []byte {
	base, scalar := make([]byte, h.Curve.BaseSize()), make([]byte, curve.ScalarSize)
	curve.PutLittleEndian(base, h.Curve.BaseModulus())
	curve.PutLittleEndian(scalar, h.Curve.ScalarModulus())
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(base)))
	b = append(b, base...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(scalar)))
	b = append(b, scalar...)
	for _, n := range []int{h.NVars, h.NPublic, h.DomainSize} {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	k := Key{Points: p}
	for _, point := range k.headerPoints() {
		b = append(b, *point.into...)
	}
	return b
}

func bytesOf(b []byte) func(io.Writer) error {
	return func(to io.Writer) error {
		_, err := to.Write(b)
		return err
	}
}
