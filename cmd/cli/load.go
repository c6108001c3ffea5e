package cli

import (
	"errors"
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
	"github.com/proofgraph/proofgraph/proving/cuda"
	"github.com/proofgraph/proofgraph/stages"
)

// A workbench has what pipelines are made of: the stage kinds, and the engines and generators that their bodies use.
type workbench struct {
	engines    *stages.Engines
	generators *stages.Generators
	registry   *stage.Registry
	assumed    *assumedGPUs // nil: the GPUs of this machine
}

// newWorkbench gives a workbench with the GPUs of the given numbers, which must be there, or all that there are.
func newWorkbench(devices ...int) (*workbench, error) {
	machine := cuda.NewMachine(devices...)
	if len(devices) > 0 && machine.Problem() != nil {
		return nil, invalidInput{fmt.Errorf("--devices: %w", machine.Problem())}
	}
	return newWorkbenchOn(machine)
}

func newWorkbenchOn(machine *cuda.Machine) (*workbench, error) {
	engines, err := stages.NewEngines(stages.WithMachine(machine))
	if err != nil {
		return nil, err
	}
	generators := stages.NewGenerators()
	registry, err := stage.NewRegistry(append(stages.Kinds(engines, generators), sim.Kinds()...)...)
	if err != nil {
		return nil, err
	}
	return &workbench{engines: engines, generators: generators, registry: registry}, nil
}

// close ends what the workbench keeps: generators, and the streams of devices.
func (w *workbench) close() error { return errors.Join(w.generators.Close(), w.engines.Close()) }

// pipelineFlags are those of every command that loads a pipeline.
type pipelineFlags struct {
	set     []string
	memory  string
	devices []int
}

func (f *pipelineFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.set, "set", nil, "set a parameter of the pipeline, `name=value`; may be repeated")
	flags.StringVar(&f.memory, "memory", "", "the `bytes` that the pool named host may have (128MiB); default: what the machine offers")
}

// addDevices adds the flag of those that use this machine's GPUs.
func (f *pipelineFlags) addDevices(flags *pflag.FlagSet) {
	flags.IntSliceVar(&f.devices, "devices", nil, "the GPUs to use, by CUDA's `numbers` (0,2); default: all")
}

// loadPipeline loads a pipeline from a file, or one of those that come with the program by its name.
func (w *workbench) loadPipeline(name string, set []string) (*spec.Pipeline, error) {
	source, file, err := readPipeline(name)
	if err != nil {
		return nil, err
	}
	return spec.Loader{Registry: w.registry, Overrides: set, Devices: w.engines.Devices}.Load(file, source)
}

// readPipeline reads a pipeline's file, or the source of one that comes with the program. file is what errors call it.
func readPipeline(name string) (source []byte, file string, err error) {
	if _, err := os.Stat(name); err != nil {
		if source, ok := pipelines.Read(name); ok {
			return source, strings.TrimSuffix(name, ".yaml") + ".yaml", nil
		}
		if !strings.ContainsAny(name, "./") {
			return nil, name, invalidInput{fmt.Errorf("there is no pipeline %q; those that come with the program: %s",
				name, strings.Join(slices.Concat(pipelines.Names(), pipelines.Devices(), pipelines.Costed()), ", "))}
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
func (a *App) bind(bench *workbench, f *pipelineFlags, p *spec.Pipeline) (*program.Program, error) {
	limits, err := a.limits(bench, f, p)
	if err != nil {
		return nil, err
	}
	var options []program.Option
	if hasPool(p, budget.Device) {
		options = append(options, program.Devices(bench.engines.Devices()))
	}
	prog, err := program.New(p, limits, options...)
	if err != nil {
		return nil, invalidInput{err}
	}
	return prog, nil
}

func hasPool(p *spec.Pipeline, memory budget.Memory) bool {
	return slices.ContainsFunc(p.Pools, func(pool spec.Pool) bool { return pool.Memory == memory })
}

// limits gives the bytes of the pools: of the GPUs what they have free, of the host what is asked for or found.
func (a *App) limits(bench *workbench, f *pipelineFlags, p *spec.Pipeline) (map[string]int64, error) {
	found, err := a.memory()
	if err != nil {
		return nil, err
	}
	limits, err := bench.deviceLimits(p)
	if err != nil {
		return nil, err
	}
	free := found.Free
	if bench.assumed != nil {
		free = hostOf(f.memory, free)
	}
	if bench.engines.Devices() > 0 {
		free -= pinned(limits, p, free)
	}
	return limits, a.hostLimit(limits, f, p, found, free)
}

// pinnedShare is the part of free memory that pinned pools get where a pipeline leaves it open: 1/pinnedShare.
const pinnedShare = 4

// pinned limits the pools of pinned memory, which is memory of the host too, and gives what they come to.
func pinned(limits map[string]int64, p *spec.Pipeline, free int64) (total int64) {
	for _, pool := range p.Pools {
		if pool.Memory != budget.Pinned {
			continue
		}
		limits[pool.Name] = max(free/pinnedShare-pool.Margin, 0)
		if !pool.Limit.Auto {
			limits[pool.Name] = pool.Limit.Bytes
		}
		total += limits[pool.Name]
	}
	return total
}

// hostOf is the memory of a host with assumed GPUs: what this one has free or, where more is asked for, as much as leaves
// that beside pinned memory.
func hostOf(asked string, free int64) int64 {
	bytes, err := budget.ParseBytes(asked)
	if err != nil || bytes <= 0 || bytes >= knownMemory {
		return free
	}
	return max(free, bytes+bytes/(pinnedShare-1)+1)
}

// hostLimit limits the pool named host to what is asked for, as far as the machine has it, or to what it has free less
// the pool's margin.
func (a *App) hostLimit(limits map[string]int64, f *pipelineFlags, p *spec.Pipeline, found budget.Limit, free int64) error {
	i := slices.IndexFunc(p.Pools, func(pool spec.Pool) bool { return pool.Name == "host" })
	if f.memory == "" {
		if i >= 0 && p.Pools[i].Limit.Auto {
			limits["host"] = max(free-p.Pools[i].Margin, 0)
		}
		return nil
	}
	asked, err := budget.ParseBytes(f.memory)
	if err != nil || asked <= 0 {
		return usageError{fmt.Errorf("--memory %s: write a size such as 512MiB or 4GiB", f.memory)}
	}
	if i < 0 {
		return usageError{fmt.Errorf("--memory bounds the pool host, and pipeline %s has none of that name", p.Name)}
	}
	limits["host"] = min(asked, free)
	if asked > free {
		fmt.Fprintf(a.Stderr, "proofgraph: --memory %s is more than is free (%s): %s it is\n", f.memory, found.Reason,
			budget.FormatBytes(free))
	}
	return nil
}
