package cli

import (
	"errors"

	"github.com/proofgraph/proofgraph/graph/sim"
	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/stages"
)

// A workbench has what pipelines are made of: the stage kinds, and the engines and generators that their bodies use.
type workbench struct {
	engines    *stages.Engines
	generators *stages.Generators
	registry   *stage.Registry
	assumed    *assumedGPUs // nil: the GPUs of this machine
	hostMost   int64        // bytes that the pool named host can have at most; bind finds them
	named      bool         // the user named the GPUs, and wants those
}

// newWorkbench gives a workbench with all GPUs that there are.
func newWorkbench() (*workbench, error) { return newWorkbenchWith(&deviceList{}) }

// newWorkbenchWith gives a workbench with some GPUs.
func newWorkbenchWith(devices *deviceList) (*workbench, error) {
	engines, err := devices.engines()
	if err != nil {
		return nil, err
	}
	bench, err := workbenchOf(engines)
	if err != nil {
		return nil, err
	}
	bench.named = len(devices.numbers) > 0
	return bench, nil
}

// workbenchOf gives the workbench of engines, which it closes.
func workbenchOf(engines *stages.Engines) (*workbench, error) {
	generators := stages.NewGenerators()
	registry, err := stage.NewRegistry(append(stages.Kinds(engines, generators), sim.Kinds()...)...)
	if err != nil {
		return nil, err
	}
	return &workbench{engines: engines, generators: generators, registry: registry}, nil
}

// close ends what the workbench keeps: generators, and the streams of devices.
func (w *workbench) close() error { return errors.Join(w.generators.Close(), w.engines.Close()) }
