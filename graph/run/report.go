package run

import (
	"fmt"
	"time"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/sched"
)

// stageTimes adds up how long a stage's bodies ran, and how long the stage could not start another and why.
type stageTimes struct {
	busy    time.Duration
	block   sched.Block
	since   time.Duration // when block became the reason
	booked  time.Duration // until when blocked has the time
	blocked map[sched.Block]time.Duration
}

// account books the time of every stage's reason for waiting that has changed. The lock is held.
func (p *Pipeline) account() {
	var at time.Duration
	for s := range p.times {
		t := &p.times[s]
		_, block := p.core.Stage(s)
		if block == t.block {
			continue
		}
		if at == 0 {
			at = p.clock()
		}
		t.book(at)
		t.block, t.since = block, at
	}
	if block := p.core.Admission(); block != p.admission.block {
		p.admission.block, p.admission.since = block, p.clock()
	}
}

func (t *stageTimes) book(at time.Duration) {
	if t.blocked == nil {
		t.blocked = map[sched.Block]time.Duration{}
	}
	t.blocked[t.block] += at - t.booked
	t.booked = at
}

// A Report is what a run did, at the moment it is asked for.
type Report struct {
	Wall   time.Duration
	Live   int     // items that were submitted and have not ended
	Next   Blocked // what keeps the next item out
	Stages []StageReport
	Edges  []EdgeReport
	Pools  []PoolReport
	// Devices are those that items are placed on, by number.
	Devices []DeviceReport
	Memory  budget.Snapshot
}

// A StageReport is one stage's: bodies, the seconds they ran, all workers together, and the seconds during which the
// stage could start no further body, by reason.
type StageReport struct {
	Name    string
	Kind    string
	Workers int
	sched.StageCounts
	Busy    time.Duration
	Blocked []Blocked
	Now     Blocked // what it waits for now
}

// Blocked is a reason and how long it held.
type Blocked struct {
	Kind sched.BlockKind
	On   string // the edge, pool or resource
	Time time.Duration
}

// An EdgeReport is one edge's.
type EdgeReport struct {
	From, To string
	Capacity int
	Limit    int64 // bytes
	sched.EdgeCounts
}

// A PoolReport is the scheduler's promise for one pool: what it has given out, in reservations and scratch.
type PoolReport struct {
	Name string
	sched.PoolCounts
	Waiting int // stages that wait for bytes of it now, and the next item if it does
}

// Report tells what the run has done so far.
func (p *Pipeline) Report() Report {
	memory := p.tracker.Snapshot() // which asks for waiters, and so wants the lock
	p.mu.Lock()
	defer p.mu.Unlock()
	r := Report{Wall: p.clock(), Live: p.core.Live(), Next: p.now(p.core.Admission()), Memory: memory}
	for s := range p.times {
		r.Stages = append(r.Stages, p.stageReport(s, r.Wall))
	}
	for i, e := range p.program.Spec.Edges {
		edge := p.program.Graph.Edges[i]
		r.Edges = append(r.Edges, EdgeReport{
			From: e.FromName, To: e.ToName, Capacity: edge.Capacity, Limit: edge.Bytes, EdgeCounts: p.core.Edge(i),
		})
	}
	for i, pool := range p.program.Graph.Pools {
		r.Pools = append(r.Pools, PoolReport{Name: pool.Name, PoolCounts: p.core.Pool(i), Waiting: r.waiting(pool.Name)})
	}
	for d := range p.faults {
		r.Devices = append(r.Devices, p.deviceReport(d))
	}
	return r
}

// waiters tells the tracker who waits for bytes, how many, and since when its stage, or the admission, has been short of
// them.
func (p *Pipeline) waiters() []budget.Waiter {
	p.mu.Lock()
	defer p.mu.Unlock()
	var waiters []budget.Waiter
	for _, w := range p.core.Waiters() {
		f, since, at := p.flights[w.Item], p.admission.since, "admission"
		if w.Stage >= 0 {
			since, at = p.times[w.Stage].since, p.program.Spec.Stages[w.Stage].Name
		}
		waiters = append(waiters, budget.Waiter{
			Holder: fmt.Sprintf("%s[%d] at %s", f.item.Job, f.item.Index, at), Pool: w.Pool, Bytes: w.Bytes, Since: p.start.Add(since),
		})
	}
	return waiters
}

// waiting counts the stages, and the next item, that wait for memory of a pool.
func (r *Report) waiting(pool string) int {
	count := 0
	for _, s := range r.Stages {
		if s.Now.waitsFor(pool) {
			count++
		}
	}
	if r.Next.waitsFor(pool) {
		count++
	}
	return count
}

func (b Blocked) waitsFor(pool string) bool { return b.Kind == sched.BlockedMemory && b.On == pool }

func (p *Pipeline) stageReport(s int, at time.Duration) StageReport {
	t := &p.times[s]
	t.book(at)
	counts, block := p.core.Stage(s)
	st := p.program.Spec.Stages[s]
	r := StageReport{Name: st.Name, Kind: st.Kind.Name, Workers: st.Workers, StageCounts: counts, Busy: t.busy}
	for kind := sched.BlockedInput; kind <= sched.BlockedResource; kind++ {
		for index := -1; index < len(p.program.Graph.Edges)+len(p.program.Graph.Pools)+len(p.program.Graph.Resources); index++ {
			b := sched.Block{Kind: kind, Index: index}
			if held := t.blocked[b]; held > 0 {
				r.Blocked = append(r.Blocked, Blocked{Kind: kind, On: p.program.NameOf(b), Time: held})
			}
		}
	}
	r.Now = p.now(block)
	return r
}

// now is a reason that holds at this moment.
func (p *Pipeline) now(b sched.Block) Blocked { return Blocked{Kind: b.Kind, On: p.program.NameOf(b)} }
