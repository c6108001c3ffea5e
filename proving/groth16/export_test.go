package groth16

import (
	"context"
	"io"
	"math/big"
	"math/rand/v2"

	"github.com/proofgraph/proofgraph/proving/format/r1cs"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
)

// SetupFromSeed is Setup with secrets that a seed decides, for tests alone.
func SetupFromSeed(ctx context.Context, s *r1cs.System, to io.Writer, seed byte, memory []byte, threads int) error {
	waste, err := drawSecrets(s.Curve, rand.NewChaCha8([32]byte{seed}))
	if err != nil {
		return err
	}
	return setup(ctx, s, to, waste, memory, threads, nil)
}

// AssembleBlinded is Assemble with given blinding scalars, for tests alone.
func AssembleBlinded(key *zkey.Key, sums Sums, r, s *big.Int) (*Proof, error) {
	return assemble(key, sums, r, s)
}
