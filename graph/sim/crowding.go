package sim

import (
	"maps"
	"math"
	"slices"
)

// Cores that are all busy are slower than one that is alone. A body's seconds were measured beside no other, with its own
// threads at work; what more cores are busy in a simulation slows it down.

// crowded gives how fast a body goes that asks for its own part of a resource, where all together ask for demand: in parts
// of its speed when nobody else does.
func (r *Resource) crowded(own, demand float64) float64 {
	return (1 + r.Crowding*r.fullness(own)) / (1 + r.Crowding*r.fullness(demand))
}

// fullness is 0 with one unit of the resource in use or less, and 1 with all.
func (r *Resource) fullness(used float64) float64 {
	if r.Capacity <= 1 {
		return 0
	}
	return max(min(used, r.Capacity)-1, 0) / (r.Capacity - 1)
}

// learnCrowding finds the crowding of the cores in costs of one thread and of several for bodies of the same size: those of
// several use more processor time, since they keep more cores busy.
func (p *Profile) learnCrowding() {
	cores, known := p.Resources[coresResource]
	if !known || cores.Crowding > 0 {
		return
	}
	var more, full float64
	for _, name := range slices.Sorted(maps.Keys(p.Stages)) {
		m, f := p.Stages[name].crowding(&cores)
		more, full = more+m, full+f
	}
	if full > 0 {
		cores.Crowding = math.Round(1000*min(max(more/full, 0), 1)) / 1000
		p.Resources[coresResource] = cores
	}
}

// crowding gives the processor seconds that bodies with several threads use more than those with one, and what they would
// use more with a crowding of 1.
func (c Costs) crowding(cores *Resource) (more, full float64) {
	for _, one := range c {
		if one.Threads != 1 {
			continue
		}
		for _, several := range c {
			for _, size := range slices.Sorted(maps.Keys(several.At)) {
				alone := one.At[size] * one.Loads[coresResource]
				if alone == 0 || several.Threads <= 1 {
					continue
				}
				more += several.At[size]*several.Loads[coresResource] - alone
				full += alone * cores.fullness(several.Loads[coresResource])
			}
		}
	}
	return more, full
}
