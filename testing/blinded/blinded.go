// Package blinded lets pipelines blind their proofs always alike, so that tests can compare the bytes of what different
// pipelines make.
package blinded

import (
	"context"
	"math/big"

	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
	"github.com/proofgraph/proofgraph/proving/groth16"
	"github.com/proofgraph/proofgraph/stages"
)

// Always is the blinding; it hides nothing.
var Always = groth16.Blinding{R: big.NewInt(0x5eed), S: big.NewInt(0xb11d)}

// Adapt makes groth16.assemble blind with it, and leaves all other kinds as they are.
func Adapt(k *stage.Kind) {
	if k.Name == "groth16.assemble" {
		k.New = func(stage.Options) (stage.Body, error) { return stage.BodyFunc(assemble), nil }
	}
}

func assemble(_ context.Context, t *stage.Task) error {
	key, err := stage.In[*zkey.Key](t, "key")
	if err != nil {
		return err
	}
	var sums groth16.Sums
	for _, q := range groth16.Queries() {
		if sums[q], err = stage.In[[]byte](t, q.String()); err != nil {
			return err
		}
	}
	proof, err := groth16.AssembleBlinded(key, sums, Always)
	if err != nil {
		return err
	}
	return t.Set("proof", stages.Unverified{Proof: proof})
}
