package stages

import (
	"errors"
	"fmt"
	"sync"

	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/cuda"
	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/engine/avx512"
	"github.com/proofgraph/proofgraph/proving/engine/gnark"
)

// Engines opens engines by name and keeps them, so that all stages of a curve share their tables.
type Engines struct {
	registry *engine.Registry
	machine  *cuda.Machine // nil: no GPU is used

	mu     sync.Mutex
	opened map[engineKey]engine.Engine
}

type engineKey struct {
	name  string
	curve curve.ID
}

// NewEngines gives the engines that this build has; without WithMachine they are those of the CPU.
func NewEngines(options ...EngineOption) (*Engines, error) {
	e := &Engines{registry: &engine.Registry{}, opened: map[engineKey]engine.Engine{}}
	for _, option := range options {
		option(e)
	}
	return e, errors.Join(e.registry.Add(gnark.Kind()), e.registry.Add(avx512.Kind()))
}

// Registry lists the engines by name.
func (e *Engines) Registry() *engine.Registry { return e.registry }

// open gives the engine of a stage's backend for a curve.
func (e *Engines) open(o stage.Options, id curve.ID) (engine.Engine, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	key := engineKey{o.String("backend"), id}
	if key.name == backendCPU {
		key.name = engine.Auto
	}
	if opened := e.opened[key]; opened != nil {
		return opened, nil
	}
	opened, err := e.registry.Open(key.name, id)
	if err != nil {
		return nil, fmt.Errorf("backend %q: %w", key.name, err)
	}
	e.opened[key] = opened
	return opened, nil
}

// backendCPU is the best engine of the CPU, also where there is a GPU.
const backendCPU = "cpu"

// backend is the option by which a stage chooses its engine.
func (e *Engines) backend() stage.Option {
	return stage.Option{
		Name: "backend", Type: stage.String, Default: engine.Auto, Enum: append([]string{engine.Auto, backendCPU}, e.registry.Names()...),
		Doc: "what computes: auto and cpu are the fastest engine that works on this CPU",
	}
}

// gpuBackend is the option of a stage that can work on a GPU too.
func (e *Engines) gpuBackend() stage.Option {
	o := e.backend()
	o.Enum = append(o.Enum, backendCUDA)
	o.Doc = "what computes: auto is a GPU where there is one that has the memory and the pipeline declares " +
		ClassDeviceScratch + " and " + ClassPinned + ", else cpu, the fastest engine that works on this CPU"
	return o
}
