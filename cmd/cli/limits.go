package cli

import (
	"fmt"
	"maps"
	"slices"
	"sort"

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
	limits, err := bench.deviceLimits(p, a.Stderr)
	if err != nil {
		return nil, err
	}
	total, err := a.hostMemory(bench, f, p)
	if err != nil {
		return nil, err
	}
	parts := map[string]int64{hostPool: total}
	if bench.engines.Devices() > 0 {
		parts = divide(p, total)
	}
	if f.memory == "" {
		leaveMargin(parts, p)
	} else if err := requireRest(f.memory, total, parts[hostPool]); err != nil {
		return nil, err
	}
	maps.Copy(limits, parts)
	return limits, nil
}

// pinnedShare is the part of a host's memory that pinned pools get where a pipeline leaves it open: 1/pinnedShare.
const pinnedShare = 4

// divide gives each pool of pinned memory, which is memory of the host too, its part of the host's, and the pool named host
// what is left: all together never have more.
func divide(p *spec.Pipeline, total int64) map[string]int64 {
	parts := map[string]int64{hostPool: total}
	for _, pool := range p.Pools {
		if pool.Memory != budget.Pinned {
			continue
		}
		part := pool.Limit.Bytes
		if pool.Limit.Auto {
			part = max(total/pinnedShare-pool.Margin, 0)
		}
		parts[pool.Name] = part
		parts[hostPool] -= part
	}
	return parts
}

// leastTotal gives the least memory of the host of which each pool gets, by its name, the bytes that are wanted, in whole
// KiB.
func leastTotal(p *spec.Pipeline, wanted map[string]int64) int64 {
	const most = knownMemory >> 10
	return int64(sort.Search(most, func(kib int) bool {
		parts := divide(p, int64(kib)<<10)
		for name, bytes := range wanted {
			if parts[name] < bytes {
				return false
			}
		}
		return true
	})) << 10
}

// hostMemory gives the bytes of the host's memory that a run may have: what is asked for, as far as the machine has it, or
// all that it has free. GPUs that are assumed are in a host that has what is asked for.
func (a *App) hostMemory(bench *workbench, f *pipelineFlags, p *spec.Pipeline) (int64, error) {
	found, err := a.memory()
	if err != nil || f.memory == "" {
		return found.Free, err
	}
	asked, err := parseMemory(f.memory, p)
	if err != nil {
		return 0, err
	}
	if asked > found.Free && bench.assumed == nil {
		fmt.Fprintf(a.Stderr, "proofgraph: --memory %s is more than is free (%s): %s it is\n", f.memory, found.Reason,
			budget.FormatBytes(found.Free))
		return found.Free, nil
	}
	return asked, nil
}

// parseMemory reads --memory, for a pipeline that it says something of.
func parseMemory(text string, p *spec.Pipeline) (int64, error) {
	asked, err := budget.ParseBytes(text)
	if err != nil || asked <= 0 || asked >= knownMemory {
		return 0, usageError{fmt.Errorf("--memory %s: write a size such as 512MiB or 4GiB", text)}
	}
	if !slices.ContainsFunc(p.Pools, isHost) {
		return 0, usageError{fmt.Errorf("--memory bounds the pool host, and pipeline %s has none of that name", p.Name)}
	}
	return asked, nil
}

func isHost(pool spec.Pool) bool { return pool.Name == hostPool }

// leaveMargin takes the margin of the pool named host off its part, where nobody says how much it may have. One with a limit
// of its own keeps that.
func leaveMargin(parts map[string]int64, p *spec.Pipeline) {
	if i := slices.IndexFunc(p.Pools, isHost); i >= 0 && p.Pools[i].Limit.Auto {
		parts[hostPool] = max(parts[hostPool]-p.Pools[i].Margin, 0)
		return
	}
	delete(parts, hostPool)
}

// requireRest refuses memory of which pinned pools leave nothing.
func requireRest(asked string, total, rest int64) error {
	if rest > 0 {
		return nil
	}
	return usageError{fmt.Errorf("--memory %s: the pipeline's pools of pinned memory take %s of it, which leaves nothing",
		asked, budget.FormatBytes(total-rest))}
}
