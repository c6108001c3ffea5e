package cli

import (
	"fmt"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/run"
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

// requireGPU says why there is no GPU, where the first job needs one.
func (w *workbench) requireGPU(prog *program.Program, jobs []*run.Job) error {
	if len(jobs) == 0 {
		return nil
	}
	shape, err := prog.Shape(&jobs[0].Items[0])
	if err != nil || !needsGPU(w, prog, shape) {
		return nil // what else is wrong is told later, with its job
	}
	return invalidInput{fmt.Errorf("%s: %w", jobs[0].ID, w.engines.Problem())}
}

// checkBlind checks a pipeline for a machine with a GPU of which nothing is known.
func (a *App) checkBlind(f *checkFlags, name string) (checkDocument, error) {
	bench, err := newAssumingWorkbench(assumedGPUs{1, unknownMemory})
	if err != nil {
		return checkDocument{Pipeline: name}, err
	}
	return a.checkOne(bench, f, name)
}
