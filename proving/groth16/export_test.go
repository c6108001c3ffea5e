package groth16

import (
	"context"
	"io"
	"math/rand/v2"

	"github.com/proofgraph/proofgraph/proving/format/r1cs"
)

// SetupFromSeed is Setup with secrets that a seed decides, for tests alone.
func SetupFromSeed(ctx context.Context, s *r1cs.System, to io.Writer, seed byte, memory []byte, threads int) error {
	waste, err := drawSecrets(s.Curve, rand.NewChaCha8([32]byte{seed}))
	if err != nil {
		return err
	}
	return setup(ctx, s, to, waste, memory, threads, nil)
}
