package transform

import (
	"context"
	"errors"
	"fmt"
	"math/bits"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/internal/view"
)

// MinSize is the least length, in elements, of a vector that can be transformed.
const MinSize = 64

// ErrUnavailable is returned where the kernels cannot run: see Available.
var ErrUnavailable = errors.New("transform: kernels unavailable")

// Available tells whether the kernels can run here, and if not, why.
func Available() (ok bool, why string) { return available() }

// Scalars does the operations of one curve's scalar field. It implements engine.DomainEngine (for vectors of at least
// MinSize elements), engine.VectorEngine and engine.ConstraintEngine, and needs no scratch.
type Scalars struct {
	curve   curve.ID
	field   *field
	domains domains
	factors factors
}

// New makes the operations for a curve.
func New(id curve.ID) (*Scalars, error) {
	if !id.Valid() {
		return nil, fmt.Errorf("%w: %s", curve.ErrUnknown, id)
	}
	if ok, why := Available(); !ok {
		return nil, fmt.Errorf("%w: %s", ErrUnavailable, why)
	}
	f := newField(id.ScalarModulus())
	return &Scalars{curve: id, field: f, domains: domains{curve: id, field: f}, factors: newFactors(id)}, nil
}

// Inverse implements engine.DomainEngine.
func (s *Scalars) Inverse(ctx context.Context, v, _ []byte, threads int) error {
	t, err := s.transform(v, threads)
	if err != nil {
		return err
	}
	t.factor = t.domain.shares[t.log]
	if err := t.splitWide(ctx); err != nil {
		return err
	}
	return t.leaves(ctx, stepSplit|stepScaled)
}

// Forward implements engine.DomainEngine.
func (s *Scalars) Forward(ctx context.Context, v, _ []byte, threads int) error {
	t, err := s.transform(v, threads)
	if err != nil {
		return err
	}
	if err := t.leaves(ctx, stepMerge); err != nil {
		return err
	}
	return t.mergeWide(ctx)
}

// ShiftToOdd implements engine.DomainEngine.
func (s *Scalars) ShiftToOdd(ctx context.Context, v []byte, threads int) error {
	t, err := s.transform(v, threads)
	if err != nil {
		return err
	}
	return t.leaves(ctx, stepShift)
}

// ToCoset implements engine.DomainEngine. The leaves are shifted between their narrow stages, so that this takes one pass less
// than its parts.
func (s *Scalars) ToCoset(ctx context.Context, v, _ []byte, threads int) error {
	t, err := s.transform(v, threads)
	if err != nil {
		return err
	}
	t.factor = t.domain.shares[t.log]
	if err := t.splitWide(ctx); err != nil {
		return err
	}
	if err := t.leaves(ctx, stepSplit|stepShift|stepMerge); err != nil {
		return err
	}
	return t.mergeWide(ctx)
}

// DomainNeed implements engine.DomainEngine: the tables of both directions.
func (s *Scalars) DomainNeed(n int) engine.Need { return engine.Need{Heap: 2 * int64(tableBytes(n))} }

func (s *Scalars) transform(v []byte, threads int) (*transform, error) {
	if err := checkOperands(v); err != nil {
		return nil, err
	}
	n := len(v) / curve.ScalarSize
	d, err := s.domains.get(n)
	if err != nil {
		return nil, err
	}
	t := &transform{field: s.field, domain: d, factor: d.one, v: v, log: bits.TrailingZeros(uint(n)), threads: threads}
	t.plan()
	return t, nil
}

// checkOperands refuses what is not whole aligned elements, and vectors of different lengths.
func checkOperands(operands ...[]byte) error {
	for _, b := range operands {
		switch {
		case len(b)%curve.ScalarSize != 0 || len(b) != len(operands[0]):
			return fmt.Errorf("%w: vectors of %d and %d bytes", engine.ErrOperand, len(operands[0]), len(b))
		case !view.Aligned(b):
			return fmt.Errorf("%w: %w", engine.ErrOperand, view.ErrMisaligned)
		}
	}
	return nil
}
