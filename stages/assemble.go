package stages

import (
	"context"

	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
	"github.com/proofgraph/proofgraph/proving/groth16"
)

// Unverified is a proof that nobody has verified yet: the value between assemble and verify, never a result.
type Unverified struct{ *groth16.Proof }

// assemble is groth16.assemble: the proof, of its five sums.
func assemble() *stage.Kind {
	inputs := []stage.Port{{Name: "key", Type: typeKey, Doc: "the key, which holds the single points"}}
	for _, q := range groth16.Queries() {
		inputs = append(inputs, stage.Port{Name: q.String(), Type: typeSum(q.String()), Doc: "the sum of query " + q.String()})
	}
	return &stage.Kind{
		Name:    "groth16.assemble",
		Doc:     "Blinds the five sums with two scalars from the system's random source and makes the proof of them.",
		Inputs:  inputs,
		Outputs: []stage.Port{{Name: "proof", Type: typeProof, Doc: "the proof, not yet verified"}},
		New:     func(stage.Options) (stage.Body, error) { return Assembler(groth16.Assemble), nil },
	}
}

// An Assembler makes a proof of its sums. Other than groth16.Assemble are for tests, which blind proofs alike to compare them.
type Assembler func(*zkey.Key, groth16.Sums) (*groth16.Proof, error)

// Run implements stage.Body.
func (assemble Assembler) Run(_ context.Context, t *stage.Task) error {
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
	proof, err := assemble(key, sums)
	if err != nil {
		return err
	}
	return t.Set("proof", Unverified{proof})
}
