package sim

import (
	"time"

	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/sched"
	"github.com/proofgraph/proofgraph/graph/sim/timeline"
)

// A job is a number of items that arrived together.
type job struct {
	number, left int
	arrived      time.Duration
}

// A flight is an item on its way.
type flight struct {
	id      sched.ItemID
	job     *job
	index   int
	variant *variant
	shape   *program.Shape
	device  int     // where it was placed, from its first body on
	holders []int16 // by buffer: its producer and its consumers, until they end
	bytes   []int64 // by buffer: leased
	filled  []bool  // by buffer: resident
	carried int64
}

// arrive submits the items of the next job.
func (s *simulator) arrive() {
	j := &job{number: s.arrived, left: s.arrivals.Items, arrived: s.now}
	v := &s.variants[s.arrived%len(s.variants)]
	s.arrived++
	for i := range s.arrivals.Items {
		f := s.newFlight(j, i, v)
		decisions, err := s.core.Submit(sched.Item{ID: f.id, Job: sched.JobID(j.number), Shape: v.shape.Sched})
		if err != nil {
			s.fault = err
			return
		}
		s.carryOut(decisions)
	}
}

func (s *simulator) arriveByClock() {
	s.arrive()
	s.nextArrival = never
	if s.arrived < s.arrivals.Jobs {
		s.nextArrival = s.now + s.arrivals.after(s.random)
	}
}

func (s *simulator) newFlight(j *job, index int, v *variant) *flight {
	g := s.prog.Graph
	var f *flight
	if n := len(s.spare); n > 0 {
		f = s.spare[n-1]
		s.spare = s.spare[:n-1]
	} else {
		buffers := len(g.Buffers)
		f = &flight{holders: make([]int16, buffers), bytes: make([]int64, buffers), filled: make([]bool, buffers)}
	}
	f.id, f.job, f.index, f.variant, f.shape = sched.ItemID(len(s.flights)), j, index, v, v.shape
	for b := range g.Buffers {
		f.holders[b] = int16(1 + len(g.Buffers[b].Edges))
	}
	s.flights = append(s.flights, f)
	s.live[f] = true
	return f
}

// ended takes an item off the books, and lets the next job come with the last of a job's.
func (s *simulator) ended(id sched.ItemID) {
	f := s.flights[id]
	s.flights[id] = nil
	delete(s.live, f)
	s.ends = append(s.ends, s.now)
	j := f.job
	s.spare = append(s.spare, f)
	if j.left--; j.left > 0 {
		return
	}
	s.latencies = append(s.latencies, s.now-j.arrived)
	if s.options.Record {
		s.recorded.Marks = append(s.recorded.Marks, timeline.Mark{At: s.now, Text: jobEnded(j.number)})
	}
	if s.arrivals.AtOnce > 0 && s.arrived < s.arrivals.Jobs {
		s.due++
	}
}
