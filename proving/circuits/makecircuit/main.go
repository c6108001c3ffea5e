// Command makecircuit writes a circuit of proving/circuits and witnesses of it, for comparisons that
// give the same files to several provers.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/consensys/gnark-crypto/ecc"

	"github.com/proofgraph/proofgraph/proving/circuits"
)

func main() {
	kind := flag.String("kind", string(circuits.Poseidon), fmt.Sprintf("family, one of %q", circuits.Kinds()))
	curve := flag.String("curve", "bn254", "bn254 or bls12_381")
	log := flag.Uint("log", 16, "log2 of the evaluation domain to fill")
	witnesses := flag.Int("witnesses", 1, "number of witnesses, of seeds 1, 2, ...")
	dir := flag.String("out", ".", "folder for circuit.r1cs and 1.wtns, 2.wtns, ...")
	flag.Parse()

	if err := write(*kind, *curve, *log, *witnesses, *dir); err != nil {
		fmt.Fprintln(os.Stderr, "makecircuit:", err)
		os.Exit(1)
	}
}

func write(kind, curve string, log uint, witnesses int, dir string) error {
	id, err := ecc.IDFromString(curve)
	if err != nil {
		return err
	}
	spec := circuits.Spec{Kind: circuits.Kind(kind), Curve: id, Constraints: 1 << min(log, 62)}
	size, err := spec.Size()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := toFile(filepath.Join(dir, "circuit.r1cs"), spec.WriteR1CS); err != nil {
		return err
	}
	for seed := 1; seed <= witnesses; seed++ {
		witness := func(w io.Writer) error { return spec.WriteWitness(w, uint64(seed)) }
		if err := toFile(filepath.Join(dir, fmt.Sprintf("%d.wtns", seed)), witness); err != nil {
			return err
		}
	}
	fmt.Printf("%s: %d constraints, %d wires, %d public\n", kind, size.Constraints, size.Wires, size.Outputs)
	return nil
}

func toFile(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return fmt.Errorf("%s: %w", path, err)
	}
	return f.Close()
}
