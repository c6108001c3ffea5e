package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/render"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/stages"
)

type checkFlags struct {
	pipelineFlags
	gpus            gpuFlags
	zkey            string
	schema, verbose bool
	json            bool
}

func (a *App) check() *cobra.Command {
	f := &checkFlags{}
	cmd := &cobra.Command{
		Use:   "check PIPELINE...",
		Short: "Check pipelines: names, types, budgets, and what a proof will need",
		Long: "check loads pipelines and tells every error with its place. It prints the most that each pool and each edge will\n" +
			"ever hold: the budgets of the file or, with --zkey, what proofs of that circuit need, and refuses what can never fit.\n" +
			"Of GPUs that this machine does not have, --device-memory and --device-count tell; the kernel library must be there.",
		Example: "  proofgraph check my-pipeline.yaml\n  proofgraph check groth16 --zkey circuit.zkey --memory 256MiB\n  proofgraph check gpu-resident --zkey circuit.zkey --device-memory 24GiB\n  proofgraph check --schema > pipeline.schema.json",
		Args:    someArgs(0, 1<<20, "pipelines"),
		RunE:    func(_ *cobra.Command, args []string) error { return a.runCheck(f, args) },
	}
	f.add(cmd.Flags())
	f.addDevices(cmd.Flags())
	f.gpus.add(cmd.Flags(), "what this machine has")
	cmd.Flags().StringVar(&f.zkey, "zkey", "", "a proving `key`: check what proofs of its circuit need")
	cmd.Flags().BoolVar(&f.schema, "schema", false, "print the JSON Schema of the pipeline language, for editors")
	cmd.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "print the pipeline too")
	cmd.Flags().BoolVar(&f.json, "json", false, "print the findings as JSON")
	return cmd
}

func (a *App) runCheck(f *checkFlags, names []string) error {
	bench, err := f.workbench()
	if err != nil {
		return err
	}
	defer bench.close()
	if f.schema {
		schema, err := spec.Schema(bench.registry)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(a.Stdout, "%s\n", schema)
		return err
	}
	if len(names) == 0 {
		return usageError{errors.New("check wants pipelines: files, or names of those that come with the program")}
	}
	return a.checkAll(bench, f, names)
}

// checkAll checks every pipeline, and gives the first error when all have been told.
func (a *App) checkAll(bench *workbench, f *checkFlags, names []string) error {
	var first error
	var documents []checkDocument
	for _, name := range names {
		d, err := a.checkOne(bench, f, name)
		if err != nil {
			fmt.Fprintln(a.Stderr, complain(err))
			d.Error, d.Problems = inWords(err), problemsOf(err)
			if first == nil {
				first = alreadySaid{err}
			}
		}
		documents = append(documents, d)
	}
	if f.json {
		if err := printJSON(a.Stdout, documents); err != nil {
			return err
		}
	}
	return first
}

// checkDocument is what check finds of one pipeline. Sizes are bytes.
type checkDocument struct {
	Pipeline string      `json:"pipeline"`
	OK       bool        `json:"ok"`
	Error    string      `json:"error,omitempty"`
	Problems []problem   `json:"problems,omitempty"` // of the file, one by one
	Pools    []worstCase `json:"pools,omitempty"`
	Edges    []worstCase `json:"edges,omitempty"`
	Notes    []string    `json:"notes,omitempty"` // which stages do without memory that is too small for them
}

// A problem is one thing that is wrong with a pipeline. Lines and columns count from 1; EndColumn is behind the last.
type problem struct {
	File      string    `json:"file"`
	Line      int       `json:"line"`
	Column    int       `json:"column"`
	EndColumn int       `json:"end_column"`
	Code      spec.Code `json:"code"`
	Message   string    `json:"message"`
	Hint      string    `json:"hint,omitempty"`
}

func problemsOf(err error) []problem {
	var wrong spec.Errors
	if !errors.As(err, &wrong) {
		return nil
	}
	var problems []problem
	for _, e := range wrong {
		problems = append(problems, problem{e.File, e.Pos.Line, e.Pos.Column, e.EndColumn, e.Code, e.Message, e.Hint})
	}
	return problems
}

func (a *App) checkOne(bench *workbench, f *checkFlags, name string) (checkDocument, error) {
	d := checkDocument{Pipeline: name}
	p, err := bench.loadPipeline(name, f.set)
	if err != nil {
		return d, err
	}
	prog, shape, err := a.measure(bench, f, p)
	if err != nil {
		return d, err
	}
	if needsGPU(bench, prog, shape) {
		return a.checkBlind(f, name)
	}
	d.Pools, d.Edges = worstCases(prog, shape)
	if shape != nil {
		d.Notes = prog.Notes(shape)
	}
	if !f.json {
		if err := a.printCheck(p, f, d); err != nil {
			return d, err
		}
	}
	if shape != nil && shape.Refusal != nil {
		return d, tooLarge(bench, prog, name, shape)
	}
	d.OK = true
	return d, nil
}

// measure binds a pipeline, and gives the needs of a proof where a key is given.
func (a *App) measure(bench *workbench, f *checkFlags, p *spec.Pipeline) (*program.Program, *program.Shape, error) {
	f.sizing = true
	prog, err := a.bind(bench, &f.pipelineFlags, p)
	if err != nil {
		return nil, nil, err
	}
	shape, err := f.shape(prog)
	if errors.Is(err, engine.ErrUnavailable) {
		err = invalidInput{fmt.Errorf("%s: %w", p.Name, err)}
	}
	return prog, shape, err
}

// shape gives the needs of a proof with the given key, or nil without one.
func (f *checkFlags) shape(prog *program.Program) (*program.Shape, error) {
	if f.zkey == "" {
		return nil, nil
	}
	key, err := stages.StatKey(f.zkey)
	if err != nil {
		return nil, err
	}
	payload := &stages.Payload{Key: key}
	shape, err := prog.Shape(&stage.Item{Job: "check", Facts: payload.Facts(), Payload: payload})
	if err != nil {
		return nil, invalidInput{err}
	}
	return shape, nil
}

func (a *App) printCheck(p *spec.Pipeline, f *checkFlags, d checkDocument) error {
	fmt.Fprintf(a.Stdout, "%s: %d stages, %d edges; names, types and budgets agree\n\n", d.Pipeline, len(p.Stages), len(p.Edges))
	if f.verbose {
		if err := render.Text(a.Stdout, p); err != nil {
			return err
		}
		fmt.Fprintln(a.Stdout)
	}
	if err := poolTable(d.Pools).Write(a.Stdout); err != nil {
		return err
	}
	if slices.ContainsFunc(d.Pools, func(w worstCase) bool { return w.Unknown }) {
		fmt.Fprintln(a.Stdout, "\n? is the memory of a GPU that is not here; --device-memory says how much it is")
	}
	if f.zkey == "" {
		fmt.Fprintln(a.Stdout, "\nwith --zkey KEY, what proofs of its circuit need stands in place of ?")
	}
	for _, note := range d.Notes {
		fmt.Fprintf(a.Stdout, "\n%s\n", note)
	}
	fmt.Fprintln(a.Stdout)
	return writeWithNewline(edgeTable(d.Edges), a.Stdout)
}

func writeWithNewline(t *render.Table, to io.Writer) error {
	if err := t.Write(to); err != nil {
		return err
	}
	_, err := fmt.Fprintln(to)
	return err
}
