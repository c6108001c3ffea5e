package sim

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/sched"
	"github.com/proofgraph/proofgraph/graph/sim/timeline"
)

// A Result is what a simulation found. Times are in seconds of virtual time.
type Result struct {
	Pipeline string `json:"pipeline"`
	Profile  string `json:"profile"`
	Jobs     int    `json:"jobs"`
	Items    int    `json:"items"` // of all jobs
	Ended    int    `json:"items_ended"`
	// Seconds is the whole run; PerJob divides it by the jobs, Steady does so between the first and the last quarter of
	// the items, where filling and draining do not count.
	Seconds float64 `json:"seconds"`
	PerJob  float64 `json:"seconds_per_job"`
	Steady  float64 `json:"steady_seconds_per_job"`
	Latency Latency `json:"latency_seconds"`
	// MostHeld is the greatest number of items that had carried bytes at once.
	MostHeld  int           `json:"most_items_held"`
	Verdict   Verdict       `json:"verdict"`
	Stages    []StageResult `json:"stages"`
	Admission []Blocked     `json:"admission_blocked"`
	Edges     []EdgeResult  `json:"edges"`
	Pools     []PoolResult  `json:"pools"`
	Classes   []ClassResult `json:"classes"`
	// Notes say which stages do without a pool that is too small for them.
	Notes []string `json:"notes,omitempty"`
	// Timeline is nil where none was recorded.
	Timeline *timeline.Timeline `json:"-"`
}

// Latency is from a job's arrival to the end of its last item.
type Latency struct {
	P50, P90, P99, Max float64
}

// An Outcome is how a simulation ended.
type Outcome string

// The outcomes.
const (
	Completed   Outcome = "completed"
	OutOfMemory Outcome = "out of memory" // the resident bytes of a pool exceeded what the machine has
	Refused     Outcome = "refused"       // an item can never fit
	Stalled     Outcome = "stalled"       // items are left and nothing moves: a fault of the core
)

// A Verdict is an outcome, and for one that is not Completed when, why and who held the memory.
type Verdict struct {
	Outcome Outcome  `json:"outcome"`
	Seconds float64  `json:"at_seconds,omitempty"`
	Pool    string   `json:"pool,omitempty"`
	Bytes   int64    `json:"bytes,omitempty"`
	Limit   int64    `json:"limit,omitempty"`
	Reason  string   `json:"reason,omitempty"`
	Holders []Holder `json:"holders,omitempty"` // the greatest first
}

// A StageResult is one stage's.
type StageResult struct {
	Name        string    `json:"name"`
	Kind        string    `json:"kind"`
	Workers     int       `json:"workers"`
	Bodies      int64     `json:"bodies"`
	BodySeconds float64   `json:"seconds_per_body"`
	Utilisation float64   `json:"utilisation"` // busy seconds of all workers, of what they could be
	Blocked     []Blocked `json:"blocked"`
}

// Blocked is why a stage could start no further body, and for how long.
type Blocked struct {
	Kind    string  `json:"kind"`
	On      string  `json:"on,omitempty"`
	Seconds float64 `json:"seconds"`
}

// An EdgeResult is the most that lay on an edge.
type EdgeResult struct {
	From      string `json:"from"`
	To        string `json:"to"`
	Capacity  int    `json:"capacity"`
	PeakItems int    `json:"peak_items"`
	PeakBytes int64  `json:"peak_bytes"`
}

// A PoolResult has a pool's bytes: Promised is what the core gave out at most, in reservations and scratch; Leased what
// existed; Resident what had been written to. Limit < 0 is none.
type PoolResult struct {
	Name         string  `json:"name"`
	Limit        int64   `json:"limit"`
	PeakPromised int64   `json:"peak_promised"`
	PeakLeased   int64   `json:"peak_leased"`
	PeakResident int64   `json:"peak_resident"`
	PeakAt       float64 `json:"peak_at_seconds"`
	MeanResident int64   `json:"mean_resident"`
}

// A ClassResult has a class's bytes, and the most buffers of items that were resident at once.
type ClassResult struct {
	Name         string `json:"name"`
	Pool         string `json:"pool"`
	PeakLeased   int64  `json:"peak_leased"`
	PeakResident int64  `json:"peak_resident"`
	MeanResident int64  `json:"mean_resident"`
	PeakBuffers  int    `json:"peak_buffers"`
}

// Pool gives a pool's result by name, or nil.
func (r *Result) Pool(name string) *PoolResult {
	return find(r.Pools, func(p *PoolResult) string { return p.Name }, name)
}

// Class gives a class's result by name, or nil.
func (r *Result) Class(name string) *ClassResult {
	return find(r.Classes, func(c *ClassResult) string { return c.Name }, name)
}

// Stage gives a stage's result by name, or nil.
func (r *Result) Stage(name string) *StageResult {
	return find(r.Stages, func(s *StageResult) string { return s.Name }, name)
}

func find[T any](all []T, nameOf func(*T) string, name string) *T {
	for i := range all {
		if nameOf(&all[i]) == name {
			return &all[i]
		}
	}
	return nil
}

func (s *simulator) outcome() *Result {
	r := &Result{
		Pipeline: s.prog.Spec.Name, Profile: s.profile.Name,
		Jobs: s.arrivals.Jobs, Items: s.arrivals.Jobs * s.arrivals.Items, Verdict: Verdict{Outcome: Completed},
	}
	for _, v := range s.variants {
		for _, note := range s.prog.Notes(v.shape) {
			if !slices.Contains(r.Notes, note) {
				r.Notes = append(r.Notes, note)
			}
		}
	}
	return r
}

// refusal gives the result of arrivals that can never fit, or nil.
func (s *simulator) refusal() *Result {
	for i := range s.variants {
		var refused *sched.Refusal
		if errors.As(s.variants[i].shape.Refusal, &refused) {
			r := s.outcome()
			r.Verdict = Verdict{Outcome: Refused, Bytes: refused.Needed, Limit: refused.Limit, Reason: refused.Error()}
			if refused.Pool >= 0 {
				r.Verdict.Pool = s.prog.Pools[refused.Pool].Name
			}
			return r
		}
	}
	return nil
}

func (s *simulator) result() *Result {
	r := s.outcome()
	r.Ended, r.Seconds = len(s.ends), s.now.Seconds()
	if r.Ended > 0 {
		r.PerJob = r.Seconds / float64(r.Ended) * float64(s.arrivals.Items)
		r.Steady = steady(s.ends) * float64(s.arrivals.Items)
	}
	r.Latency = latency(s.latencies)
	r.MostHeld = s.ledger.mostHeld
	r.Verdict = s.verdict()
	s.addStages(r)
	s.addMemory(r)
	if s.options.Record {
		s.sample()
		s.cutSpans()
		s.recorded.Wall = s.now
		if r.Verdict.Outcome != Completed {
			s.recorded.Marks = append(s.recorded.Marks, timeline.Mark{At: s.now, Text: string(r.Verdict.Outcome)})
		}
		r.Timeline = &s.recorded
	}
	return r
}

// verdict says how it ended.
func (s *simulator) verdict() Verdict {
	switch pool := s.ledger.over; {
	case pool >= 0:
		v := Verdict{
			Outcome: OutOfMemory, Seconds: s.now.Seconds(), Pool: s.prog.Pools[pool].Name,
			Bytes: s.ledger.pools[pool].now, Limit: s.ledger.physical[pool], Holders: s.holders(pool),
		}
		v.Reason = fmt.Sprintf("%s are resident and the machine has %s", budget.FormatBytes(v.Bytes), budget.FormatBytes(v.Limit))
		return v
	case s.core.Live() > 0:
		return Verdict{Outcome: Stalled, Seconds: s.now.Seconds(), Reason: fmt.Sprintf("%d items are left and nothing moves", s.core.Live())}
	}
	return Verdict{Outcome: Completed}
}

// steady gives the seconds from one item's end to the next in the middle half of them: the slope of the line through
// their ends by least squares, since items may end in waves.
func steady(ends []time.Duration) float64 {
	middle := ends[len(ends)/4 : len(ends)-len(ends)/4]
	if len(middle) < 2 {
		return ends[len(ends)-1].Seconds() / float64(len(ends))
	}
	center := float64(len(middle)-1) / 2
	var slope, weight float64
	for i, end := range middle {
		x := float64(i) - center
		slope += x * end.Seconds()
		weight += x * x
	}
	return slope / weight
}

func latency(all []time.Duration) Latency {
	if len(all) == 0 {
		return Latency{}
	}
	sorted := slices.Sorted(slices.Values(all))
	at := func(percent int) float64 { return sorted[(len(sorted)*percent+99)/100-1].Seconds() }
	return Latency{P50: at(50), P90: at(90), P99: at(99), Max: at(100)}
}

func (s *simulator) addStages(r *Result) {
	for i, st := range s.prog.Spec.Stages {
		t := &s.stages[i]
		t.book(s.now)
		counts, _ := s.core.Stage(i)
		one := StageResult{Name: st.Name, Kind: st.Kind.Name, Workers: st.Workers, Bodies: counts.Finished, Blocked: t.reasons(s)}
		width := st.Workers
		if st.Async {
			width = st.Pending
		}
		if counts.Finished > 0 && s.now > 0 {
			one.BodySeconds = t.busy.Seconds() / float64(counts.Finished)
			one.Utilisation = t.busy.Seconds() / (s.now.Seconds() * float64(width))
		}
		r.Stages = append(r.Stages, one)
	}
	s.admission.book(s.now)
	r.Admission = s.admission.reasons(s)
	for i, e := range s.prog.Spec.Edges {
		counts := s.core.Edge(i)
		r.Edges = append(r.Edges, EdgeResult{
			From: e.FromName, To: e.ToName, Capacity: e.Capacity, PeakItems: counts.PeakItems, PeakBytes: counts.PeakBytes,
		})
	}
}

func (s *simulator) addMemory(r *Result) {
	l := s.ledger
	for i, pool := range s.prog.Pools {
		counts := s.core.Pool(i)
		r.Pools = append(r.Pools, PoolResult{
			Name: pool.Name, Limit: counts.Limit, PeakPromised: counts.Peak, PeakLeased: l.promised[i].peak,
			PeakResident: l.pools[i].peak, PeakAt: l.pools[i].peakAt.Seconds(), MeanResident: l.pools[i].mean(s.now),
		})
	}
	for i, class := range s.prog.Classes {
		r.Classes = append(r.Classes, ClassResult{
			Name: class.Name, Pool: s.prog.Pools[class.Pool].Name,
			PeakLeased: l.leased[i].peak, PeakResident: l.resident[i].peak, MeanResident: l.resident[i].mean(s.now),
			PeakBuffers: int(l.buffers[i].peak),
		})
	}
}
