package stages

import (
	"fmt"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/proving/cuda"
)

// Devices is the number of GPUs that items may be placed on.
func (e *Engines) Devices() int {
	if e.machine == nil {
		return 0
	}
	return e.machine.Count()
}

// DeviceNumber is CUDA's number of a device that items may be placed on.
func (e *Engines) DeviceNumber(device int) int {
	if device >= e.Devices() {
		return device
	}
	return e.machine.Number(device)
}

// Problem says why there is no GPU to work on, nil where there is one. It wraps engine.ErrUnavailable.
func (e *Engines) Problem() error { return e.available() }

// Close ends what the engines keep on devices. No stage may be at work.
func (e *Engines) Close() error {
	if e.machine == nil {
		return nil
	}
	return e.machine.Close()
}

// DeviceLimits gives the bytes that each GPU has free for a pipeline's pools of device memory, by the names that
// program.New wants, margins taken off. A GPU that does not say so has none, and gets no item; problems has why, by its
// number. A pipeline without such pools opens no device.
func (e *Engines) DeviceLimits(p *spec.Pipeline) (limits map[string]int64, problems map[int]error) {
	limits, problems = map[string]int64{}, map[int]error{}
	for _, pool := range p.Pools {
		if pool.Memory != budget.Device {
			continue
		}
		for d := range e.Devices() {
			free, err := e.freeOf(d)
			name := program.NameOn(pool.Name, d, e.Devices())
			switch {
			case err != nil:
				limits[name], problems[d] = 0, err
			case pool.Limit.Auto:
				limits[name] = max(free-pool.Margin, 0)
			}
		}
	}
	return limits, problems
}

// freeOf gives the bytes that a device has free.
func (e *Engines) freeOf(number int) (int64, error) {
	d, err := e.machine.Device(number)
	if err != nil {
		return 0, err
	}
	free, _, err := d.Memory()
	if err != nil {
		return 0, fmt.Errorf("free memory of GPU %d: %w", d.Index(), err)
	}
	return int64(free), nil
}

// PoolMemory makes a program's pools of device and pinned memory real: each GPU's pool is of its memory. What is
// released there is kept for the next lease of its size, within the pool, since CUDA takes long to allocate.
func (e *Engines) PoolMemory(prog *program.Program) ([]budget.Option, error) {
	var options []budget.Option
	for i, pool := range prog.Pools {
		var allocator budget.Allocator
		switch {
		case pool.Memory == budget.Pinned && pool.Limit > 0:
			allocator = cuda.PinnedMemory{}
		case pool.Memory == budget.Device && pool.Limit > 0:
			d, err := e.machine.Device(pool.Device)
			if err != nil {
				return nil, err
			}
			allocator = cuda.DeviceMemory{Device: d}
		default:
			continue
		}
		options = append(options, budget.WithAllocator(i, allocator), budget.WithIdle(i, pool.Limit))
	}
	return options, nil
}
