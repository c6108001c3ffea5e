package cli

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"

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
	limits, err := bench.deviceLimits(p, a.Stderr)
	if err != nil {
		return nil, err
	}
	host, err := a.host(bench, f)
	if err != nil {
		return nil, err
	}
	total, err := a.total(host, f, p)
	if err != nil {
		return nil, err
	}
	parts := map[string]int64{hostPool: total}
	if bench.engines.Devices() > 0 {
		parts = divide(p, total)
	}
	if f.memory == "" {
		err = a.unasked(parts, p, host)
	} else {
		err = requireRest(f.memory, total, parts[hostPool])
	}
	maps.Copy(limits, parts)
	return limits, err
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

// ownMemory is what the program needs beside its pools, of so many free bytes: Go's heap, threads and their stacks, which
// measured are 6 to 10 MiB for a few jobs; page tables, which take 1/512 of leases and as much of mapped files; and the
// pages of mapped files that are in use. Where those have no room they are read from disk again and again, and the kernel
// kills a process whose other pages are all on their way from there.
func ownMemory(free int64) int64 { return 16<<20 + free/256 + min(free/4, 1<<30) }

// host finds what the host has for pools, here or, where nothing runs, wherever it may be.
func (a *App) host(bench *workbench, f *pipelineFlags) (hostMemory, error) {
	found, err := a.memory()
	host := hostMemory{free: found.Free, reason: found.Binding(), assumed: bench.assumed != nil || f.sizing}
	if bench.hostMost = host.most(); host.assumed {
		bench.hostMost = math.MaxInt64
	}
	return host, err
}

// total gives the bytes of the host's memory that a run may have: what is asked for, as far as there is as much beside what
// the program itself needs, or all that is free.
func (a *App) total(host hostMemory, f *pipelineFlags, p *spec.Pipeline) (int64, error) {
	if f.memory == "" {
		return host.free, nil
	}
	asked, err := parseMemory(f.memory, p)
	if err != nil || host.assumed {
		return asked, err
	}
	return a.atMost(host, asked, host.most(), "--memory "+f.memory)
}

// atMost gives what is asked for or what the process may have, and says which.
func (a *App) atMost(host hostMemory, asked, most int64, what string) (int64, error) {
	if most <= 0 {
		return 0, host.tooLittle(itself)
	}
	if asked > most {
		fmt.Fprintf(a.Stderr, "proofgraph: %s is more than there is (%s, %s of it free, some needed beside the pool): %s it is\n", what,
			host.reason, budget.FormatBytes(host.free), budget.FormatBytes(most))
	}
	return min(asked, most), nil
}

// unasked limits the pool named host by what the pipeline says, where nobody says how much it may have: what there is, less
// its margin, or its own limit, as far as there is as much.
func (a *App) unasked(parts map[string]int64, p *spec.Pipeline, host hostMemory) (err error) {
	part := parts[hostPool]
	delete(parts, hostPool)
	i := slices.IndexFunc(p.Pools, isHost)
	if i < 0 || p.Pools[i].Limit.None {
		return nil
	}
	pool := p.Pools[i]
	if pool.Limit.Auto {
		if parts[hostPool] = max(part-pool.Margin, 0); parts[hostPool] == 0 {
			return host.tooLittle(fmt.Sprintf("the pool's margin of %s", budget.FormatBytes(pool.Margin)))
		}
		return nil
	}
	if !host.assumed {
		most := part - (host.free - host.most())
		parts[hostPool], err = a.atMost(host, pool.Limit.Bytes, most, "the pool's limit of "+budget.FormatBytes(pool.Limit.Bytes))
	}
	return err
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

// requireRest refuses memory of which pinned pools leave nothing.
func requireRest(asked string, total, rest int64) error {
	if rest > 0 {
		return nil
	}
	return usageError{fmt.Errorf("--memory %s: the pipeline's pools of pinned memory take %s of it, which leaves nothing",
		asked, budget.FormatBytes(total-rest))}
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
