package stages

import (
	"context"
	"math/big"

	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
	"github.com/proofgraph/proofgraph/proving/groth16"
)

// Proven is a proof that was verified, and the public inputs that it was verified with.
type Proven struct {
	Proof  *groth16.Proof
	Public []*big.Int
}

// verify is groth16.verify: no wrong proof leaves.
func verify() *stage.Kind {
	return &stage.Kind{
		Name: "groth16.verify",
		Doc: "Verifies the proof with the key's verifying part and the witness's public values. One that does not " +
			"verify fails its job: the witness does not satisfy the circuit, or the key's points are not what they should be.",
		Inputs: []stage.Port{
			{Name: "key", Type: typeKey, Doc: "the key, which holds the verifying key"},
			{Name: "proof", Type: typeProof, Doc: "the proof"},
			{Name: "public", Type: typePublic, Doc: "the public values of the witness"},
		},
		Outputs: []stage.Port{{Name: "proven", Type: typeProven, Doc: "the proof and its public inputs"}},
		New:     func(stage.Options) (stage.Body, error) { return stage.BodyFunc(runVerify), nil },
	}
}

func runVerify(_ context.Context, t *stage.Task) error {
	key, err := stage.In[*zkey.Key](t, "key")
	if err != nil {
		return err
	}
	proof, err := stage.In[Unverified](t, "proof")
	if err != nil {
		return err
	}
	public, err := stage.In[[]*big.Int](t, "public")
	if err != nil {
		return err
	}
	vk, err := groth16.ExportVerifyingKey(key)
	if err != nil {
		return err
	}
	if err := groth16.Verify(vk, proof.Proof, public); err != nil {
		return err
	}
	return t.Set("proven", &Proven{proof.Proof, public})
}
