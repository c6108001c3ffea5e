// Package r1cs reads and writes constraint systems as circom keeps them. A file is mapped and its constraints are
// walked where they lie.
//
// The layout is documented at https://github.com/iden3/r1csfile/blob/master/doc/r1cs_bin_format.md.
package r1cs

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/format/binfile"
)

// The sections of a constraint system.
const (
	sectionHeader      = 1
	sectionConstraints = 2
	sectionLabels      = 3
	sectionGateUses    = 5
)

var kind = binfile.Kind{Magic: "r1cs", Version: 1}

const headerSize = 4 + curve.ScalarSize + 4*4 + 8 + 4

// Header is what a file says about its circuit. Wires are the constant one, public outputs, public inputs, private
// inputs and then the rest, in that order.
type Header struct {
	Curve       curve.ID
	Wires       int // all of them, the constant one included
	Outputs     int // public
	Inputs      int // public
	Private     int // private inputs
	Labels      uint64
	Constraints int
}

// NPublic is the number of public wires after the constant one.
func (h Header) NPublic() int { return h.Outputs + h.Inputs }

// System is an opened constraint system.
type System struct {
	Header
	// Terms is the number of terms in A, B and C over all constraints.
	Terms [3]int

	constraints []byte
	file        *binfile.File
}

// Open maps an .r1cs file and reads all constraints through once: their lengths, their wires, the range
// of their coefficients.
func Open(ctx context.Context, path string) (*System, error) {
	file, err := binfile.Open(path, kind)
	if err != nil {
		return nil, err
	}
	s, err := read(ctx, file)
	if err = file.Verdict(path, err); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return s, nil
}

// Intact says whether the system's file is still as it was when it was opened; otherwise the error wraps
// binfile.ErrChanged.
func (s *System) Intact() error {
	if s.file == nil {
		return nil
	}
	return s.file.Intact()
}

// Parse is Open for a file in memory, which the caller keeps alive and unchanged.
func Parse(ctx context.Context, data []byte) (*System, error) {
	file, err := binfile.Parse(data, kind)
	if err != nil {
		return nil, err
	}
	return read(ctx, file)
}

// Close ends the view of the file.
func (s *System) Close() error {
	s.constraints = nil
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}

func read(ctx context.Context, file *binfile.File) (*System, error) {
	header, err := file.SectionOf(sectionHeader, "header", headerSize)
	if err != nil {
		return nil, err
	}
	s := &System{file: file}
	if err := s.readHeader(header); err != nil {
		return nil, err
	}
	if err := refuseCustomGates(file); err != nil {
		return nil, err
	}
	if s.constraints, err = file.Section(sectionConstraints); err != nil {
		return nil, fmt.Errorf("constraints: %w", err)
	}
	return s, s.check(ctx)
}

func (s *System) readHeader(b []byte) (err error) {
	if n8 := binary.LittleEndian.Uint32(b); n8 != curve.ScalarSize {
		return binfile.Malformed("field elements of %d bytes, not %d", n8, curve.ScalarSize)
	}
	if s.Curve, err = curve.FromScalarModulus(b[4 : 4+curve.ScalarSize]); err != nil {
		return err
	}
	b = b[4+curve.ScalarSize:]
	u32 := func(i int) int { return int(binary.LittleEndian.Uint32(b[i:])) }
	s.Wires, s.Outputs, s.Inputs, s.Private = u32(0), u32(4), u32(8), u32(12)
	s.Labels, s.Constraints = binary.LittleEndian.Uint64(b[16:]), u32(24)
	if int64(s.Outputs)+int64(s.Inputs)+int64(s.Private) >= int64(s.Wires) {
		return binfile.Malformed("%d outputs and inputs among %d wires, one of which is the constant 1",
			s.Outputs+s.Inputs+s.Private, s.Wires)
	}
	return nil
}

// refuseCustomGates refuses what only PLONK can prove.
func refuseCustomGates(file *binfile.File) error {
	if !file.Has(sectionGateUses) {
		return nil
	}
	uses, err := file.Section(sectionGateUses)
	if err != nil {
		return err
	}
	if len(uses) < 4 || binary.LittleEndian.Uint32(uses) != 0 {
		return binfile.Malformed("the circuit uses custom gates, which Groth16 does not have")
	}
	return nil
}
