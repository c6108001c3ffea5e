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
}

// Learn makes a profile from real runs on one machine. Bodies share its cores and are taken to load them with the threads
// they may use, or a part of that: the part, the same for all, is the one that makes the bodies of each stage most alike
// once the time that they took from each other is taken out. Of names the fact that seconds depend on; recordings of
// several sizes give a curve, one of a single size gives seconds in proportion to it.
func Learn(name, of string, machine Machine, recordings ...Recording) (*Profile, error) {
	if machine.Cores < 1 || len(recordings) == 0 {
		return nil, errors.New("a profile is learned from a machine with cores and at least one run")
	}
	best, least := 1.0, math.Inf(1)
	for part := 0.3; part < 1.01; part += 0.05 {
		if s := unlike(costs(of, machine.Cores, part, recordings)); s < least {
			best, least = part, s
		}
	}
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
		alone := r.alone(cores, part)
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

// alone gives the time that each span would have taken with the cores to itself: at every moment the bodies under way
// share the cores as Resource.served says.
func (r *Recording) alone(cores int, part float64) []time.Duration {
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
	took := make([]time.Duration, len(r.Timeline.Spans))
	var clock, demand float64 // the clock of work done by whoever is under way
	var now time.Duration
	for _, e := range edges {
		clock += resource.served(demand) * float64(e.at-now)
		now = e.at
		demand = max(demand+e.load, 0)
		if e.load > 0 {
			begun[e.span] = clock
		} else {
			took[e.span] = time.Duration(clock - begun[e.span])
		}
	}
	return took
}

// unlike tells how much the bodies of one stage and size differ, weighted by their seconds.
func unlike(all map[bodiesOf][]float64) float64 {
	var sum, weight float64
	for _, seconds := range all {
		mean, spread := meanAndSpread(seconds)
		sum += spread * mean * float64(len(seconds))
		weight += mean * float64(len(seconds))
	}
	if weight == 0 {
		return 0
	}
	return sum / weight
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
