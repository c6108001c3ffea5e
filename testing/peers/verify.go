package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"github.com/consensys/gnark/backend/groth16"
)

// runVerify checks a proof that is in snarkjs' form with gnark's verifier.
func runVerify(args []string) error {
	flags := flag.NewFlagSet("verify", flag.ContinueOnError)
	vkeyPath := flags.String("vkey", "verification_key.json", "verification key")
	proofPath := flags.String("proof", "proof.json", "proof")
	publicPath := flags.String("public", "public.json", "public signals")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if err := verifyFiles(*vkeyPath, *proofPath, *publicPath); err != nil {
		return err
	}
	fmt.Println("OK")
	return nil
}

func verifyFiles(vkeyPath, proofPath, publicPath string) error {
	var vkey snarkjsKey
	var proof snarkjsProof
	var public []number
	for path, into := range map[string]any{vkeyPath: &vkey, proofPath: &proof, publicPath: &public} {
		if err := readJSON(path, into); err != nil {
			return err
		}
	}
	return verify(vkey, proof, public)
}

func readJSON(path string, into any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func verify(vkey snarkjsKey, proof snarkjsProof, public []number) error {
	curve, err := curveNamed(vkey.Curve)
	if err != nil {
		return err
	}
	key, theirs := groth16.NewVerifyingKey(curve.id), groth16.NewProof(curve.id)
	if _, err := key.ReadFrom(vkey.encoded(curve)); err != nil {
		return fmt.Errorf("verification key: %w", err)
	}
	if _, err := theirs.ReadFrom(proof.encoded(curve)); err != nil {
		return fmt.Errorf("proof: %w", err)
	}
	signals, err := publicWitness(curve.id, public)
	if err != nil {
		return fmt.Errorf("public signals: %w", err)
	}
	return groth16.Verify(theirs, key, signals)
}
