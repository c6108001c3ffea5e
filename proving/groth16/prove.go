package groth16

import (
	"context"
	"fmt"

	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
)

// ProveNeed says what Prove takes: two vectors over the domain and the largest scratch of any step.
func ProveNeed(e engine.Engine, h zkey.Header, threads int) engine.Need {
	domain := e.DomainNeed(h.DomainSize)
	var most engine.Need
	for _, q := range Queries() {
		need := SumNeed(e, q, q.Terms(h), threads)
		most.Scratch, most.Heap = max(most.Scratch, need.Scratch), max(most.Heap, need.Heap)
	}
	vectors := roundUp(2 * VectorSize(h))
	return engine.Need{Scratch: vectors + max(most.Scratch, domain.Scratch), Heap: most.Heap + domain.Heap}
}

func roundUp(n int64) int64 { return (n + 63) / 64 * 64 }

// Prove makes a proof with all steps one after the other. It is the whole protocol on one screen, and what pipelines
// are compared with. memory has ProveNeed's Scratch bytes. The proof is not verified.
func Prove(ctx context.Context, e engine.Engine, key *zkey.Key, witness, memory []byte, threads int) (*Proof, error) {
	vector := VectorSize(key.Header)
	if need := ProveNeed(e, key.Header, threads); int64(len(memory)) < need.Scratch {
		return nil, fmt.Errorf("%w: %d bytes of memory for a proof that takes %d", engine.ErrOperand,
			len(memory), need.Scratch)
	}
	x, y, scratch := memory[:vector], memory[vector:2*vector], memory[roundUp(2*vector):]
	if err := QuotientOfWitness(ctx, e, key, witness, x, y, scratch, threads); err != nil {
		return nil, fmt.Errorf("quotient: %w", err)
	}
	var sums Sums
	for _, q := range Queries() {
		scalars := witness
		if q == QueryH {
			scalars = x
		}
		sums[q] = make([]byte, key.Curve.PointSize(q.Group()))
		if err := Sum(ctx, e, key, q, q.Whole(key.Header), sums[q], scalars, scratch, threads); err != nil {
			return nil, err
		}
	}
	return Assemble(key, sums)
}
