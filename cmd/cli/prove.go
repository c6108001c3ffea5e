package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/reugn/go-streams/extension"
	"github.com/spf13/cobra"

	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/pipelines"
	"github.com/proofgraph/proofgraph/stages"
)

// proveFlags are what prove is told.
type proveFlags struct {
	pipelineFlags
	runFlags
	zkey, wasm, r1cs, out, pipeline string
	wtns, inputs                    []string
	calldata                        bool
}

func (a *App) prove() *cobra.Command {
	f := &proveFlags{}
	cmd := &cobra.Command{
		Use:   "prove --zkey K (--wtns W... | --wasm C --input I...) --out DIR",
		Short: "Prove one circuit, for one or many witnesses",
		Long: "prove makes a proof for every witness, verifies it, and writes it to DIR as snarkjs would: proof.json and\n" +
			"public.json for one witness, NAME.proof.json and NAME.public.json for several, after each witness file.",
		Example: "  proofgraph prove --zkey circuit.zkey --wtns witness.wtns --out proofs\n" +
			"  proofgraph prove --zkey circuit.zkey --wasm circuit.wasm --input a.json --input b.json --out proofs --memory 256MiB",
		Args: moreWitnesses(f),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runProve(cmd.Context(), f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.zkey, "zkey", "", "the proving `key`, as snarkjs makes it")
	flags.StringArrayVar(&f.wtns, "wtns", nil, "a witness `file`; may be repeated, or followed by more files")
	flags.StringVar(&f.wasm, "wasm", "", "the circuit's witness generator, a `file` as circom makes it")
	flags.StringArrayVar(&f.inputs, "input", nil, "an input `file` for --wasm; may be repeated, or followed by more files")
	flags.StringVar(&f.r1cs, "r1cs", "", "the circuit, an .r1cs `file`: witnesses are checked against it first, and the first constraint that fails is told")
	flags.StringVar(&f.out, "out", "", "the `directory` for the proofs; it is made if need be")
	flags.StringVar(&f.pipeline, "pipeline", pipelines.Default, "a pipeline `file`, or the name of one that comes with the program (proofgraph pipelines lists them)")
	flags.BoolVar(&f.calldata, "calldata", false, "write the arguments of the Solidity verifier too, as calldata.txt")
	f.pipelineFlags.add(flags)
	f.addDevices(flags)
	f.runFlags.add(flags)
	return cmd
}

// moreWitnesses lets a shell's *.wtns follow the flag: further arguments are witnesses, or inputs where there is --wasm.
func moreWitnesses(f *proveFlags) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if f.wasm != "" {
			f.inputs = append(f.inputs, args...)
		} else {
			f.wtns = append(f.wtns, args...)
		}
		return f.check()
	}
}

func (f *proveFlags) check() error {
	switch {
	case f.zkey == "":
		return usageError{fmt.Errorf("prove wants --zkey, the proving key")}
	case f.out == "":
		return usageError{fmt.Errorf("prove wants --out, the directory for the proofs")}
	case f.wasm != "" && len(f.wtns) > 0:
		return usageError{fmt.Errorf("prove takes --wtns, or --wasm with --input, and not both")}
	case f.wasm == "" && len(f.inputs) > 0:
		return usageError{fmt.Errorf("--input wants --wasm, the witness generator")}
	case f.wasm == "" && len(f.wtns) == 0:
		return usageError{fmt.Errorf("prove wants witnesses: --wtns, or --wasm with --input")}
	case f.wasm != "" && len(f.inputs) == 0:
		return usageError{fmt.Errorf("--wasm wants at least one --input")}
	}
	return f.runFlags.check()
}

func (a *App) runProve(ctx context.Context, f *proveFlags) error {
	if err := a.requireMemory(); err != nil {
		return err
	}
	bench, err := newWorkbenchWith(&f.devices)
	if err != nil {
		return err
	}
	defer bench.close()
	jobs, err := f.jobs()
	if err != nil {
		return err
	}
	prog, err := a.loadProver(bench, f.pipeline, &f.pipelineFlags)
	if err != nil {
		return err
	}
	if err := fits(bench, prog, jobs); err != nil {
		return err
	}
	for _, note := range notesOf(prog, jobs) {
		fmt.Fprintf(a.Stderr, "proofgraph: %s\n", note)
	}
	if err := makeWritable(f.out); err != nil {
		return cannotWrite(f.out, err)
	}
	return a.proveAll(ctx, bench, prog, &f.runFlags, extension.NewChanSource(sourceOf(ctx, jobs)), len(jobs))
}

// sourceOf feeds jobs until all are out or no new work should begin.
func sourceOf(ctx context.Context, jobs []*run.Job) chan any {
	source := make(chan any)
	go func() {
		defer close(source)
		for _, job := range jobs {
			select {
			case source <- job:
			case <-draining(ctx):
				return
			case <-ctx.Done():
				return
			}
		}
	}()
	return source
}

// jobs makes a job of every witness.
func (f *proveFlags) jobs() ([]*run.Job, error) {
	key, err := stages.StatKey(f.zkey)
	if err != nil {
		return nil, err
	}
	base := stages.Payload{Key: key, Wasm: f.wasm, R1CS: f.r1cs}
	if f.wasm != "" {
		if base.Generator, err = stages.StatModule(f.wasm); err != nil {
			return nil, err
		}
	}
	files := append(append([]string(nil), f.wtns...), f.inputs...)
	names, err := outputNames(files)
	if err != nil {
		return nil, err
	}
	var jobs []*run.Job
	for i, file := range files {
		p := base
		if f.wasm == "" {
			p.Wtns = file
		} else {
			p.Input = file
		}
		f.nameOutputs(&p, names[i])
		jobs = append(jobs, jobOf(file, 0, &p))
	}
	return jobs, nil
}

func jobOf(id string, priority int, p *stages.Payload) *run.Job {
	item := stage.Item{Job: id, Priority: priority, Facts: p.Facts(), Payload: p}
	return &run.Job{ID: id, Priority: priority, Items: []stage.Item{item}}
}

func (f *proveFlags) nameOutputs(p *stages.Payload, prefix string) {
	p.Proof = filepath.Join(f.out, prefix+"proof.json")
	p.Public = filepath.Join(f.out, prefix+"public.json")
	if f.calldata {
		p.Calldata = filepath.Join(f.out, prefix+"calldata.txt")
	}
}

// outputNames gives the beginnings of the names of a witness's files: nothing for one witness alone, otherwise the name
// of the witness file. Two witnesses of one name would write over each other.
func outputNames(files []string) ([]string, error) {
	if len(files) == 1 {
		return []string{""}, nil
	}
	names, seen := make([]string, len(files)), map[string]string{}
	for i, file := range files {
		base := filepath.Base(file)
		name := strings.TrimSuffix(base, filepath.Ext(base)) + "."
		if other, taken := seen[name]; taken {
			return nil, usageError{fmt.Errorf("%s and %s would write to the same %sproof.json", other, file, name)}
		}
		seen[name], names[i] = file, name
	}
	return names, nil
}
