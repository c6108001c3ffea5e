package groth16

import (
	"context"

	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
)

// Quotient turns a, b and c, evaluations over the domain, into evaluations of a·b − c over the odd coset, in a: the
// scalars h of the H query, Montgomery. (The division by the vanishing polynomial, a constant there, is in the key.)
// b and c are overwritten. scratch is what e.DomainNeed says.
func Quotient(ctx context.Context, e engine.Engine, a, b, c, scratch []byte, threads int) error {
	for _, v := range [][]byte{a, b, c} {
		if err := CosetExtend(ctx, e, v, scratch, threads); err != nil {
			return err
		}
	}
	return e.MulSub(ctx, a, a, b, c, threads)
}

// QuotientOfWitness is Synthesize and Quotient in two vectors instead of three, the result being in x: c is evaluated
// when b is no longer needed.
func QuotientOfWitness(ctx context.Context, e engine.Engine, key *zkey.Key, witness, x, y, scratch []byte,
	threads int,
) error {
	if err := Synthesize(ctx, e, key, engine.Evaluations{A: x, B: y}, witness, threads); err != nil {
		return err
	}
	for _, v := range [][]byte{x, y} {
		if err := CosetExtend(ctx, e, v, scratch, threads); err != nil {
			return err
		}
	}
	if err := MultiplyInto(ctx, e, x, y, threads); err != nil {
		return err
	}
	if err := Synthesize(ctx, e, key, engine.Evaluations{C: y}, witness, threads); err != nil {
		return err
	}
	if err := CosetExtend(ctx, e, y, scratch, threads); err != nil {
		return err
	}
	return SubtractInto(ctx, e, x, y, threads)
}

// CosetExtend turns evaluations over the domain into evaluations over the odd coset, in place.
func CosetExtend(ctx context.Context, e engine.Engine, v, scratch []byte, threads int) error {
	return e.ToCoset(ctx, v, scratch, threads)
}

// MultiplyInto is x = x∘y. The vectors may be corresponding slices of longer ones.
func MultiplyInto(ctx context.Context, e engine.Engine, x, y []byte, threads int) error {
	return e.Mul(ctx, x, x, y, threads)
}

// SubtractInto is x = x − y. The vectors may be corresponding slices of longer ones.
func SubtractInto(ctx context.Context, e engine.Engine, x, y []byte, threads int) error {
	return e.Sub(ctx, x, x, y, threads)
}
