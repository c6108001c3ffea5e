package sim

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/proofgraph/proofgraph/graph/sched"
	"github.com/proofgraph/proofgraph/graph/sim/timeline"
)

// stageTimes adds up how long a stage's bodies ran, and how long it could start no other and why.
type stageTimes struct {
	busy    time.Duration
	block   sched.Block
	since   time.Duration
	blocked map[sched.Block]time.Duration
}

// account books the time since a stage's reason for waiting last changed.
func (s *simulator) account() {
	for i := range s.stages {
		_, block := s.core.Stage(i)
		s.stages[i].change(block, s.now)
	}
	s.admission.change(s.core.Admission(), s.now)
}

func (t *stageTimes) change(block sched.Block, at time.Duration) {
	if block != t.block {
		t.book(at)
		t.block = block
	}
}

func (t *stageTimes) book(at time.Duration) {
	if at == t.since {
		return
	}
	if t.blocked == nil {
		t.blocked = map[sched.Block]time.Duration{}
	}
	t.blocked[t.block] += at - t.since
	t.since = at
}

// reasons lists what a stage waited for, the longest first.
func (t *stageTimes) reasons(s *simulator) []Blocked {
	var all []Blocked
	for block, held := range t.blocked {
		if block.Kind != sched.NotBlocked {
			all = append(all, Blocked{Kind: block.Kind.String(), On: s.prog.NameOf(block), Seconds: held.Seconds()})
		}
	}
	slices.SortFunc(all, func(a, b Blocked) int {
		return cmp.Or(cmp.Compare(b.Seconds, a.Seconds), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.On, b.On))
	})
	return all
}

// span records what a worker, or a pending place, did until now.
func (s *simulator) span(b *body, pending bool) {
	if !s.options.Record {
		return
	}
	s.recorded.Spans = append(s.recorded.Spans, timeline.Span{
		Stage: b.stage, Worker: b.worker, Device: b.flight.device, Pending: pending, Job: jobName(b.flight.job.number), Item: b.flight.index,
		Start: b.began, End: s.now,
	})
}

// cutSpans records what was under way when the simulation ended.
func (s *simulator) cutSpans() {
	for _, g := range s.gangs {
		for _, b := range g.bodies {
			s.span(b, b.pending)
		}
	}
}

// sample records the bytes, once for each moment at which they changed.
func (s *simulator) sample() {
	if !s.options.Record || !s.ledger.changed {
		return
	}
	s.ledger.changed = false
	sample := s.ledger.sample(s.now)
	if n := len(s.recorded.Samples); n > 0 && s.recorded.Samples[n-1].At == s.now {
		s.recorded.Samples[n-1] = sample
		return
	}
	s.recorded.Samples = append(s.recorded.Samples, sample)
}

func jobName(number int) string  { return fmt.Sprintf("job %d", number) }
func jobEnded(number int) string { return jobName(number) + " ended" }
