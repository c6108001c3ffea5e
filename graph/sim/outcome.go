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

// outcome gives a result with what is known before anything happens.
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

// result gives what a simulation came to that has ended, or was ended.
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

// latency gives percentiles by the nearest rank.
func latency(all []time.Duration) Latency {
	if len(all) == 0 {
		return Latency{}
	}
	sorted := slices.Sorted(slices.Values(all))
	at := func(percent int) float64 { return sorted[(len(sorted)*percent+99)/100-1].Seconds() }
	return Latency{P50: at(50), P90: at(90), P99: at(99), Max: at(100)}
}

// addStages adds what stages did and waited for, and what lay on edges.
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
