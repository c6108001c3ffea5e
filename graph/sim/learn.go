package sim

import (
	"errors"
	"fmt"
	"maps"
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
	// Usage is the processor time of the process, moment by moment; the first sample is the run's beginning. One at every
	// start and end of a body tells what each stage uses, one at the end what all use together.
	Usage []Used
	// Buses are the bytes a second that the machine's buses were found to carry. Without them nothing is learned of
	// traffic.
	Buses map[stage.Bus]float64
}

// ErrNothingRan is what Learn says of runs in which no body came to its end.
var ErrNothingRan = errors.New("no body came to its end, so there is nothing to learn from")

// Used is the processor time that a process had used at a moment of its run.
type Used struct{ At, CPU time.Duration }

// Learn makes a profile from real runs on one machine. Bodies share its cores; how many of them a stage keeps busy is
// found from the processor time (loads.go), so at least one run should leave cores idle at times, with few workers. Bodies
// that hold what the pipeline counts per device share the time of their device (alone.go). The time that bodies took from
// each other is then taken out of their seconds. Of names the fact that seconds depend on; recordings of several sizes give
// a curve, one of a single size gives seconds in proportion to it. Runs in which nothing ran are ErrNothingRan.
func Learn(name, of string, machine Machine, recordings ...Recording) (*Profile, error) {
	if machine.Cores < 1 || len(recordings) == 0 {
		return nil, errors.New("a profile is learned from a machine with cores and at least one run")
	}
	loads, err := loadsOf(machine.Cores, recordings)
	if err != nil {
		return nil, err
	}
	p := &Profile{
		Name: name, Machine: machine, Stages: map[string]Costs{},
		Resources: map[string]Resource{coresResource: {Capacity: float64(machine.Cores), Doc: "cores that bodies share"}},
	}
	p.addDeviceTime(recordings)
	p.addBuses(recordings)
	uses := usesOnDevice(recordings)
	all, launches := costs(of, machine.Cores, loads, recordings)
	if len(all) == 0 {
		return nil, ErrNothingRan
	}
	for key, seconds := range all {
		p.learn(key, seconds, of, loads)
		for _, resource := range uses[key.stage] {
			p.Stages[key.stage][0].Loads[resource] = deviceTime
		}
	}
	if err := p.addTraffic(of, recordings); err != nil {
		return nil, err
	}
	for stage, seconds := range launches {
		if p.Stages[stage] == nil {
			p.Stages[stage] = make(Costs, 1)
		}
		p.Stages[stage][0].Launch, _ = meanAndSpread(seconds)
	}
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("what was learned is no profile: %w", err)
	}
	return p, nil
}

// bodiesOf tells the bodies of one stage for items of one size.
type bodiesOf struct {
	stage string
	size  int64
}

// seen is what a body would have taken alone, in seconds, and where.
type seen struct {
	seconds float64
	device  int
	cold    bool
}

// costs gives, for the bodies of every stage and size, the seconds that its bodies would have taken alone, and for async
// stages those of their launches.
func costs(of string, cores int, loads loads, recordings []Recording) (all map[bodiesOf][]float64, launches map[string][]float64) {
	bodies, cached := map[bodiesOf][]seen{}, map[string]bool{}
	launches = map[string][]float64{}
	for _, r := range recordings {
		alone, cold := r.alone(cores, loads), r.cold()
		for i, s := range r.Timeline.Spans {
			if s.Failed {
				continue
			}
			if r.Program.Graph.Stages[s.Stage].Async && !s.Pending {
				launches[r.stageOf(s)] = append(launches[r.stageOf(s)], alone[i].Seconds())
				continue
			}
			key := bodiesOf{r.stageOf(s), r.Facts(s.Job, s.Item)[of]}
			bodies[key] = append(bodies[key], seen{alone[i].Seconds(), s.Device, cold[i]})
			cached[key.stage] = r.makesEntries(s.Stage)
		}
	}
	all = map[bodiesOf][]float64{}
	for key, list := range bodies {
		if cached[key.stage] {
			all[key] = []float64{loadOf(list)}
		} else {
			all[key] = warm(list)
		}
	}
	return all, launches
}

func (r *Recording) stageOf(s timeline.Span) string { return r.Program.Spec.Stages[s.Stage].Name }

// makesEntries says whether a stage makes cache entries.
func (r *Recording) makesEntries(stage int) bool {
	buffers := r.Program.BufferAt[stage]
	return len(buffers) > 0 && r.Program.Graph.Buffers[buffers[0]].Cached
}

// loadOf gives the seconds of making a cache entry: those of the body that took longest, since the others found the
// entry. Where several devices have one each, it is the shortest of theirs: what is first on any device opens it.
func loadOf(list []seen) float64 {
	longest := map[int]float64{}
	for _, s := range list {
		longest[s.device] = max(longest[s.device], s.seconds)
	}
	return slices.Min(slices.Collect(maps.Values(longest)))
}

// warm gives the seconds of bodies that found their device known, or of all if there are none.
func warm(list []seen) (seconds []float64) {
	for _, s := range list {
		if !s.cold {
			seconds = append(seconds, s.seconds)
		}
	}
	if len(seconds) > 0 {
		return seconds
	}
	for _, s := range list {
		seconds = append(seconds, s.seconds)
	}
	return seconds
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
	return math.Round(mean*1e9) / 1e9, math.Sqrt(variance) / mean // to a nanosecond
}

// learn adds the bodies of a stage and size to the profile.
func (p *Profile) learn(key bodiesOf, seconds []float64, of string, loads loads) {
	mean, spread := meanAndSpread(seconds)
	if p.Stages[key.stage] == nil {
		p.Stages[key.stage] = make(Costs, 1)
	}
	cost := &p.Stages[key.stage][0]
	cost.Threads = loads[key.stage].threads
	cost.Loads = map[string]float64{coresResource: math.Round(loads[key.stage].cores*1000) / 1000}
	cost.Spread = min(max(cost.Spread, math.Round(spread*1000)/1000), 1)
	if key.size <= 0 {
		cost.Seconds = mean
	} else {
		if cost.At == nil {
			cost.Of, cost.At = of, map[int64]float64{}
		}
		cost.At[key.size] = max(mean, 1e-9)
	}
}
