// Package avx512 is the engine for processors with AVX-512 IFMA: sums by the kernels of package ifma, transforms and
// elementwise operations and rows by those of package transform. Results are those of the gnark engine, bit for bit.
package avx512

import (
	"context"
	"errors"
	"fmt"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/engine/gnark"
	"github.com/proofgraph/proofgraph/proving/ifma"
	"github.com/proofgraph/proofgraph/proving/ifma/transform"
)

// Name is the engine's name in a registry.
const Name = "ifma"

// Kind describes the engine to a registry.
func Kind() engine.Kind {
	return engine.Kind{
		Name: Name, Rank: 10,
		Available: func(id curve.ID) (bool, string) {
			if _, known := curves[id]; !known {
				return false, "no such curve"
			}
			if ok, why := ifma.Available(); !ok {
				return false, why
			}
			return transform.Available()
		},
		New: New,
	}
}

var curves = map[curve.ID]ifma.Curve{curve.BN254: ifma.BN254, curve.BLS12381: ifma.BLS12381}

// New makes the engine for a curve.
func New(id curve.ID) (engine.Engine, error) {
	rest, err := gnark.New(id)
	if err != nil {
		return nil, err
	}
	kernels, err := transform.New(id)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", engine.ErrUnavailable, err)
	}
	return engine.Compose(Name, rest, engine.Parts{
		MSM:    sums{id, curves[id]},
		Domain: domains{kernels: kernels, short: rest},
		Vector: kernels, Constraint: kernels,
	}), nil
}

// sums is package ifma as an engine.MSMEngine.
type sums struct {
	id    curve.ID
	curve ifma.Curve
}

var groups = map[curve.Group]ifma.Group{curve.G1: ifma.G1, curve.G2: ifma.G2}

// MSM implements engine.MSMEngine.
func (s sums) MSM(ctx context.Context, g curve.Group, out, points, scalars []byte, form engine.Form, scratch []byte, threads int) error {
	forms := map[engine.Form]ifma.ScalarForm{engine.Canonical: ifma.Canonical, engine.Montgomery: ifma.Montgomery}
	err := ifma.MSM(ctx, s.curve, groups[g], out, points, scalars, forms[form], scratch, max(threads, 1))
	if err != nil && !errors.Is(err, ctx.Err()) {
		return fmt.Errorf("%w: %w", engine.ErrOperand, err)
	}
	return err
}

// MSMNeed implements engine.MSMEngine. The kernels allocate nothing of their own.
func (s sums) MSMNeed(g curve.Group, n, threads int) engine.Need {
	return engine.Need{Scratch: int64(ifma.ScratchBytes(s.curve, groups[g], n, max(threads, 1)))}
}
