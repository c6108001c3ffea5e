// Package engine is the one interface of whole-vector operations that the prover is written upon, so that no step of
// a proof names a curve or a device.
//
// An Engine works for one curve. It keeps no large memory: operands, results and scratch are bytes that the caller
// owns, and what a library behind it allocates all the same is said beforehand (Need.Heap) so that it can be charged.
// Begin with Open, then MSM and ToCoset.
package engine

import (
	"context"
	"errors"

	"github.com/proofgraph/proofgraph/proving/curve"
)

// ErrOperand is wrapped by every error about operands: lengths that do not agree, memory that is not aligned,
// scratch that is too small. It is the caller's mistake, never the prover's input.
var ErrOperand = errors.New("bad operand")

// ErrDomainSize is returned for a vector whose length is no power of two or has no root of unity.
var ErrDomainSize = errors.New("unusable domain size")

// Form is how scalars lie in memory.
type Form uint8

// The forms of a scalar: 32 little-endian bytes each.
const (
	Canonical  Form = iota // the integer itself, less than r: witnesses
	Montgomery             // times 2^256 modulo r: everything that field arithmetic made
)

// Need says what an operation takes besides its operands.
type Need struct {
	Scratch int64 // bytes the caller passes as scratch, 64-byte aligned
	Heap    int64 // bytes that the operation allocates itself for its duration, to be charged beside
}

// Total is all bytes of a need.
func (n Need) Total() int64 { return n.Scratch + n.Heap }

// Engine does whole-vector operations for one curve.
//
// Vectors of scalars are []byte of 32-byte elements, 8-byte aligned (64 is better), in Montgomery form unless a
// method says otherwise. threads is the most goroutines that work at once; 0 or less is taken as 1. A cancelled
// context ends an operation with the context's error as soon as a piece of work is done; results are then undefined.
// All methods may be called from several goroutines at once on different memory.
type Engine interface {
	// Name is the name in the registry.
	Name() string
	// Curve is the curve that the engine works for.
	Curve() curve.ID

	MSMEngine
	DomainEngine
	VectorEngine
	ConstraintEngine
}

// MSMEngine sums points with weights. The sum over a slice of points and scalars is a point that adds to the sums
// over the other slices, so an MSM may be cut anywhere.
type MSMEngine interface {
	// MSM writes into out, PointSize(g) bytes, the affine sum of scalars[i]·points[i]. Points are affine Montgomery as
	// in a .zkey, scalars less than r in the given form; both may lie at any alignment and are only read. Points at
	// infinity and scalars that are zero are allowed and cost little.
	MSM(ctx context.Context, g curve.Group, out, points, scalars []byte, form Form, scratch []byte, threads int) error
	// MSMNeed says what MSM takes for n points.
	MSMNeed(g curve.Group, n, threads int) Need
}

// DomainEngine transforms vectors whose length n is a power of two, in place. ω is the root of unity of order n and g
// the one of order 2n, both powers of curve.ID.RootOfUnity, so that the odd coset is {g·ω^i}.
type DomainEngine interface {
	// Inverse turns evaluations at ω^i into the coefficients of the polynomial, in bit-reversed places.
	Inverse(ctx context.Context, v, scratch []byte, threads int) error
	// Forward turns coefficients in bit-reversed places into evaluations at ω^i.
	Forward(ctx context.Context, v, scratch []byte, threads int) error
	// ShiftToOdd multiplies coefficient j, in its bit-reversed place, by g^j.
	ShiftToOdd(ctx context.Context, v []byte, threads int) error
	// ToCoset turns evaluations at ω^i into evaluations at g·ω^i, as Inverse, ShiftToOdd and Forward would.
	ToCoset(ctx context.Context, v, scratch []byte, threads int) error
	// DomainNeed says what Inverse, Forward and ToCoset take for n elements. Heap is kept for as long as the
	// engine lives and shared by all transforms: it counts once, for the largest n.
	DomainNeed(n int) Need
}

// VectorEngine works element by element. dst may be one of the operands.
type VectorEngine interface {
	// Mul is dst = a∘b.
	Mul(ctx context.Context, dst, a, b []byte, threads int) error
	// Sub is dst = a − b.
	Sub(ctx context.Context, dst, a, b []byte, threads int) error
	// MulSub is dst = a∘b − c.
	MulSub(ctx context.Context, dst, a, b, c []byte, threads int) error
	// ToCanonical leaves the Montgomery form.
	ToCanonical(ctx context.Context, dst, src []byte, threads int) error
	// ToMontgomery enters the Montgomery form; elements of src must be less than r.
	ToMontgomery(ctx context.Context, dst, src []byte, threads int) error
}

// Evaluations are where Evaluate writes: the rows from First on of A·w, B·w and (A·w)∘(B·w), in Montgomery form.
// Nil vectors are not computed; the others are equally long.
type Evaluations struct {
	First   int
	A, B, C []byte
}

// ConstraintEngine evaluates the rows of a constraint system.
type ConstraintEngine interface {
	// Evaluate computes rows from coefficient records as section 4 of a .zkey holds them: matrix (0 for A, 1 for B),
	// row and signal as 32-bit little-endian numbers, then the value times 2^512. Rows must ascend and indices be
	// in range, as package zkey sees to. witness holds canonical scalars. Records may lie at any alignment.
	Evaluate(ctx context.Context, dst Evaluations, records, witness []byte, threads int) error
}
