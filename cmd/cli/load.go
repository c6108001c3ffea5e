package cli

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/sim"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/pipelines"
	"github.com/proofgraph/proofgraph/stages"
)

// A workbench has what pipelines are made of: the stage kinds, and the engines and generators that their bodies use.
type workbench struct {
	engines    *stages.Engines
	generators *stages.Generators
	registry   *stage.Registry
}

func newWorkbench() (*workbench, error) {
	engines, err := stages.NewEngines()
	if err != nil {
		return nil, err
	}
	generators := stages.NewGenerators()
	registry, err := stage.NewRegistry(append(stages.Kinds(engines, generators), sim.Kinds()...)...)
	if err != nil {
		return nil, err
	}
	return &workbench{engines, generators, registry}, nil
}

// pipelineFlags are those of every command that loads a pipeline.
type pipelineFlags struct {
	set    []string
	memory string
}

func (f *pipelineFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.set, "set", nil, "set a parameter of the pipeline, `name=value`; may be repeated")
	flags.StringVar(&f.memory, "memory", "", "the `bytes` that the pool named host may have (128MiB); default: what the machine offers")
}

// loadPipeline loads a pipeline from a file, or one of those that come with the program by its name.
func (w *workbench) loadPipeline(name string, set []string) (*spec.Pipeline, error) {
	source, file, err := readPipeline(name)
	if err != nil {
		return nil, err
	}
	return spec.Load(file, source, w.registry, set)
}

// readPipeline reads a pipeline's file, or the source of one that comes with the program. file is what errors call it.
func readPipeline(name string) (source []byte, file string, err error) {
	if _, err := os.Stat(name); err != nil {
		if source, ok := pipelines.Read(name); ok {
			return source, strings.TrimSuffix(name, ".yaml") + ".yaml", nil
		}
		if !strings.ContainsAny(name, "./") {
			return nil, name, invalidInput{fmt.Errorf("there is no pipeline %q; those that come with the program: %s",
				name, strings.Join(append(pipelines.Names(), pipelines.Costed()...), ", "))}
		}
	}
	source, err = readBounded(name, maxPipeline)
	return source, name, err
}

// maxPipeline is one byte more than a pipeline's file may have, so that a larger one is told apart.
const maxPipeline = 1<<20 + 1

func readBounded(name string, most int64) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, most))
}

// requireProofs refuses a pipeline that would make no proofs: one of costed stages, whose bodies only sleep, or one that
// writes none. What is written has been verified: the types of the ports see to that.
func requireProofs(p *spec.Pipeline) error {
	writes := false
	for _, s := range p.Stages {
		if strings.HasPrefix(s.Kind.Name, "model.") {
			return invalidInput{fmt.Errorf("stage %q of pipeline %s is a model and proves nothing; see proofgraph simulate", s.Name, p.Name)}
		}
		writes = writes || s.Kind.Name == "groth16.write"
	}
	if !writes {
		return invalidInput{fmt.Errorf("pipeline %s has no stage of kind groth16.write, so it would hand out no proof", p.Name)}
	}
	return nil
}

// bind binds a pipeline to the memory of this machine, or to less.
func (a *App) bind(f *pipelineFlags, p *spec.Pipeline) (*program.Program, error) {
	limits, err := a.limits(f, p)
	if err != nil {
		return nil, err
	}
	prog, err := program.New(p, limits)
	if err != nil {
		return nil, invalidInput{err}
	}
	return prog, nil
}

// limits gives the bytes of the host pool: what is asked for, as far as the machine has it, or what the machine has free
// less the pool's margin.
func (a *App) limits(f *pipelineFlags, p *spec.Pipeline) (map[string]int64, error) {
	found, err := a.memory()
	if err != nil {
		return nil, err
	}
	limits := map[string]int64{}
	if f.memory != "" {
		asked, err := budget.ParseBytes(f.memory)
		if err != nil || asked <= 0 {
			return nil, usageError{fmt.Errorf("--memory %s: write a size such as 512MiB or 4GiB", f.memory)}
		}
		if !slices.ContainsFunc(p.Pools, func(pool spec.Pool) bool { return pool.Name == "host" }) {
			return nil, usageError{fmt.Errorf("--memory bounds the pool host, and pipeline %s has none of that name", p.Name)}
		}
		limits["host"] = min(asked, found.Free)
		if asked > found.Free {
			fmt.Fprintf(a.Stderr, "proofgraph: --memory %s is more than is free (%s): %s it is\n", f.memory, found.Reason,
				budget.FormatBytes(found.Free))
		}
		return limits, nil
	}
	for _, pool := range p.Pools {
		if pool.Name == "host" && pool.Limit.Auto {
			limits[pool.Name] = max(found.Free-pool.Margin, 0)
		}
	}
	return limits, nil
}
