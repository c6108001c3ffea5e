package cuda

import (
	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/proving/curve"
)

// System is the size of the constraint system of a key, as its header tells it.
type System struct {
	DomainSize
	Wires   int // of the witness
	Records int // coefficients of A and B: terms of rows
	// Distinct, if it is not 0, bounds the different values among the coefficients. They are kept once then, and a term
	// takes 8 bytes instead of 36. Most circuits have few: 1, -1, powers of two, and constants of hash functions.
	Distinct int
}

// partRows is the most rows of a part of constraints; cudabind.PartTerms is the most of its terms, unless it is one row.
const partRows = 1024

// mostParts bounds the parts. One that was ended by its rows has partRows of them. One that was ended by its terms has,
// together with the next part, more than PartTerms; every term is counted twice so.
func (s System) mostParts() int {
	return s.Elements()/partRows + 2*s.Records/cudabind.PartTerms + 1
}

// kept says whether distinct values are kept once: where that is smaller.
func (s System) kept() bool {
	return s.Distinct > 0 && numberBytes*s.Records+curve.ScalarSize*s.Distinct < curve.ScalarSize*s.Records
}

// values is how many values are kept.
func (s System) values() int {
	if s.kept() {
		return s.Distinct
	}
	return s.Records
}

// numberBytes is the size of a number in constraints.
const numberBytes = 4

// columns are the bytes of the buffers of constraints; there are no codes where each term has its own value.
type columns struct{ starts, parts, wires, codes, values int }

func (s System) columns() columns {
	c := columns{
		starts: numberBytes * (s.Elements() + 1), parts: numberBytes * (s.mostParts() + 1), wires: numberBytes * s.Records,
		values: curve.ScalarSize * s.values(),
	}
	if s.kept() {
		c.codes = c.wires
	}
	return c
}

// Bytes is the device memory of Constraints.
func (s System) Bytes() int64 {
	c := s.columns()
	return alignedSum(c.starts, c.parts, c.wires, c.codes) + int64(c.values)
}

// Constraints are the coefficients of A and B in device memory that somebody else owns.
type Constraints struct {
	System
	on cudabind.Constraints
}

// constraintsIn lays constraints out in memory. Parts are counted when they are loaded.
func (s System) constraintsIn(memory *cudabind.Buffer) (*Constraints, error) {
	size, c := s.columns(), &carver{from: memory}
	k := &Constraints{s, cudabind.Constraints{
		Rows: s.Elements(), Terms: s.Records, Values: s.values(), Wires: s.Wires,
		Starts: c.take(size.starts), PartRows: c.take(size.parts), TermWires: c.take(size.wires),
		TermCodes: c.take(size.codes), Elements: c.take(size.values),
	}}
	if !s.kept() {
		k.on.TermCodes = nil
	}
	return k, c.err
}
