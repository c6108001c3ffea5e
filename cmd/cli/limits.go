package cli

import (
	"fmt"
	"slices"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/spec"
)

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
	i := slices.IndexFunc(p.Pools, func(pool spec.Pool) bool { return pool.Name == hostPool })
	if f.memory == "" {
		if i >= 0 && p.Pools[i].Limit.Auto {
			limits[hostPool] = max(free-p.Pools[i].Margin, 0)
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
	limits[hostPool] = min(asked, free)
	if asked > free {
		fmt.Fprintf(a.Stderr, "proofgraph: --memory %s is more than is free (%s): %s it is\n", f.memory, found.Reason,
			budget.FormatBytes(free))
	}
	return nil
}
