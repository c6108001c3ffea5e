package transform

import (
	"context"
	"math/big"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/internal/parallel"
)

// The elementwise operations: see kernel.h.
const (
	mul = iota
	sub
	mulSub
	scale // by a single factor
)

// vectorGrain is how many elements are done before the context is looked at.
const vectorGrain = 1 << 14

// factors are what scaling by changes the form of an element: products divide by 2^260.
type factors struct {
	toCanonical  []byte // 2^4
	toMontgomery []byte // 2^516 mod r
}

func newFactors(id curve.ID) factors {
	leave, enter := make([]byte, curve.ScalarSize), make([]byte, curve.ScalarSize)
	curve.PutLittleEndian(leave, power(radix-256))
	curve.PutLittleEndian(enter, new(big.Int).Mod(power(radix+256), id.ScalarModulus()))
	return factors{leave, enter}
}

// Mul implements engine.VectorEngine.
func (s *Scalars) Mul(ctx context.Context, dst, a, b []byte, threads int) error {
	return s.vector(ctx, threads, mul, dst, a, b, b)
}

// Sub implements engine.VectorEngine.
func (s *Scalars) Sub(ctx context.Context, dst, a, b []byte, threads int) error {
	return s.vector(ctx, threads, sub, dst, a, b, b)
}

// MulSub implements engine.VectorEngine.
func (s *Scalars) MulSub(ctx context.Context, dst, a, b, c []byte, threads int) error {
	return s.vector(ctx, threads, mulSub, dst, a, b, c)
}

func (s *Scalars) vector(ctx context.Context, threads, operation int, dst, a, b, c []byte) error {
	if err := checkOperands(dst, a, b, c); err != nil {
		return err
	}
	return eachGrain(ctx, len(dst), threads, func(from, to int) {
		vectorKernel(s.field, operation, dst[from:to], a[from:to], b[from:to], c[from:to])
	})
}

// ToCanonical implements engine.VectorEngine.
func (s *Scalars) ToCanonical(ctx context.Context, dst, src []byte, threads int) error {
	return s.scale(ctx, dst, src, s.factors.toCanonical, threads)
}

// ToMontgomery implements engine.VectorEngine.
func (s *Scalars) ToMontgomery(ctx context.Context, dst, src []byte, threads int) error {
	return s.scale(ctx, dst, src, s.factors.toMontgomery, threads)
}

func (s *Scalars) scale(ctx context.Context, dst, src, factor []byte, threads int) error {
	if err := checkOperands(dst, src); err != nil {
		return err
	}
	return eachGrain(ctx, len(dst), threads, func(from, to int) {
		vectorKernel(s.field, scale, dst[from:to], src[from:to], factor, nil)
	})
}

// eachGrain calls work on parts of n bytes of elements, from several goroutines.
func eachGrain(ctx context.Context, n, threads int, work func(from, to int)) error {
	const grain = vectorGrain * curve.ScalarSize
	return parallel.Ranges(ctx, n, 64*curve.ScalarSize, threads, func(from, to int) error {
		for ; from < to && ctx.Err() == nil; from += grain {
			work(from, min(from+grain, to))
		}
		return ctx.Err()
	})
}
