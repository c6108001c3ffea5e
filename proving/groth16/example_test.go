package groth16_test

import (
	"context"
	"fmt"

	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/engine/gnark"
	"github.com/proofgraph/proofgraph/proving/format/wtns"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
	"github.com/proofgraph/proofgraph/proving/groth16"
)

// A key and a witness of snarkjs become a proof that is verified.
func Example() {
	ctx := context.Background()
	if err := proveAndVerify(ctx, "../testdata/bn254/cells.zkey", "../testdata/bn254/cells.wtns"); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("the proof is valid")
	// Output: the proof is valid
}

func proveAndVerify(ctx context.Context, keyPath, witnessPath string) error {
	const threads = 2
	key, err := zkey.Open(ctx, keyPath, threads)
	if err != nil {
		return err
	}
	defer key.Close()
	witness, err := wtns.Open(witnessPath)
	if err != nil {
		return err
	}
	defer witness.Close()
	if err := groth16.CheckWitness(key.Header, witness.Curve, witness.Values); err != nil {
		return err
	}

	var engines engine.Registry
	if err := engines.Add(gnark.Kind()); err != nil {
		return err
	}
	e, err := engines.Open(engine.Auto, key.Curve)
	if err != nil {
		return err
	}
	memory := make([]byte, groth16.ProveNeed(e, key.Header, threads).Scratch)
	proof, err := groth16.Prove(ctx, e, key, witness.Values, memory, threads)
	if err != nil {
		return err
	}

	vk, err := groth16.ExportVerifyingKey(key)
	if err != nil {
		return err
	}
	public, err := groth16.PublicInputs(key.Header, witness.Values)
	if err != nil {
		return err
	}
	return groth16.Verify(vk, proof, public)
}
