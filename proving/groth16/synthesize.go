package groth16

import (
	"context"
	"fmt"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
)

// Synthesize evaluates rows dst.First on of A·w, B·w and C·w = (A·w)∘(B·w), each into its own vector, Montgomery. Nil
// vectors are left out, so that a pipeline may hold two of the three at a time; C needs neither A nor B. A whole
// vector has DomainSize elements. witness is canonical, NVars long, at any alignment.
func Synthesize(ctx context.Context, e engine.Engine, key *zkey.Key, dst engine.Evaluations, witness []byte,
	threads int,
) error {
	if err := CheckWitness(key.Header, e.Curve(), witness); err != nil {
		return err
	}
	rows := max(len(dst.A), len(dst.B), len(dst.C)) / curve.ScalarSize
	if dst.First < 0 || dst.First+rows > key.DomainSize {
		return fmt.Errorf("%w: rows %d to %d of a domain of %d", engine.ErrOperand,
			dst.First, dst.First+rows, key.DomainSize)
	}
	return e.Evaluate(ctx, dst, key.Records, witness, threads)
}

// VectorSize is the size in bytes of a vector over the key's domain: one of a, b, c and h.
func VectorSize(h zkey.Header) int64 { return int64(h.DomainSize) * curve.ScalarSize }
