package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/proofgraph/proofgraph/graph/sched"
)

// step lets time go by until the next thing happens, and says false when nothing is left to happen or the machine died.
func (s *simulator) step() bool {
	if s.ledger.over >= 0 || s.fault != nil {
		return false
	}
	for ; s.due > 0; s.due-- {
		s.arrive()
	}
	s.sample()
	if s.uneven {
		shares(s.gangs, s.resources, s.demand)
		s.uneven = false
	}
	next, wait := s.first()
	switch arrives := s.nextArrival != never && s.nextArrival-s.now < wait; {
	case arrives && s.pass(s.nextArrival-s.now):
		s.arriveByClock()
	case !arrives && next != nil && s.pass(wait):
		s.uneven = s.uneven || len(next.loads) > 0
		s.through(next.pop())
	default:
		return false
	}
	return true
}

// first gives the gang in which something happens next, and when; of two at one moment, that whose body is older.
func (s *simulator) first() (*gang, time.Duration) {
	var next *gang
	wait := never
	for _, g := range s.gangs {
		if len(g.bodies) == 0 {
			continue
		}
		left := g.left()
		if next == nil || left < wait || left == wait && g.bodies[0].seq < next.bodies[0].seq {
			next, wait = g, left
		}
	}
	return next, wait
}

// pass lets time go by, and says false where it would go on beyond its end.
func (s *simulator) pass(d time.Duration) bool {
	if d > latest-s.now {
		s.fault = fmt.Errorf("the simulation takes more than %.0f years, the end of its clock", latest.Hours()/24/365)
		return false
	}
	if d == 0 {
		return true
	}
	s.now += d
	for _, g := range s.gangs {
		if len(g.bodies) > 0 {
			g.pass(d)
		}
	}
	return true
}

// through is called when a body has come to the end of a phase.
func (s *simulator) through(b *body) {
	c := s.courses[b.stage]
	switch {
	case b.gang == c.launch:
		s.launched(b)
	case b.gang == s.found || b.phase == len(c.phases)-1:
		s.finished(b)
	default:
		s.enter(b, b.phase+1)
	}
}

func (s *simulator) launched(b *body) {
	s.span(b, false)
	b.pending, b.began = true, s.now
	s.carryOut(s.core.Launched(b.flight.id, b.stage))
	s.work(b)
}

func (s *simulator) finished(b *body) {
	s.span(b, b.pending)
	s.stages[b.stage].busy += s.now - b.began
	s.ledger.end(b, s.now)
	if b.loads {
		s.loaded(b)
	}
	id, stage := b.flight.id, b.stage
	s.spareBodies = append(s.spareBodies, b)
	s.carryOut(s.core.Finished(id, stage))
}

// join puts a body into a gang for some nanoseconds of work.
func (s *simulator) join(b *body, g *gang, work float64) {
	s.nextSeq++
	b.gang, b.until, b.seq = g, g.work+math.Round(work), s.nextSeq
	g.push(b)
	s.uneven = s.uneven || len(g.loads) > 0
}

func (s *simulator) enter(b *body, phase int) {
	c := s.courses[b.stage]
	b.phase = phase
	s.ledger.enter(b, &c.enters[phase], s.now)
	s.join(b, c.gangs[b.flight.device][phase], b.flight.variant.durations[b.stage][phase]*b.stretch)
}

// work begins a body's first phase, unless it finds what it would make in the cache.
func (s *simulator) work(b *body) {
	if !s.courses[b.stage].cached {
		s.enter(b, 0)
		return
	}
	buffer := s.prog.BufferAt[b.stage][0]
	key := s.entryOf(b.flight, buffer)
	switch e := s.ledger.entries[key]; {
	case e == nil:
		b.loads = true
		s.ledger.load(key, s.ledger.classOf(b.flight, buffer), b.flight.shape.Sched.Carried[buffer], s.now)
		s.enter(b, 0)
	case e.loaded:
		s.join(b, s.found, 0)
	default:
		e.waiting = append(e.waiting, b)
	}
}

// entryOf gives the key of the cache entry that a buffer of an item is.
func (s *simulator) entryOf(f *flight, buffer int) string {
	return s.prog.Graph.EntryOn(f.shape.Sched.Cache[buffer], buffer, f.device)
}

// loaded lets those go on who waited for an entry.
func (s *simulator) loaded(b *body) {
	e := s.ledger.entries[s.entryOf(b.flight, s.prog.BufferAt[b.stage][0])]
	e.loaded = true
	for _, other := range e.waiting {
		s.join(other, s.found, 0)
	}
	e.waiting = nil
}

// carryOut does what the core decided; answers to it may bring more.
func (s *simulator) carryOut(decisions []sched.Decision) {
	queue := append(s.queue[:0], decisions...)
	for i := 0; i < len(queue); i++ {
		switch d := queue[i]; d.Op {
		case sched.Start:
			s.start(d)
		case sched.Ended:
			s.ended(d.Item)
		case sched.Evict:
			s.ledger.evict(d.Key, s.now)
			queue = append(queue, s.core.Evicted(d.Key)...)
		}
	}
	s.queue = queue
	s.account()
}

func (s *simulator) start(d sched.Decision) {
	f := s.flights[d.Item]
	f.device = d.Device
	b := s.newBody()
	*b = body{flight: f, stage: d.Stage, worker: d.Worker, began: s.now, stretch: s.stretch(f, d.Stage)}
	if s.options.Observe != nil {
		s.options.Observe(Start{At: s.now, Stage: d.Stage, Worker: d.Worker, Job: f.job.number, Item: f.index, Device: d.Device})
	}
	c := s.courses[d.Stage]
	s.ledger.begin(b, c, s.now)
	if s.prog.Graph.Stages[d.Stage].Async {
		s.join(b, c.launch, c.cost.Launch*1e9*b.stretch)
		return
	}
	s.work(b)
}

func (s *simulator) newBody() *body {
	if n := len(s.spareBodies); n > 0 {
		b := s.spareBodies[n-1]
		s.spareBodies = s.spareBodies[:n-1]
		return b
	}
	return &body{}
}

// stretch draws what chance makes of a body's seconds: log-normal with mean 1. The draw depends on the seed, the stage
// and the item alone, so that two pipelines are compared on the same luck.
func (s *simulator) stretch(f *flight, stage int) float64 {
	spread := s.courses[stage].cost.Spread
	if spread == 0 {
		return 1
	}
	variance := math.Log1p(spread * spread)
	source := rand.New(rand.NewPCG(s.options.Seed+1, uint64(stage)<<48|uint64(f.id)))
	return math.Exp(math.Sqrt(variance)*source.NormFloat64() - variance/2)
}
