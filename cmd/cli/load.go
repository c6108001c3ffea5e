package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/program"
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
	registry, err := stages.Registry(engines, generators)
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
	if source, ok := pipelines.Read(name); ok {
		if _, err := os.Stat(name); err != nil {
			return spec.Load(strings.TrimSuffix(name, ".yaml")+".yaml", source, w.registry, set)
		}
	}
	if _, err := os.Stat(name); err != nil && !strings.ContainsAny(name, "./") {
		return nil, invalidInput{fmt.Errorf("there is no pipeline %q; those that come with the program: %s",
			name, strings.Join(pipelines.Names(), ", "))}
	}
	return spec.LoadFile(name, w.registry, set)
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
	found, err := budget.Detect()
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
