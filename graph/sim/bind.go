package sim

import (
	"fmt"
	"maps"

	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// Bind loads a pipeline for the machine of a profile: ${cores} are its cores, and a pool without a limit of its own has
// what the machine has less the pool's margin, or what limits says instead.
func (p *Profile) Bind(name string, source []byte, registry *stage.Registry, sets []string, limits map[string]int64) (*program.Program, error) {
	pipeline, err := spec.Loader{Registry: registry, Overrides: sets, Cores: p.Machine.Cores}.Load(name, source)
	if err != nil {
		return nil, err
	}
	all := p.limits(pipeline)
	maps.Copy(all, limits)
	prog, err := program.New(pipeline, all)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return prog, nil
}

func (p *Profile) limits(pipeline *spec.Pipeline) map[string]int64 {
	limits := map[string]int64{}
	for _, pool := range pipeline.Pools {
		if memory, known := p.Machine.Memory[pool.Name]; known {
			limits[pool.Name] = max(int64(memory.Total-memory.Others)-pool.Margin, 1)
		}
	}
	return limits
}
