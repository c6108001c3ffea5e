package sim

import (
	"fmt"
	"maps"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// Bind loads a pipeline for the machine of a profile: ${cores} are its cores and ${devices} its devices, on which items
// are placed, and a pool without a limit of its own has what the machine has less the pool's margin, or what limits says
// instead. Pinned and device memory of which the profile says nothing the machine does not have.
func (p *Profile) Bind(name string, source []byte, registry *stage.Registry, sets []string, limits map[string]int64) (*program.Program, error) {
	pipeline, err := p.Load(name, source, registry, sets)
	if err != nil {
		return nil, err
	}
	all := p.limits(pipeline)
	maps.Copy(all, limits)
	prog, err := program.New(pipeline, all, program.Devices(p.Machine.Devices))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return prog, nil
}

// Load loads a pipeline for the machine of a profile, without its memory.
func (p *Profile) Load(name string, source []byte, registry *stage.Registry, sets []string) (*spec.Pipeline, error) {
	loader := spec.Loader{Registry: registry, Overrides: sets, Cores: p.Machine.Cores, Devices: func() int { return p.Machine.Devices }}
	return loader.Load(name, source)
}

// limits gives what the machine has of a pipeline's pools, by the names that program.New wants.
func (p *Profile) limits(pipeline *spec.Pipeline) map[string]int64 {
	limits := map[string]int64{}
	for _, pool := range pipeline.Pools {
		names := []string{pool.Name}
		for d := 0; pool.Memory == budget.Device && d < p.Machine.Devices; d++ {
			names = append(names, program.NameOn(pool.Name, d, p.Machine.Devices))
		}
		for _, name := range names {
			if memory, known := p.Machine.Memory[name]; known {
				limits[name] = max(int64(memory.Total-memory.Others)-pool.Margin, 1)
			}
		}
	}
	return limits
}
