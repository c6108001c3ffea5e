package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/spf13/cobra"

	"github.com/proofgraph/proofgraph/pipelines"
	"github.com/proofgraph/proofgraph/proving/circuits"
	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/stages"
)

type demoFlags struct {
	pipelineFlags
	runFlags
	circuit, curve, pipeline, dir string
	constraints, batch            int
	seed                          uint64
}

func (a *App) demo() *cobra.Command {
	f := &demoFlags{}
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Make a circuit and an insecure key for it, prove a batch, verify every proof",
		Long: "demo needs no files: it makes a circuit of real size, a development key and witnesses, proves them through a\n" +
			"pipeline within a memory budget, verifies all proofs with the exported verification key, and prints the tables.\n\n" + insecureNote,
		Example: "  proofgraph demo\n  proofgraph demo --circuit sha256 --constraints 262144 --batch 32 --memory 256MiB --pipeline batch",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.runDemo(cmd.Context(), f) },
	}
	flags := cmd.Flags()
	f.pipelineFlags.add(flags)
	f.addDevices(flags)
	f.runFlags.add(flags)
	flags.Lookup("memory").DefValue, f.memory = "128MiB", "128MiB"
	flags.StringVar(&f.circuit, "circuit", string(circuits.Poseidon), "poseidon, sha256 or mul")
	flags.StringVar(&f.curve, "curve", "bn254", "bn254 or bls12-381")
	flags.IntVar(&f.constraints, "constraints", 1<<16, "about how many constraints")
	flags.IntVar(&f.batch, "batch", 16, "how many witnesses")
	flags.Uint64Var(&f.seed, "seed", 1, "the first witness's seed")
	flags.StringVar(&f.pipeline, "pipeline", pipelines.Default, "a pipeline file, or the name of one that comes with the program (proofgraph pipelines lists them)")
	flags.StringVar(&f.dir, "dir", "", "keep circuit, key, witnesses and proofs in this `directory` (default: a temporary one)")
	return cmd
}

func (a *App) runDemo(ctx context.Context, f *demoFlags) (err error) {
	spec, err := f.spec()
	if err != nil {
		return err
	}
	if err := f.findPipeline(); err != nil {
		return err
	}
	if f.dir == "" {
		if f.dir, err = os.MkdirTemp("", "proofgraph-demo-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(f.dir)) }()
	}
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		return err
	}
	keys, witnesses, err := a.demoFiles(ctx, f, spec)
	if err != nil {
		return err
	}
	p := &proveFlags{
		pipelineFlags: f.pipelineFlags, runFlags: f.runFlags,
		zkey: keys.zkey, out: filepath.Join(f.dir, "proofs"), pipeline: f.pipeline, wtns: witnesses,
	}
	f.tell(a, "proving %d witnesses through %s within %s\n\n", len(witnesses), f.pipeline, f.memory)
	if err := a.runProve(ctx, p); err != nil {
		return err
	}
	return a.verifyDemo(keys, p)
}

// tell tells how far the demo is, where it is not to be quiet.
func (f *demoFlags) tell(a *App, format string, args ...any) {
	if !f.quiet {
		fmt.Fprintf(a.Stderr, format, args...)
	}
}

// findPipeline looks for mistakes in the pipeline and its memory before a key is made for it.
func (f *demoFlags) findPipeline() error {
	bench, err := newWorkbenchWith(&f.devices)
	if err != nil {
		return err
	}
	defer bench.close()
	p, err := bench.loadPipeline(f.pipeline, f.set)
	if err != nil {
		return err
	}
	_, err = parseMemory(f.memory, p)
	return err
}

func (f *demoFlags) spec() (circuits.Spec, error) {
	s := circuits.Spec{Kind: circuits.Kind(f.circuit), Constraints: f.constraints}
	id, err := curve.Parse(f.curve)
	if err != nil {
		return s, usageError{err}
	}
	s.Curve = map[curve.ID]ecc.ID{curve.BN254: ecc.BN254, curve.BLS12381: ecc.BLS12_381}[id]
	if _, err := s.Size(); err != nil {
		return s, usageError{err}
	}
	if f.batch < 1 {
		return s, usageError{fmt.Errorf("--batch %d: at least 1", f.batch)}
	}
	return s, f.runFlags.check()
}

// demoFiles makes the circuit, its key and the witnesses; a key that is there already is used again.
func (a *App) demoFiles(ctx context.Context, f *demoFlags, spec circuits.Spec) (keyFiles, []string, error) {
	size, err := spec.Size()
	if err != nil {
		return keyFiles{}, nil, err
	}
	f.tell(a, "a %s circuit over %s: %d constraints, %d wires\n", spec.Kind, f.curve, size.Constraints, size.Wires)
	name := fmt.Sprintf("%s-%s-%d", spec.Kind, f.curve, spec.Constraints)
	circuit := filepath.Join(f.dir, name+".r1cs")
	if err := buffered(circuit, spec.WriteR1CS); err != nil {
		return keyFiles{}, nil, err
	}
	keys := keyFilesOf(circuit, f.dir)
	if _, err := os.Stat(keys.vkey); err != nil {
		if err := a.makeKey(ctx, circuit, keys, f.quiet); err != nil {
			return keyFiles{}, nil, err
		}
	}
	var witnesses []string
	for i := range f.batch {
		witness := filepath.Join(f.dir, fmt.Sprintf("%s-%d.wtns", name, i+1))
		seed := f.seed + uint64(i)
		if err := buffered(witness, func(to io.Writer) error { return spec.WriteWitness(to, seed) }); err != nil {
			return keyFiles{}, nil, err
		}
		witnesses = append(witnesses, witness)
	}
	return keys, witnesses, nil
}

// buffered writes a file whole or not at all, through a buffer.
func buffered(name string, write func(io.Writer) error) error {
	return stages.WriteWhole(name, func(to io.Writer) error {
		w := bufio.NewWriterSize(to, 1<<20)
		return errors.Join(write(w), w.Flush())
	})
}

// verifyDemo verifies every proof once more, from its files, as whoever receives them would.
func (a *App) verifyDemo(keys keyFiles, p *proveFlags) error {
	names, err := outputNames(p.wtns)
	if err != nil {
		return err
	}
	for _, name := range names {
		base := p.out + string(filepath.Separator) + name
		if err := verifyFiles(keys.vkey, base+"proof.json", base+"public.json"); err != nil {
			return fmt.Errorf("%sproof.json: %w", base, err)
		}
	}
	if !p.quiet {
		fmt.Fprintf(a.Stderr, "all %d proofs verify, read back from their files\n", len(names))
	}
	return nil
}
