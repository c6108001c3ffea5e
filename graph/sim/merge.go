package sim

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Merge makes one profile of several that were learned on one machine: recordings of two sizes of circuit give curves,
// those of two pipelines the stages of both, and of what several know the median holds, since machines have better and
// worse moments. Stages of one name must do the same work in all. Facts are those of the first.
func Merge(profiles ...*Profile) (*Profile, error) {
	if len(profiles) == 0 {
		return nil, errors.New("no profiles to merge")
	}
	first := profiles[0]
	if len(profiles) == 1 {
		return first, nil
	}
	p := &Profile{Name: namesOf(profiles), Facts: first.Facts, Machine: first.Machine, Resources: maps.Clone(first.Resources)}
	for _, other := range profiles[1:] {
		if !p.addMachine(other) {
			return nil, fmt.Errorf("%s and %s are of different machines", first.Name, other.Name)
		}
	}
	var err, errKinds error
	p.Stages, err = mergeCosts(profiles, func(p *Profile) map[string]Costs { return p.Stages })
	p.Kinds, errKinds = mergeCosts(profiles, func(p *Profile) map[string]Costs { return p.Kinds })
	if err := errors.Join(err, errKinds); err != nil {
		return nil, err
	}
	p.learnCrowding()
	return p, p.check()
}

// addMachine adds what another profile says of the machine; ok is false where it says otherwise. One recorded with GPUs
// knows of them, one of a pipeline that uses none does not.
func (p *Profile) addMachine(other *Profile) (ok bool) {
	for name, resource := range other.Resources {
		if known, found := p.Resources[name]; found {
			if resource = known.or(resource); resource.Capacity == 0 {
				return false
			}
		}
		if p.Resources == nil {
			p.Resources = map[string]Resource{}
		}
		p.Resources[name] = resource
	}
	if other.Machine.Devices > 0 {
		if p.Machine.Devices > 0 && p.Machine.Devices != other.Machine.Devices {
			return false
		}
		p.Machine.Devices, p.Machine.Memory = other.Machine.Devices, other.Machine.Memory
	}
	return other.Machine.Cores == p.Machine.Cores
}

// or gives what two profiles say of one resource, of measured capacities the greater, or nothing where they contradict.
func (r Resource) or(other Resource) Resource {
	if r.Measured && other.Measured {
		other.Capacity = max(r.Capacity, other.Capacity)
		r.Capacity = other.Capacity
	}
	if r != other {
		return Resource{}
	}
	return r
}

func namesOf(profiles []*Profile) string {
	var names []string
	for _, p := range profiles {
		if !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	return strings.Join(names, " + ")
}

func mergeCosts(profiles []*Profile, of func(*Profile) map[string]Costs) (map[string]Costs, error) {
	known := map[string]Costs{}
	for _, p := range profiles {
		for name, costs := range of(p) {
			known[name] = append(known[name], costs...)
		}
	}
	all := map[string]Costs{}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		costs, err := known[name].merge()
		if err != nil {
			return nil, fmt.Errorf("%q: %w", name, err)
		}
		all[name] = costs
	}
	return all, nil
}

// merge makes one cost of those with the same number of threads.
func (c Costs) merge() (merged Costs, err error) {
	byThreads := map[int][]Cost{}
	for _, cost := range c {
		byThreads[cost.Threads] = append(byThreads[cost.Threads], cost)
	}
	for _, threads := range slices.Sorted(maps.Keys(byThreads)) {
		cost, err := mergeCost(byThreads[threads])
		if err != nil {
			return nil, err
		}
		merged = append(merged, cost)
	}
	return merged, nil
}

// mergeCost makes one cost of those that several profiles know.
func mergeCost(costs []Cost) (Cost, error) {
	if len(costs) == 1 {
		return costs[0], nil
	}
	merged := Cost{Threads: costs[0].Threads}
	merged.Of = costs[0].Of
	for _, c := range costs {
		switch {
		case len(c.Phases) > 0 || c.Touches != nil:
			return Cost{}, errors.New("costs with phases or touches are written by hand, and are not merged")
		case c.Of != merged.Of:
			return Cost{}, fmt.Errorf("one profile has its seconds by %q, another by %q", merged.Of, c.Of)
		}
	}
	merged.Seconds = medianOf(costs, func(c Cost) (float64, bool) { return c.Seconds, true })
	merged.Launch = medianOf(costs, func(c Cost) (float64, bool) { return c.Launch, true })
	merged.Spread = medianOf(costs, func(c Cost) (float64, bool) { return c.Spread, true })
	merged.At = mergeCurves(costs)
	merged.Loads = mergeLoads(costs)
	return merged, nil
}

func mergeCurves(costs []Cost) map[int64]float64 {
	var at map[int64]float64
	for _, c := range costs {
		for size := range c.At {
			if at == nil {
				at = map[int64]float64{}
			}
			at[size] = medianOf(costs, func(c Cost) (float64, bool) { seconds, known := c.At[size]; return seconds, known })
		}
	}
	return at
}

// mergeLoads gives the means, weighted with the seconds in which they were seen.
func mergeLoads(costs []Cost) map[string]float64 {
	sums, weights := map[string]float64{}, 0.0
	for _, c := range costs {
		weight := c.Seconds
		for _, size := range slices.Sorted(maps.Keys(c.At)) { // in one order, since sums of floats depend on it
			weight += c.At[size]
		}
		weights += weight
		for resource, load := range c.Loads {
			sums[resource] += weight * load
		}
	}
	for resource := range sums {
		sums[resource] = math.Round(1000*sums[resource]/cmp.Or(weights, 1)) / 1000
	}
	return sums
}

// medianOf gives the median of a number over those costs that have it.
func medianOf(costs []Cost, of func(Cost) (float64, bool)) float64 {
	var all []float64
	for _, c := range costs {
		if x, known := of(c); known {
			all = append(all, x)
		}
	}
	slices.Sort(all)
	n := len(all)
	return (all[(n-1)/2] + all[n/2]) / 2
}
