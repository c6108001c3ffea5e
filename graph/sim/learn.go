package sim

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/sim/timeline"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// A Recording is a real run that a profile is learned from.
type Recording struct {
	Program  *program.Program
	Timeline *timeline.Timeline
	// Facts gives the facts of an item.
	Facts func(job string, item int) stage.Facts
	// CPU is the processor time in seconds that the process used during the run.
	CPU float64
}

// Learn makes a profile from real runs on one machine. Bodies share its cores and are taken to load them with the threads
// they may use, or a part of that: the same part for all, with which the runs would have used the processor time that they
// did; so at least one run should leave cores idle at times, with few workers. The time that bodies took from each other is then taken out of their seconds. Of names the fact that seconds depend
// on; recordings of several sizes give a curve, one of a single size gives seconds in proportion to it.
func Learn(name, of string, machine Machine, recordings ...Recording) (*Profile, error) {
	if machine.Cores < 1 || len(recordings) == 0 {
		return nil, errors.New("a profile is learned from a machine with cores and at least one run")
	}
	best := part(machine.Cores, recordings)
	p := &Profile{
		Name: name, Machine: machine, Stages: map[string]Cost{},
		Resources: map[string]Resource{"cores": {Capacity: float64(machine.Cores), Doc: "cores that bodies share"}},
	}
	for key, g := range costs(of, machine.Cores, best, recordings) {
		p.learn(key, g, of, best)
	}
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("what was learned is no profile: %w", err)
	}
	return p, nil
}

// part finds the part of their threads that bodies keep busy, from a twentieth up, by the processor time.
func part(cores int, recordings []Recording) float64 {
	best, least := 1.0, math.Inf(1)
	for p := 0.05; p < 1.01; p += 0.025 {
		var off float64
		for _, r := range recordings {
			_, used := r.alone(cores, p)
			off += math.Abs(used - r.CPU)
		}
		if off < least {
			best, least = p, off
		}
	}
	return best
}

// bodiesOf tells the bodies of one stage for items of one size.
type bodiesOf struct {
	stage   string
	threads int
	size    int64
}

// costs gives, for the bodies of every stage and size, the seconds that its bodies would have taken alone.
func costs(of string, cores int, part float64, recordings []Recording) map[bodiesOf][]float64 {
	all := map[bodiesOf][]float64{}
	for _, r := range recordings {
		alone, _ := r.alone(cores, part)
		for i, s := range r.Timeline.Spans {
			if r.Program.Graph.Stages[s.Stage].Async && !s.Pending {
				continue // a launch
			}
			key := bodiesOf{r.Program.Spec.Stages[s.Stage].Name, r.Program.Threads(s.Stage), r.Facts(s.Job, s.Item)[of]}
			all[key] = append(all[key], alone[i].Seconds())
		}
		r.keepLoads(all)
	}
	return all
}

// keepLoads leaves of a stage that makes cache entries only the body that took longest: the others found the entry.
func (r *Recording) keepLoads(all map[bodiesOf][]float64) {
	for s, buffers := range r.Program.BufferAt {
		if len(buffers) == 0 || !r.Program.Graph.Buffers[buffers[0]].Cached {
			continue
		}
		for key, seconds := range all {
			if key.stage == r.Program.Spec.Stages[s].Name {
				all[key] = []float64{slices.Max(seconds)}
			}
		}
	}
}

// alone gives the time that each span would have taken with the cores to itself, and the processor time in seconds that
// all together would have used: at every moment the bodies under way share the cores as Resource.served says.
func (r *Recording) alone(cores int, part float64) (took []time.Duration, used float64) {
	type edge struct {
		at   time.Duration
		span int
		load float64
	}
	var edges []edge
	for i, s := range r.Timeline.Spans {
		if s.Start >= s.End {
			continue
		}
		load := part * float64(r.Program.Threads(s.Stage))
		edges = append(edges, edge{s.Start, i, load}, edge{s.End, i, -load})
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.load, b.load)) })
	resource := Resource{Capacity: float64(cores)}
	begun := make([]float64, len(r.Timeline.Spans))
	took = make([]time.Duration, len(r.Timeline.Spans))
	var clock, demand float64 // the clock of work done by whoever is under way
	var now time.Duration
	for _, e := range edges {
		clock += resource.served(demand) * float64(e.at-now)
		used += min(demand, resource.Capacity) * (e.at - now).Seconds()
		now = e.at
		demand = max(demand+e.load, 0)
		if e.load > 0 {
			begun[e.span] = clock
		} else {
			took[e.span] = time.Duration(clock - begun[e.span])
		}
	}
	return took, used
}

func meanAndSpread(seconds []float64) (mean, spread float64) {
	for _, s := range seconds {
		mean += s / float64(len(seconds))
	}
	if mean == 0 {
		return 0, 0
	}
	var variance float64
	for _, s := range seconds {
		variance += (s - mean) * (s - mean) / float64(len(seconds))
	}
	return mean, math.Sqrt(variance) / mean
}

// learn adds the bodies of a stage and size to the profile.
func (p *Profile) learn(key bodiesOf, seconds []float64, of string, part float64) {
	mean, spread := meanAndSpread(seconds)
	cost := p.Stages[key.stage]
	cost.Loads = map[string]float64{"cores": part * float64(key.threads)}
	cost.Spread = min(max(cost.Spread, math.Round(spread*1000)/1000), 1)
	if key.size <= 0 {
		cost.Seconds = mean
	} else {
		if cost.At == nil {
			cost.Of, cost.At = of, map[int64]float64{}
		}
		cost.At[key.size] = max(mean, 1e-9)
	}
	p.Stages[key.stage] = cost
}
