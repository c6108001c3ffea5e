package sim

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"
)

// coresResource is the resource that stands for a machine's cores.
const coresResource = "cores"

// loads are what the bodies of each stage ask of the cores, by the stage's name.
type loads map[string]busy

// busy is how many cores a body keeps busy, and the threads it may use for that.
type busy struct {
	cores   float64
	threads int
}

// blur is how far a sample of the processor time may be from the truth: a tick of the system, in seconds.
const blur = 0.004

// loadsOf finds the cores that each stage's bodies keep busy: those with which the bodies that ran between two samples
// would have used the processor time between them, by least squares. What the samples do not tell apart stays at the same
// part of its threads for all stages, and so does what short bodies leave below a sample's blur.
func loadsOf(cores int, recordings []Recording) (loads, error) {
	all, err := threadsOf(recordings)
	if err != nil {
		return nil, err
	}
	names := all.names()
	var runs []measured
	for _, r := range recordings {
		runs = append(runs, measured{r.moments(names), r.Usage})
	}
	all.scale(part(float64(cores), all.vector(names), runs))
	prior := all.vector(names)
	const passes = 6 // each looks again at which moments left cores idle
	for range passes {
		e := newEquations(prior)
		for _, run := range runs {
			e.add(run, all.vector(names), float64(cores))
		}
		all.set(names, e.solve(all, names))
	}
	return all, nil
}

// measured is a run as loads are learned from it.
type measured struct {
	moments []moment
	usage   []Used
}

// cpu is the processor time of the whole run, in seconds.
func (m *measured) cpu() float64 {
	if len(m.usage) == 0 {
		return 0
	}
	return (m.usage[len(m.usage)-1].CPU - m.usage[0].CPU).Seconds()
}

// threadsOf gives each stage all its threads.
func threadsOf(recordings []Recording) (loads, error) {
	all := loads{}
	for _, r := range recordings {
		for s := range r.Program.Spec.Stages {
			name, threads := r.Program.Spec.Stages[s].Name, r.Program.Threads(s)
			if known, found := all[name]; found && known.threads != threads {
				return nil, fmt.Errorf("stage %q ran with %d threads and with %d: learn a profile from each", name, known.threads, threads)
			}
			all[name] = busy{float64(threads), threads}
		}
	}
	return all, nil
}

func (l loads) names() []string {
	var names []string
	for name := range l {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (l loads) vector(names []string) []float64 {
	v := make([]float64, len(names))
	for i, name := range names {
		v[i] = l[name].cores
	}
	return v
}

func (l loads) set(names []string, cores []float64) {
	for i, name := range names {
		l[name] = busy{cores[i], l[name].threads}
	}
}

// scale has all bodies keep a part of their threads busy.
func (l loads) scale(part float64) {
	for name, b := range l {
		l[name] = busy{part * float64(b.threads), b.threads}
	}
}

// part finds the part of their threads that bodies keep busy, the same for all, by the processor time of whole runs.
func part(cores float64, threads []float64, runs []measured) float64 {
	best, least := 1.0, math.Inf(1)
	for p := 0.05; p < 1.01; p += 0.025 {
		var off float64
		for _, run := range runs {
			off += math.Abs(run.used(threads, p, cores) - run.cpu())
		}
		if off < least {
			best, least = p, off
		}
	}
	return best
}

// used gives the processor seconds of a run whose bodies keep a part of their threads busy.
func (m *measured) used(threads []float64, part, cores float64) float64 {
	var sum float64
	for _, moment := range m.moments {
		sum += moment.seconds() * min(part*moment.demand(threads), cores)
	}
	return sum
}

// A moment is a stretch of a run in which the same bodies ran.
type moment struct {
	from, to time.Duration
	running  []float64 // by stage
	spans    []int     // of the timeline
	cold     bool      // one of them was
}

func (m *moment) seconds() float64 { return (m.to - m.from).Seconds() }

func (m *moment) demand(loads []float64) float64 {
	var sum float64
	for i, n := range m.running {
		sum += n * loads[i]
	}
	return sum
}

// moments cuts a run where bodies start and end.
func (r *Recording) moments(names []string) []moment {
	type edge struct {
		at   time.Duration
		span int
		step float64
	}
	var edges []edge
	for i, s := range r.Timeline.Spans {
		edges = append(edges, edge{s.Start, i, 1}, edge{s.End, i, -1})
	}
	slices.SortStableFunc(edges, func(a, b edge) int { return cmp.Compare(a.at, b.at) })
	var all []moment
	running, open, cold := make([]float64, len(names)), []int(nil), r.cold()
	for i, e := range edges {
		if i > 0 && e.at > edges[i-1].at {
			all = append(all, moment{
				from: edges[i-1].at, to: e.at, running: slices.Clone(running), spans: slices.Clone(open),
				cold: slices.ContainsFunc(open, func(span int) bool { return cold[span] }),
			})
		}
		stage, _ := slices.BinarySearch(names, r.stageOf(r.Timeline.Spans[e.span]))
		running[stage] += e.step
		if e.step > 0 {
			open = append(open, e.span)
		} else {
			open = slices.DeleteFunc(open, func(span int) bool { return span == e.span })
		}
	}
	return all
}
