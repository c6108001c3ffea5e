package r1cs

import (
	"context"
	"encoding/binary"
	"iter"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/format/binfile"
	"github.com/proofgraph/proofgraph/proving/internal/canonical"
)

// termSize is a wire and its coefficient.
const termSize = 4 + curve.ScalarSize

// Combination is a weighted sum of wires, as it lies in the file.
type Combination []byte

// Len is the number of terms.
func (c Combination) Len() int { return len(c) / termSize }

// Term is a wire and its coefficient: 32 bytes, canonical.
func (c Combination) Term(i int) (wire int, coefficient []byte) {
	t := c[i*termSize:][:termSize]
	return int(binary.LittleEndian.Uint32(t)), t[4:]
}

// Constraint says that A·w times B·w is C·w.
type Constraint [3]Combination

// All walks through the constraints in order.
func (s *System) All() iter.Seq2[int, Constraint] {
	return func(yield func(int, Constraint) bool) {
		rest := s.constraints
		for i := range s.Constraints {
			var c Constraint
			for m := range c {
				c[m], rest, _ = nextCombination(rest)
			}
			if !yield(i, c) {
				return
			}
		}
	}
}

// nextCombination takes a combination off the front; not ok if it is cut short.
func nextCombination(b []byte) (c Combination, rest []byte, ok bool) {
	if len(b) < 4 {
		return nil, nil, false
	}
	size := uint64(binary.LittleEndian.Uint32(b)) * termSize
	if b = b[4:]; size > uint64(len(b)) {
		return nil, nil, false
	}
	return Combination(b[:size:size]), b[size:], true
}

// check reads the constraints through once and counts their terms.
func (s *System) check(ctx context.Context) error {
	rest, bound := s.constraints, canonical.ScalarBound(s.Curve)
	for i := range s.Constraints {
		if i%(1<<14) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for m := range 3 {
			c, after, ok := nextCombination(rest)
			if !ok {
				return binfile.Malformed("the constraints end inside number %d of %d", i, s.Constraints)
			}
			if err := s.checkCombination(c, i, &bound); err != nil {
				return err
			}
			s.Terms[m] += c.Len()
			rest = after
		}
	}
	if len(rest) > 0 {
		return binfile.Malformed("%d bytes follow the last of %d constraints", len(rest), s.Constraints)
	}
	return nil
}

func (s *System) checkCombination(c Combination, constraint int, bound *canonical.Bound) error {
	for j := range c.Len() {
		wire, coefficient := c.Term(j)
		if wire >= s.Wires {
			return binfile.Malformed("constraint %d names wire %d among %d", constraint, wire, s.Wires)
		}
		if !bound.Exceeds(coefficient) {
			return binfile.Malformed("a coefficient of constraint %d is not less than the modulus", constraint)
		}
	}
	return nil
}
