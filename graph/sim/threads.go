package sim

import (
	"maps"
	"math"
)

// onThreads gives the cost with a number of threads: as it was measured, or from the nearest that was, of two as near the
// one with more.
func (c Costs) onThreads(threads int) Cost {
	best, least := c[0], math.Inf(1)
	for _, cost := range c {
		off := math.Abs(math.Log(float64(max(cost.Threads, 1)) / float64(max(threads, 1))))
		if off < least || off == least && cost.Threads > best.Threads {
			best, least = cost, off
		}
	}
	return best.onThreads(threads)
}

// onThreads gives what a cost would be with another number of threads.
func (c Cost) onThreads(threads int) Cost {
	if c.Threads <= 1 || threads < 1 || threads == c.Threads {
		return c
	}
	phases := make([]Phase, len(c.phases()))
	for i, phase := range c.phases() {
		phases[i] = phase.onThreads(float64(c.Threads), float64(threads))
	}
	if len(c.Phases) > 0 {
		c.Phases = phases
	} else {
		c.Phase = phases[0]
	}
	c.Threads = threads
	return c
}

// onThreads stretches a phase by Amdahl's law (AFIPS 1967): a phase that keeps L of its T threads busy spends the part
// (L-1)/(T-1) of its time on all of them, which scales, and the rest on one, which does not. The processor time stays.
func (ph Phase) onThreads(had, has float64) Phase {
	load := ph.Loads[coresResource]
	shared := min(max((load-1)/(had-1), 0), 1)
	stretch := 1 - shared + shared*had/has
	ph.Seconds *= stretch
	ph.At = maps.Clone(ph.At)
	for size := range ph.At {
		ph.At[size] *= stretch
	}
	if load > 0 {
		ph.Loads = maps.Clone(ph.Loads)
		ph.Loads[coresResource] = load / stretch
	}
	return ph
}
