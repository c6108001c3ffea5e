package budgettest

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/sim"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// A Failure is one expectation that a result does not keep to.
type Failure struct {
	What, Wanted, Got string
	// Excerpt is the timeline around the moment of it, as text; empty where there is no such moment.
	Excerpt string
}

// String gives a failure in a sentence, with its excerpt.
func (f Failure) String() string {
	text := fmt.Sprintf("%s: wanted %s, got %s", f.What, f.Wanted, f.Got)
	if f.Excerpt != "" {
		text += "\n" + f.Excerpt
	}
	return text
}

// Registry gives a registry with the costed kinds and others; nil others are none.
func Registry(others ...*stage.Kind) (*stage.Registry, error) {
	return stage.NewRegistry(append(sim.Kinds(), others...)...)
}

// Kinds gives the stage kinds as they are on a machine, which may have GPUs that this one lacks.
type Kinds func(sim.Machine) (*stage.Registry, error)

// Costed gives the costed kinds, which are the same everywhere.
func Costed(sim.Machine) (*stage.Registry, error) { return Registry() }

// Simulate simulates a test's pipeline, with its timeline.
func (c *Case) Simulate(kinds Kinds) (*sim.Result, error) {
	profile := &sim.Profile{}
	if c.Profile != "" {
		var err error
		if profile, err = sim.LoadProfile(c.Profile); err != nil {
			return nil, err
		}
	}
	registry, err := kinds(profile.Machine)
	if err != nil {
		return nil, err
	}
	source, err := os.ReadFile(c.Pipeline)
	if err != nil {
		return nil, fmt.Errorf("read pipeline: %w", err)
	}
	limits := map[string]int64{}
	for pool, limit := range c.Limits {
		limits[pool] = int64(limit)
	}
	prog, err := profile.Bind(c.Pipeline, source, registry, c.overrides(), limits)
	if err != nil {
		return nil, err
	}
	return sim.Run(prog, profile, *c.Arrivals, sim.Options{Seed: c.Seed, Record: true})
}

func (c *Case) overrides() []string {
	var sets []string
	for _, name := range slices.Sorted(maps.Keys(c.Set)) {
		sets = append(sets, name+"="+c.Set[name])
	}
	return sets
}

// Check holds a result to what the test expects.
func (c *Case) Check(r *sim.Result) []Failure {
	k := &checker{r: r}
	k.outcome(c.Expect)
	if r.Verdict.Outcome == sim.Refused {
		return k.failures
	}
	k.bytes(c.Expect)
	k.atMost("seconds per job", c.Expect.SecondsPerJob, r.PerJob)
	k.atMost("steady seconds per job", c.Expect.Steady, r.Steady)
	k.atMost("latency p99", c.Expect.LatencyP99, r.Latency.P99)
	k.atMost("items held", float64(c.Expect.ItemsHeld), float64(r.MostHeld))
	for _, name := range slices.Sorted(maps.Keys(c.Expect.Utilisation)) {
		k.utilisation(name, c.Expect.Utilisation[name])
	}
	return k.failures
}

// A checker collects what a result does not keep to.
type checker struct {
	r        *sim.Result
	failures []Failure
}

func (k *checker) fail(what, wanted, got, excerpt string) {
	k.failures = append(k.failures, Failure{what, wanted, got, excerpt})
}

func (k *checker) outcome(e Expect) {
	v := k.r.Verdict
	if v.Outcome != e.Outcome {
		excerpt := ""
		if k.r.Timeline != nil && v.Outcome != sim.Refused {
			excerpt = Excerpt(k.r.Timeline, k.r.Timeline.Wall)
		}
		for i, h := range v.Holders[:min(len(v.Holders), 5)] {
			excerpt += fmt.Sprintf("holder %d: %s has %s\n", i+1, h.Who, budget.FormatBytes(h.Bytes))
		}
		k.fail("outcome", string(e.Outcome), v.String(), excerpt)
	}
	if e.Reason != "" && !strings.Contains(v.Reason, e.Reason) {
		k.fail("reason", fmt.Sprintf("a text with %q", e.Reason), fmt.Sprintf("%q", v.Reason), "")
	}
}

func (k *checker) bytes(e Expect) {
	for _, name := range slices.Sorted(maps.Keys(e.Pools)) {
		pool := slices.IndexFunc(k.r.Pools, func(p sim.PoolResult) bool { return p.Name == name })
		if pool < 0 {
			k.fail("pool "+name, "to be there", "no such pool", "")
			continue
		}
		t := k.r.Timeline
		k.peak("peak of pool "+name, int64(e.Pools[name]), k.r.Pools[pool].PeakResident, func(i int) int64 { return t.PoolBytes(t.Samples[i], pool) })
	}
	for _, name := range slices.Sorted(maps.Keys(e.Classes)) {
		class := slices.IndexFunc(k.r.Classes, func(c sim.ClassResult) bool { return c.Name == name })
		if class < 0 {
			k.fail("class "+name, "to be there", "no such class", "")
			continue
		}
		k.peak("peak of class "+name, int64(e.Classes[name]), k.r.Classes[class].PeakResident,
			func(i int) int64 { return k.r.Timeline.Samples[i].Bytes[class] })
	}
}

// peak holds a number of bytes to its most, and shows the first moment at which it was more.
func (k *checker) peak(what string, wanted, got int64, at func(sample int) int64) {
	if got <= wanted {
		return
	}
	excerpt := ""
	for i, s := range k.r.Timeline.Samples {
		if at(i) > wanted {
			excerpt = Excerpt(k.r.Timeline, s.At)
			break
		}
	}
	k.fail(what, "at most "+budget.FormatBytes(wanted), budget.FormatBytes(got), excerpt)
}

func (k *checker) atMost(what string, wanted, got float64) {
	if wanted > 0 && got > wanted {
		k.fail(what, fmt.Sprintf("at most %g", wanted), fmt.Sprintf("%.4g", got), "")
	}
}

func (k *checker) utilisation(name string, wanted float64) {
	s := k.r.Stage(name)
	switch {
	case s == nil:
		k.fail("stage "+name, "to be there", "no such stage", "")
	case s.Utilisation < wanted:
		got := fmt.Sprintf("%.2f", s.Utilisation)
		if len(s.Blocked) > 0 {
			most := s.Blocked[0]
			got += fmt.Sprintf("; it waited most for %s, %s", strings.TrimSpace(most.Kind+" "+most.On), inSeconds(most.Seconds))
		}
		k.fail("utilisation of "+name, fmt.Sprintf("at least %g", wanted), got, "")
	}
}

func inSeconds(s float64) string {
	return time.Duration(s * float64(time.Second)).Round(time.Millisecond).String()
}
