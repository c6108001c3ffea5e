package zkey

import (
	"encoding/binary"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/format/binfile"
)

// reader takes fields off the front of a section; once one is missing, ok is false and all are empty.
type reader struct {
	rest []byte
	ok   bool
}

func (r *reader) take(n int) []byte {
	if !r.ok || n > len(r.rest) {
		r.ok = false
		return nil
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) uint32() uint32 {
	if b := r.take(4); r.ok {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// modulus reads a number preceded by its size, which is at most 64 bytes.
func (r *reader) modulus() []byte {
	n := r.uint32()
	if n > 64 {
		r.ok = false
	}
	return r.take(int(n))
}

func (k *Key) readHeader(file *binfile.File) error {
	s, err := file.Section(sectionHeader)
	if err != nil {
		return err
	}
	r := &reader{rest: s, ok: true}
	base, scalar := r.modulus(), r.modulus()
	vars, public, domain := r.uint32(), r.uint32(), r.uint32()
	if !r.ok {
		return binfile.Malformed("the header is too short")
	}
	if err := k.setCurve(base, scalar); err != nil {
		return err
	}
	if err := k.setSizes(vars, public, domain); err != nil {
		return err
	}
	for _, p := range k.headerPoints() {
		*p.into = r.take(k.Curve.PointSize(p.group))
	}
	if !r.ok || len(r.rest) != 0 {
		return binfile.Malformed("the header has %d bytes, which is not right for %s", len(s), k.Curve)
	}
	return nil
}

type headerPoint struct {
	into  *[]byte
	group curve.Group
}

// headerPoints are the points in the order of the file.
func (k *Key) headerPoints() []headerPoint {
	return []headerPoint{
		{&k.Alpha1, curve.G1}, {&k.Beta1, curve.G1}, {&k.Beta2, curve.G2},
		{&k.Gamma2, curve.G2}, {&k.Delta1, curve.G1}, {&k.Delta2, curve.G2},
	}
}

func (k *Key) setCurve(base, scalar []byte) error {
	id, err := curve.FromBaseModulus(base)
	if err != nil {
		return err
	}
	other, err := curve.FromScalarModulus(scalar)
	if err != nil {
		return err
	}
	if id != other {
		return binfile.Malformed("the base field is that of %s and the scalar field that of %s", id, other)
	}
	if len(base) != id.BaseSize() || len(scalar) != curve.ScalarSize {
		return binfile.Malformed("field elements of %d and %d bytes are not right for %s", len(base), len(scalar), id)
	}
	k.Curve = id
	return nil
}

func (k *Key) setSizes(vars, public, domain uint32) error {
	switch {
	case vars == 0 || public >= vars:
		return binfile.Malformed("%d public wires among %d, one of which is the constant 1", public, vars)
	case domain == 0 || domain&(domain-1) != 0:
		return binfile.Malformed("the domain has %d elements, which is no power of two", domain)
	case uint64(domain) >= 1<<k.Curve.TwoAdicity():
		return binfile.Malformed("a domain of %d elements is too large for %s", domain, k.Curve)
	}
	k.NVars, k.NPublic, k.DomainSize = int(vars), int(public), int(domain)
	return nil
}
