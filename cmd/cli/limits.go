package cli

import (
	"fmt"
	"math"
	"slices"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/spec"
)

// requireMemory refuses, before any work, to run where the program itself has too little memory to do so.
func (a *App) requireMemory() error {
	found, err := a.memory()
	if err != nil {
		return err
	}
	if host := (hostMemory{free: found.Free, reason: found.Binding()}); host.most() <= 0 {
		return host.tooLittle(itself)
	}
	return nil
}

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
	host := hostMemory{free: free, reason: found.Binding(), assumed: bench.assumed != nil || f.sizing}
	if bench.hostMost = host.most(); host.assumed {
		bench.hostMost = math.MaxInt64
	}
	return limits, a.hostLimit(limits, f, p, host)
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

// ownMemory is what the program needs beside its pools, of so many free bytes: Go's heap, threads and their stacks, which
// measured are 6 to 10 MiB for a few jobs; page tables, which take 1/512 of leases and as much of mapped files; and the
// pages of mapped files that are in use. Where those have no room they are read from disk again and again, and the kernel
// kills a process whose other pages are all on their way from there.
func ownMemory(free int64) int64 { return 16<<20 + free/256 + min(free/4, 1<<30) }

// hostLimit limits the pool named host to what is asked for, as far as the machine has it, or to what it has free less
// the pool's margin.
func (a *App) hostLimit(limits map[string]int64, f *pipelineFlags, p *spec.Pipeline, host hostMemory) error {
	i := slices.IndexFunc(p.Pools, func(pool spec.Pool) bool { return pool.Name == hostPool })
	if f.memory == "" {
		if i >= 0 {
			return a.unasked(limits, p.Pools[i], host)
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
	return a.atMost(limits, host, asked, "--memory "+f.memory)
}

// unasked limits the pool named host by what the pipeline says.
func (a *App) unasked(limits map[string]int64, pool spec.Pool, host hostMemory) error {
	if pool.Limit.None {
		return nil
	}
	if !pool.Limit.Auto {
		if host.assumed {
			return nil
		}
		return a.atMost(limits, host, pool.Limit.Bytes, "the pool's limit of "+budget.FormatBytes(pool.Limit.Bytes))
	}
	limits[hostPool] = max(host.free-pool.Margin, 0)
	if limits[hostPool] > 0 {
		return nil
	}
	return host.tooLittle(fmt.Sprintf("the pool's margin of %s", budget.FormatBytes(pool.Margin)))
}

// atMost limits the pool to what is asked for or to what the process may have, and says which.
func (a *App) atMost(limits map[string]int64, host hostMemory, asked int64, what string) error {
	most := host.most()
	if host.assumed {
		most = max(most, asked)
	}
	if most <= 0 {
		return host.tooLittle(itself)
	}
	limits[hostPool] = min(asked, most)
	if asked > most {
		fmt.Fprintf(a.Stderr, "proofgraph: %s is more than there is (%s, %s of it free, some needed beside the pool): %s it is\n", what,
			host.reason, budget.FormatBytes(host.free), budget.FormatBytes(most))
	}
	return nil
}

// hostMemory is what the host has free for pools, and under which limit.
type hostMemory struct {
	free    int64
	reason  string
	assumed bool // nothing runs here: it may be another machine that is asked about
}

// most gives the bytes that a pool can be promised.
func (h hostMemory) most() int64 {
	if h.assumed {
		return h.free
	}
	return h.free - ownMemory(h.free)
}

const itself = "what the program itself needs"

// tooLittle says that nothing is left for the pool.
func (h hostMemory) tooLittle(beside string) error {
	hint := "raise that limit"
	if most := h.most(); most > 0 {
		hint = fmt.Sprintf("--memory %dKiB takes all that can be had", most>>10)
	}
	return noMemoryLeft{fmt.Errorf("cannot fit: %s, %s of it free, leaves nothing for the pool \"host\" beside %s; %s", h.reason,
		budget.FormatBytes(h.free), beside, hint)}
}

// noMemoryLeft says that the machine leaves nothing for the pool named host.
type noMemoryLeft struct{ error }
