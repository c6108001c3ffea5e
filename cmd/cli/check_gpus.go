package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/pipelines"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/stages"
)

// workbench is that of this machine or, where the flags speak of GPUs, of one that has them.
func (f *checkFlags) workbench() (*workbench, error) {
	bytes, err := f.gpus.bytes()
	if err != nil {
		return nil, err
	}
	bench, err := newWorkbenchWith(&f.devices)
	if err != nil || !f.gpus.given() {
		return bench, err
	}
	defer bench.close()
	return newAssumingWorkbench(assumedGPUs{f.gpus.countOr(max(bench.engines.Devices(), 1)), bytes})
}

// needsGPU says that a proof needs the memory of a GPU, and that there is none, nor assumed to be one.
func needsGPU(bench *workbench, prog *program.Program, shape *program.Shape) bool {
	if shape == nil || bench.engines.Devices() > 0 {
		return false
	}
	for i, bytes := range prog.Graph.Needs(shape.Sched) {
		if prog.Pools[i].Memory == budget.Device && bytes > 0 {
			return true
		}
	}
	return false
}

// requireGPU refuses to run a pipeline with stages for a GPU alone where there is none, before anything is said of sizes:
// what was looked for, and what to do.
func (w *workbench) requireGPU(p *spec.Pipeline) error {
	problem, stages := w.engines.Problem(), stages.GPUOnly(p)
	if problem == nil || len(stages) == 0 {
		return nil
	}
	do := "--pipeline " + pipelines.Default + " proves without a GPU"
	if errors.Is(problem, cudabind.ErrUnavailable) {
		do = "make cuda builds the kernel library, for the folder of the program; " + do
	}
	why := strings.TrimPrefix(problem.Error(), engine.ErrUnavailable.Error()+": cuda: ")
	return invalidInput{fmt.Errorf("pipeline %s needs a GPU, for %s\n  %s\n  %s", p.Name, some(stages), why, do)}
}

// some names the first of many.
func some(names []string) string {
	const told = 3
	if len(names) <= told+1 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more of its stages", strings.Join(names[:told], ", "), len(names)-told)
}

// checkBlind checks a pipeline for a machine with a GPU of which nothing is known.
func (a *App) checkBlind(f *checkFlags, name string) (checkDocument, error) {
	bench, err := newAssumingWorkbench(assumedGPUs{1, unknownMemory})
	if err != nil {
		return checkDocument{Pipeline: name}, err
	}
	return a.checkOne(bench, f, name)
}
