package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/consensys/gnark/backend/groth16"
	"github.com/consensys/gnark/constraint"
)

// gnarkReport is what `peers gnark` prints: the seconds of each Prove call alone.
type gnarkReport struct {
	ProveSeconds []float64 `json:"prove_seconds"`
}

// runGnark proves each witness with gnark, one after another, and verifies every proof.
func runGnark(args []string) error {
	flags := flag.NewFlagSet("gnark", flag.ContinueOnError)
	r1cs := flags.String("r1cs", "circuit.r1cs", "constraints")
	keys := flags.String("keys", ".", "folder of gnark.pk and gnark.vk, made when they are not there")
	if err := flags.Parse(args); err != nil {
		return err
	}
	cs, id, err := readR1CS(*r1cs)
	if err != nil {
		return err
	}
	pk, vk := groth16.NewProvingKey(id), groth16.NewVerifyingKey(id)
	if err := loadKeys(cs, *keys, pk, vk); err != nil {
		return err
	}
	var report gnarkReport
	for _, path := range flags.Args() {
		seconds, err := prove(cs, pk, vk, path)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		report.ProveSeconds = append(report.ProveSeconds, seconds)
	}
	return json.NewEncoder(os.Stdout).Encode(report)
}

// prove returns the seconds that Prove took for a proof that verifies.
func prove(cs constraint.ConstraintSystem, pk groth16.ProvingKey, vk groth16.VerifyingKey, path string) (float64, error) {
	full, err := readWitness(path, cs.GetNbPublicVariables()-1)
	if err != nil {
		return 0, err
	}
	start := time.Now()
	proof, err := groth16.Prove(cs, pk, full)
	if err != nil {
		return 0, err
	}
	seconds := time.Since(start).Seconds()
	public, err := full.Public()
	if err != nil {
		return 0, err
	}
	return seconds, groth16.Verify(proof, vk, public)
}

// loadKeys reads the keys of a folder, or makes and keeps them. They are not checked: they are ours.
func loadKeys(cs constraint.ConstraintSystem, dir string, pk groth16.ProvingKey, vk groth16.VerifyingKey) error {
	pkPath, vkPath := filepath.Join(dir, "gnark.pk"), filepath.Join(dir, "gnark.vk")
	if _, err := os.Stat(vkPath); err != nil { // written last
		return makeKeys(cs, pkPath, vkPath, pk, vk)
	}
	if err := load(pkPath, pk.UnsafeReadFrom); err != nil {
		return err
	}
	return load(vkPath, vk.UnsafeReadFrom)
}

func makeKeys(cs constraint.ConstraintSystem, pkPath, vkPath string, pk groth16.ProvingKey, vk groth16.VerifyingKey) error {
	newPK, newVK, err := groth16.Setup(cs)
	if err != nil {
		return err
	}
	if err := save(pkPath, newPK.WriteRawTo); err != nil {
		return err
	}
	if err := save(vkPath, newVK.WriteRawTo); err != nil {
		return err
	}
	if err := load(pkPath, pk.UnsafeReadFrom); err != nil {
		return err
	}
	return load(vkPath, vk.UnsafeReadFrom)
}

func load(path string, read func(io.Reader) (int64, error)) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := read(bufio.NewReaderSize(f, 1<<20)); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func save(path string, write func(io.Writer) (int64, error)) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	buffered := bufio.NewWriterSize(f, 1<<20)
	if _, err := write(buffered); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	return f.Close()
}
