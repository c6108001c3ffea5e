// Package sim drives a pipeline in virtual time: the decisions are the scheduling core's, as in a real run; the seconds
// come from a profile, and bodies that share a resource slow each other down.
//
// Reading order: Profile (profile.go) and Arrivals say what is simulated, Run (sim.go) simulates it and gives a Result
// (result.go); gang.go has the rule by which resources are shared, ledger.go the bytes, drive.go the way of an event, flights.go
// that of an item.
// Kinds (kinds.go) are stages that are known by their costs alone; curve.go and threads.go give the seconds of other sizes
// and of other numbers of threads.
//
// Profiles come of real runs: Learn (learn.go) finds what stages load the cores with (loads.go, equations.go) and what they
// would have taken alone (alone.go) and load buses with (traffic.go), and Merge (merge.go) joins several.
package sim

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/sched"
	"github.com/proofgraph/proofgraph/graph/sim/timeline"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// Options are what a simulation may be told beside its input.
type Options struct {
	// Seed makes the draws of spread and of random arrivals; equal seeds give equal results.
	Seed uint64
	// Record keeps a timeline, which takes memory for every body.
	Record bool
	// Observe is told of every body's start.
	Observe func(Start)
}

// A Start is one decision of the core: a body began.
type Start struct {
	At                       time.Duration
	Stage, Worker, Job, Item int
	Device                   int // where the item was placed
}

// Run simulates a pipeline. An error says that profile, arrivals and pipeline do not go together; what goes wrong in
// virtual time (memory that runs out, an item that can never fit) is the Result's verdict.
func Run(prog *program.Program, profile *Profile, arrivals Arrivals, options Options) (*Result, error) {
	s, err := newSimulator(prog, profile, arrivals, options)
	if err != nil {
		return nil, err
	}
	if refused := s.refusal(); refused != nil {
		return refused, nil
	}
	for range arrivals.atStart() {
		s.arrive()
	}
	if arrivals.Every > 0 {
		s.nextArrival = 0
	}
	for s.step() {
	}
	return s.result(), s.fault
}

const (
	// never is a moment that does not come.
	never = time.Duration(1<<63 - 1)
	// latest is where virtual time ends: an arrival after it is still before never.
	latest = never / 2
)

type simulator struct {
	prog     *program.Program
	profile  *Profile
	arrivals Arrivals
	options  Options
	core     *sched.Core
	ledger   *ledger
	courses  []*course
	gangs    []*gang
	found    *gang // bodies whose cache entry is there: they end at once
	variants []variant
	random   *rand.Rand

	resources []Resource
	demand    []float64
	uneven    bool // the speeds must be worked out again

	now         time.Duration
	nextArrival time.Duration
	nextSeq     uint64
	flights     []*flight // by item
	live        map[*flight]bool
	spare       []*flight
	spareBodies []*body
	queue       []sched.Decision

	arrived   int
	jobs      []*job // under way
	latencies []time.Duration
	ends      []time.Duration // of items
	stages    []stageTimes
	admission stageTimes
	recorded  timeline.Timeline
	due       int   // jobs whose turn it is
	fault     error // the core and the simulator disagree
}

// A variant is one of the kinds of items that arrive: their facts, shape and durations.
type variant struct {
	shape     *program.Shape
	durations [][]float64 // by stage and phase
}

func newSimulator(prog *program.Program, profile *Profile, arrivals Arrivals, options Options) (*simulator, error) {
	if err := arrivals.check(); err != nil {
		return nil, fmt.Errorf("arrivals: %w", err)
	}
	core, err := sched.New(prog.Graph, nil)
	if err != nil {
		return nil, err
	}
	s := &simulator{
		prog: prog, profile: profile, arrivals: arrivals, options: options, core: core,
		ledger: newLedger(prog, profile.Machine), found: &gang{speed: 1, stage: -1}, nextArrival: never,
		random: rand.New(rand.NewPCG(options.Seed, 0)), live: map[*flight]bool{},
		stages: make([]stageTimes, len(prog.Graph.Stages)),
	}
	if err := s.plan(); err != nil {
		return nil, err
	}
	if options.Record {
		s.recorded = Outline(prog)
		s.ledger.nameBounds(s.recorded.Pools)
	}
	return s, s.vary()
}

// plan works out the course of every stage.
func (s *simulator) plan() error {
	rates := s.addRates()
	s.demand = make([]float64, len(s.resources))
	s.gangs = append(s.gangs, s.found)
	for i := range s.prog.Spec.Stages {
		cost, err := s.profile.costOf(s.prog, i)
		if err != nil {
			return err
		}
		c, err := newCourse(s.prog, i, cost, rates)
		if err != nil {
			return fmt.Errorf("profile %q: %w", s.profile.Name, err)
		}
		s.courses = append(s.courses, c)
		s.gangs = append(s.gangs, c.launch)
		for _, gangs := range c.gangs {
			s.gangs = append(s.gangs, gangs...)
		}
	}
	return nil
}

// addRates gives, by name and device, which of the simulator's resources bodies load.
func (s *simulator) addRates() map[string][]int {
	rates := map[string][]int{}
	for _, name := range slices.Sorted(maps.Keys(s.profile.Resources)) {
		r := s.profile.Resources[name]
		for d := range s.prog.Devices {
			if d == 0 || r.Per == "device" {
				s.resources = append(s.resources, r)
			}
			rates[name] = append(rates[name], len(s.resources)-1)
		}
	}
	return rates
}

// vary works out the kinds of items that will arrive.
func (s *simulator) vary() error {
	for job := range max(len(s.arrivals.Mix), 1) {
		facts := s.arrivals.factsOf(job, s.profile.Facts)
		shape, err := s.prog.Shape(&stage.Item{Job: "simulated", Facts: facts})
		if err != nil {
			return err
		}
		v := variant{shape: shape}
		for i, c := range s.courses {
			durations, err := c.durations(facts)
			if err != nil {
				return fmt.Errorf("stage %q: %w", s.prog.Spec.Stages[i].Name, err)
			}
			v.durations = append(v.durations, durations)
		}
		s.variants = append(s.variants, v)
	}
	return nil
}
