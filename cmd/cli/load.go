package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/pipelines"
)

// pipelineFlags are those of every command that loads a pipeline.
type pipelineFlags struct {
	set     []string
	memory  string
	devices deviceList
	sizing  bool // nothing runs, so more memory may be spoken of than this machine has
}

func (f *pipelineFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.set, "set", nil, "set a parameter of the pipeline, `name=value`; may be repeated")
	flags.StringVar(&f.memory, "memory", "", "the `bytes` of the host's memory to use at most, pinned memory for GPUs included (128MiB); default: what the machine offers")
}

// addDevices adds the flag of those that use this machine's GPUs.
func (f *pipelineFlags) addDevices(flags *pflag.FlagSet) {
	flags.Var(&f.devices, "devices", "the GPUs to use, by CUDA's `numbers` (0,2), or none; default: all")
}

// loadPipeline loads a pipeline from a file, or one of those that come with the program by its name.
func (w *workbench) loadPipeline(name string, set []string) (*spec.Pipeline, error) {
	source, file, err := readPipeline(name)
	if err != nil {
		return nil, err
	}
	return spec.Loader{Registry: w.registry, Overrides: set, Devices: w.engines.Devices}.Load(file, source)
}

// loadProver loads a pipeline that makes proofs, and can on this machine, to whose memory it is bound.
func (a *App) loadProver(bench *workbench, name string, f *pipelineFlags) (*program.Program, error) {
	pipeline, err := bench.loadPipeline(name, f.set)
	if err != nil {
		return nil, err
	}
	if err := requireProofs(pipeline); err != nil {
		return nil, err
	}
	if err := bench.requireGPU(pipeline); err != nil {
		return nil, err
	}
	return a.bind(bench, f, pipeline)
}

// readPipeline reads a pipeline's file, or the source of one that comes with the program. file is what errors call it.
func readPipeline(name string) (source []byte, file string, err error) {
	if _, err := os.Stat(name); err != nil {
		if source, ok := pipelines.Read(name); ok {
			return source, strings.TrimSuffix(name, ".yaml") + ".yaml", nil
		}
		if !strings.ContainsAny(name, "./") {
			return nil, name, noPipeline(name)
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

// noPipeline says that none that comes with the program has a name.
func noPipeline(name string) error {
	return invalidInput{fmt.Errorf("there is no pipeline %q; %s", name, comeWith(allPipelines()))}
}
