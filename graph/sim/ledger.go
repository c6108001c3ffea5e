package sim

import (
	"time"

	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/sim/timeline"
)

// A ledger counts the bytes that bodies and items have, by class, as the tracker of a real run does: leased from the
// start of the body that makes a buffer to the end of the last that reads it. Resident are those of them that have been
// written to.
type ledger struct {
	prog             *program.Program
	poolOf           []int   // by class
	leased, resident []tally // by class
	buffers          []tally // by class: how many of items are resident
	pools            []tally // resident, by pool
	promised         []tally // leased, by pool
	physical         []int64 // by pool: where the machine dies, less than zero where nothing is known
	entries          map[string]*entry
	held, mostHeld   int // items that have carried bytes
	over             int // the first pool that is beyond its physical memory, or -1
	changed          bool
}

// A tally is a number of bytes, the most it ever was and when, and its sum over time.
type tally struct {
	now, peak int64
	peakAt    time.Duration
	since     time.Duration
	area      float64 // byte-seconds
}

func (t *tally) add(bytes int64, at time.Duration) {
	t.area += float64(t.now) * (at - t.since).Seconds()
	t.since = at
	t.now += bytes
	if t.now > t.peak {
		t.peak, t.peakAt = t.now, at
	}
}

// mean gives the average over a run that ended at a moment.
func (t *tally) mean(end time.Duration) int64 {
	if end <= 0 {
		return t.now
	}
	return int64((t.area + float64(t.now)*(end-t.since).Seconds()) / end.Seconds())
}

// An entry is a buffer in the cache, its class, and the bodies that wait for its load.
type entry struct {
	class   int
	bytes   int64
	loaded  bool
	waiting []*body
}

func newLedger(prog *program.Program, machine Machine) *ledger {
	l := &ledger{
		prog: prog, over: -1, entries: map[string]*entry{}, changed: true,
		leased: make([]tally, len(prog.Classes)), resident: make([]tally, len(prog.Classes)),
		buffers: make([]tally, len(prog.Classes)),
		pools:   make([]tally, len(prog.Pools)), promised: make([]tally, len(prog.Pools)),
	}
	for _, class := range prog.Classes {
		l.poolOf = append(l.poolOf, class.Pool)
	}
	for _, pool := range prog.Pools {
		limit := int64(-1)
		if memory, known := machine.memoryOf(pool.Name, prog.Spec.Pools[pool.Spec].Name); known {
			limit = int64(memory.Total - memory.Others)
		}
		l.physical = append(l.physical, limit)
	}
	return l
}

// nameBounds tells a timeline's pools where the machine dies.
func (l *ledger) nameBounds(pools []timeline.Pool) {
	for i, bytes := range l.physical {
		pools[i].Machine = max(bytes, 0)
	}
}

// on gives the class that an item has, on its device, for one of a buffer or an amount.
func (l *ledger) on(f *flight, class int) int { return l.prog.ClassOn(class, f.device) }

// classOf gives the class of an item's buffer.
func (l *ledger) classOf(f *flight, buffer int) int { return l.on(f, l.prog.ClassOf[buffer]) }

func (l *ledger) lease(class int, bytes int64, at time.Duration) {
	l.leased[class].add(bytes, at)
	l.promised[l.poolOf[class]].add(bytes, at)
	l.changed = true
}

// touch makes leased bytes resident, or returns them.
func (l *ledger) touch(class int, bytes int64, at time.Duration) {
	pool := l.poolOf[class]
	l.resident[class].add(bytes, at)
	l.pools[pool].add(bytes, at)
	l.changed = true
	if l.over < 0 && l.physical[pool] >= 0 && l.pools[pool].now > l.physical[pool] {
		l.over = pool
	}
}

// begin leases a body's outputs and scratch; what no later phase touches is resident at once.
func (l *ledger) begin(b *body, c *course, at time.Duration) {
	shape := b.flight.shape
	for _, out := range l.prog.BufferAt[b.stage] {
		if buffer := &l.prog.Graph.Buffers[out]; buffer.Takes < 0 && !buffer.Cached {
			l.carry(b.flight, out, shape.Sched.Carried[out], at)
		}
	}
	for _, s := range shape.Scratch[b.stage] {
		l.lease(l.on(b.flight, s.Class), s.Bytes, at)
		if !c.late[s.Name] {
			l.touch(l.on(b.flight, s.Class), s.Bytes, at)
		}
	}
	for _, out := range c.early {
		l.fill(b.flight, out, at)
	}
}

// carry leases a buffer of an item.
func (l *ledger) carry(f *flight, buffer int, bytes int64, at time.Duration) {
	if bytes == 0 {
		return
	}
	f.bytes[buffer] = bytes
	l.lease(l.classOf(f, buffer), bytes, at)
	if f.carried == 0 {
		l.held++
		l.mostHeld = max(l.mostHeld, l.held)
	}
	f.carried += bytes
}

// fill makes a buffer of an item resident.
func (l *ledger) fill(f *flight, buffer int, at time.Duration) {
	if f.bytes[buffer] > 0 && !f.filled[buffer] {
		f.filled[buffer] = true
		l.buffers[l.classOf(f, buffer)].add(1, at)
		l.touch(l.classOf(f, buffer), f.bytes[buffer], at)
	}
}

// enter makes resident what a phase touches.
func (l *ledger) enter(b *body, t *touches, at time.Duration) {
	for _, buffer := range t.buffers {
		l.fill(b.flight, buffer, at)
	}
	for _, s := range b.flight.shape.Scratch[b.stage] {
		if t.scratch[s.Name] {
			l.touch(l.on(b.flight, s.Class), s.Bytes, at)
		}
	}
}

// end returns a body's scratch, and every buffer of which it was the last holder.
func (l *ledger) end(b *body, at time.Duration) {
	f, g := b.flight, l.prog.Graph
	for _, s := range f.shape.Scratch[b.stage] {
		l.touch(l.on(f, s.Class), -s.Bytes, at)
		l.lease(l.on(f, s.Class), -s.Bytes, at)
	}
	for _, out := range l.prog.BufferAt[b.stage] {
		if from := g.Buffers[out].Takes; from >= 0 {
			l.free(f, from, at)
			l.carry(f, out, f.shape.Sched.Carried[out], at)
		}
		l.fill(f, out, at)
	}
	for _, e := range g.Stages[b.stage].In {
		l.let(f, g.Edges[e].Buffer, at)
	}
	for _, out := range l.prog.BufferAt[b.stage] {
		l.let(f, out, at)
	}
}

// let says that one holder of a buffer has ended; the last one frees it.
func (l *ledger) let(f *flight, buffer int, at time.Duration) {
	if f.holders[buffer]--; f.holders[buffer] == 0 {
		l.free(f, buffer, at)
	}
}

func (l *ledger) free(f *flight, buffer int, at time.Duration) {
	bytes := f.bytes[buffer]
	if bytes == 0 {
		return
	}
	class := l.classOf(f, buffer)
	if f.filled[buffer] {
		l.buffers[class].add(-1, at)
		l.touch(class, -bytes, at)
	}
	l.lease(class, -bytes, at)
	f.bytes[buffer], f.filled[buffer] = 0, false
	if f.carried -= bytes; f.carried == 0 {
		l.held--
	}
}

// load puts an entry into the cache; evict takes it out.
func (l *ledger) load(key string, class int, bytes int64, at time.Duration) {
	l.entries[key] = &entry{class: class, bytes: bytes}
	l.lease(class, bytes, at)
	l.touch(class, bytes, at)
}

func (l *ledger) evict(key string, at time.Duration) {
	e := l.entries[key]
	if e == nil {
		return
	}
	delete(l.entries, key)
	l.touch(e.class, -e.bytes, at)
	l.lease(e.class, -e.bytes, at)
}

// sample gives the resident bytes of every class.
func (l *ledger) sample(at time.Duration) timeline.Sample {
	s := timeline.Sample{At: at, Bytes: make([]int64, len(l.resident))}
	for c := range l.resident {
		s.Bytes[c] = l.resident[c].now
	}
	return s
}
