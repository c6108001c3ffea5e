package stages

import (
	"fmt"
	"slices"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/cuda"
	"github.com/proofgraph/proofgraph/proving/engine"
)

// backendCUDA is the backend that is no engine of whole vectors on the host, but a GPU.
const backendCUDA = "cuda"

// The kinds that there are for GPUs alone.
const (
	kindLoadDevice = "groth16.load_device"
	kindUpload     = "groth16.upload"
	kindQuotient   = "groth16.quotient"
)

// An EngineOption changes what engines work with.
type EngineOption func(*Engines)

// WithMachine gives stages the GPUs of a machine to work on. The engines close it (Close).
func WithMachine(m *cuda.Machine) EngineOption { return func(e *Engines) { e.machine = m } }

// onDevice says whether a stage computes on a GPU: where it must, or where nothing is said, there is one, and the
// pipeline speaks of its memory. What it takes there is known then, but a GPU that must be used need not be there: bodies
// ask available.
func (e *Engines) onDevice(o stage.Options) (bool, error) {
	declared := o.Declares(ClassDeviceScratch) && o.Declares(ClassPinned)
	switch o.String("backend") {
	case engine.Auto:
		if !declared || e.available() != nil {
			return false, nil
		}
		return true, e.sized()
	case backendCUDA:
		if !declared {
			return false, fmt.Errorf("backend %q takes memory of the classes %s and %s, which the pipeline does not declare",
				backendCUDA, ClassDeviceScratch, ClassPinned)
		}
		return true, e.sized()
	}
	return false, nil
}

// GPUOnly names the stages of a pipeline that can work on a GPU alone.
func GPUOnly(p *spec.Pipeline) []string {
	var names []string
	for _, s := range p.Stages {
		o := s.Options
		onDevice := slices.Contains([]string{o.String(optionBases), o.String(optionScalars), o.String("to")}, device)
		if onDevice || o.String("backend") == backendCUDA || s.Kind.Name == kindLoadDevice || s.Kind.Name == kindUpload || s.Kind.Name == kindQuotient {
			names = append(names, s.Name)
		}
	}
	return names
}

// sized says why it is not known what stages take on a GPU, nil where it is, with a GPU or without.
func (e *Engines) sized() error {
	if e.machine == nil {
		return errNoMachine
	}
	if err := e.machine.Sizes(); err != nil {
		return fmt.Errorf("%w: %s: the kernel library says what its kernels take, and needs no GPU for that; build it with "+
			"make cuda, or testing/gpu/nvcc.sh where there is no CUDA: %w", engine.ErrUnavailable, backendCUDA, err)
	}
	return nil
}

var errNoMachine = fmt.Errorf("%w: %s: no GPU is used here", engine.ErrUnavailable, backendCUDA)

// available says why there is no GPU to work on, nil where there is one.
func (e *Engines) available() error {
	switch {
	case e.machine == nil:
		return errNoMachine
	case e.machine.Problem() != nil:
		return fmt.Errorf("%w: %s: %w", engine.ErrUnavailable, backendCUDA, e.machine.Problem())
	case e.machine.Count() == 0:
		return fmt.Errorf("%w: %s: there is no GPU", engine.ErrUnavailable, backendCUDA)
	}
	return nil
}

// device opens the device that a task's item was placed on.
func (e *Engines) device(t *stage.Task) (*cuda.Device, error) {
	if err := e.available(); err != nil {
		return nil, err
	}
	return e.machine.Device(t.Device)
}

// deviceMemory is the memory of a lease as kernels take it, nil where there is none.
func deviceMemory(d *cuda.Device, l *budget.Lease) *cudabind.Buffer {
	if l.Memory() != budget.Device {
		return nil
	}
	return d.At(l.Address(), int(l.Size()))
}

// deviceScratch is what a task has of what scratchOf asked for.
func deviceScratch(d *cuda.Device, t *stage.Task) cuda.Scratch {
	return cuda.Scratch{
		Device: deviceMemory(d, t.ScratchLease(ClassDeviceScratch)), Pinned: t.Scratch(ClassPinned),
	}
}

// scratchOf is the scratch of a step on a device, for a footprint.
func scratchOf(n cuda.Need) map[string]int64 {
	return map[string]int64{ClassDeviceScratch: n.Device, ClassPinned: n.Pinned}
}
