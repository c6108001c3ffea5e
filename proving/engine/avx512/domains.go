package avx512

import (
	"context"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/ifma/transform"
)

// domains is an engine.DomainEngine of the kernels, and of another one for vectors that are too short for them.
type domains struct {
	kernels, short engine.DomainEngine
}

func (d domains) of(v []byte) engine.DomainEngine {
	if len(v) < transform.MinSize*curve.ScalarSize {
		return d.short
	}
	return d.kernels
}

// Inverse implements engine.DomainEngine.
func (d domains) Inverse(ctx context.Context, v, scratch []byte, threads int) error {
	return d.of(v).Inverse(ctx, v, scratch, threads)
}

// Forward implements engine.DomainEngine.
func (d domains) Forward(ctx context.Context, v, scratch []byte, threads int) error {
	return d.of(v).Forward(ctx, v, scratch, threads)
}

// ShiftToOdd implements engine.DomainEngine.
func (d domains) ShiftToOdd(ctx context.Context, v []byte, threads int) error {
	return d.of(v).ShiftToOdd(ctx, v, threads)
}

// ToCoset implements engine.DomainEngine.
func (d domains) ToCoset(ctx context.Context, v, scratch []byte, threads int) error {
	return d.of(v).ToCoset(ctx, v, scratch, threads)
}

// DomainNeed implements engine.DomainEngine.
func (d domains) DomainNeed(n int) engine.Need {
	if n < transform.MinSize {
		return d.short.DomainNeed(n)
	}
	return d.kernels.DomainNeed(n)
}
