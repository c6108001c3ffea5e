package explore

import (
	"fmt"
	"slices"

	"github.com/proofgraph/proofgraph/graph/sched"
)

// A kind is what can happen to a pipeline from outside the core.
type kind int

const (
	submitted kind = iota
	launched
	finished
	failed
	broken // failed, and its device is the cause
	shrunk
	cancelled // the item's job
)

// An event happens to an item at a stage.
type event struct {
	kind   kind
	item   sched.ItemID
	stage  int
	shrink int // index into Case.Shrinks
}

func (ev event) text(g *sched.Graph) string {
	switch ev.kind {
	case submitted:
		return "the next item is submitted"
	case shrunk:
		return fmt.Sprintf("item %d frees a part at %s", ev.item, g.Stages[ev.stage].Name)
	case cancelled:
		return fmt.Sprintf("the job of item %d is cancelled", ev.item)
	}
	verb := map[kind]string{launched: "is launched", finished: "ends", failed: "fails", broken: "is failed by its device"}[ev.kind]
	return fmt.Sprintf("item %d %s at %s", ev.item, verb, g.Stages[ev.stage].Name)
}

// A state is the core and the books at one point of an order.
type state struct {
	core      *sched.Core
	books     *books
	submitted int
	failures  int
}

func (s *state) clone() (*state, error) {
	core, err := s.core.Clone()
	if err != nil {
		return nil, err
	}
	return &state{core: core, books: s.books.clone(), submitted: s.submitted, failures: s.failures}, nil
}

// key tells states apart: what the core will do follows from its own key, what can still come from the two numbers.
func (s *state) key() string {
	key := s.core.AppendKey([]byte{byte(s.submitted), byte(s.failures)})
	return string(s.books.appendKey(key))
}

// events lists what can happen next.
func (s *state) events(c *Case) []event {
	var events []event
	if s.submitted < len(c.Items) {
		events = append(events, event{kind: submitted})
	}
	for _, b := range s.books.running {
		if c.Graph.Stages[b.stage].Async && !b.launched {
			events = append(events, event{kind: launched, item: b.item, stage: b.stage})
		}
		events = append(events, event{kind: finished, item: b.item, stage: b.stage})
		if s.failures < c.Failures {
			events = append(events, event{kind: failed, item: b.item, stage: b.stage})
			if c.Graph.Devices > 1 { // a single one is the item's failure
				events = append(events, event{kind: broken, item: b.item, stage: b.stage})
			}
		}
		for i, shrink := range c.Shrinks {
			if shrink.Stage == b.stage && s.books.canShrink(b.item, shrink) {
				events = append(events, event{kind: shrunk, item: b.item, stage: b.stage, shrink: i})
			}
		}
	}
	if s.failures < c.Failures {
		for _, id := range s.books.heads() {
			events = append(events, event{kind: cancelled, item: id})
		}
	}
	return events
}

// happen tells the core and the books of an event and carries out what the core decides.
func (s *state) happen(c *Case, ev event) error {
	ready := s.ready(c.Graph)
	var decisions []sched.Decision
	switch ev.kind {
	case submitted:
		return s.submit(c)
	case launched:
		s.books.launch(ev.item, ev.stage)
		decisions = s.core.Launched(ev.item, ev.stage)
	case finished:
		if err := s.books.bodyEnds(ev.item, ev.stage, true); err != nil {
			return err
		}
		decisions = s.core.Finished(ev.item, ev.stage)
	case failed:
		s.failures++
		if err := s.books.bodyEnds(ev.item, ev.stage, false); err != nil {
			return err
		}
		s.books.fail(ev.item)
		decisions = s.core.Failed(ev.item, ev.stage)
	case broken:
		s.failures++
		if err := s.books.bodyEnds(ev.item, ev.stage, false); err != nil {
			return err
		}
		var again bool
		again, decisions = s.core.FailedByDevice(ev.item, ev.stage)
		s.books.breakDown(ev.item, again)
	case cancelled:
		s.failures++
		s.books.failJob(ev.item)
		decisions = s.core.CancelJob(s.books.items[ev.item].Job)
	case shrunk:
		shrink := c.Shrinks[ev.shrink]
		s.books.shrink(ev.item, shrink)
		decisions = s.core.Shrunk(ev.item, shrink.Buffer, shrink.Left)
	}
	return s.carryOut(decisions, ready)
}

// ready lists what is ready at each stage.
func (s *state) ready(g *sched.Graph) [][]sched.ItemID {
	ready := make([][]sched.ItemID, len(g.Stages))
	for i := range g.Stages {
		ready[i] = s.core.Waiting(i)
	}
	return ready
}

func (s *state) submit(c *Case) error {
	ready := s.ready(c.Graph)
	in := c.Items[s.submitted]
	s.submitted++
	s.books.submit(in)
	decisions, err := s.core.Submit(in)
	if err != nil {
		return fmt.Errorf("item %d: %w", in.ID, err)
	}
	return s.carryOut(decisions, ready)
}

func (s *state) carryOut(decisions []sched.Decision, ready [][]sched.ItemID) error {
	queue := slices.Clone(decisions)
	for i := 0; i < len(queue); i++ {
		d := queue[i]
		switch d.Op {
		case sched.Start:
			if err := s.books.bodyStarts(d, ready[d.Stage]); err != nil {
				return err
			}
		case sched.Drop:
			s.books.drop(d.Item)
			queue = append(queue, s.core.Dropped(d.Item)...)
		case sched.Again:
			if err := s.books.beginAnew(d.Item); err != nil {
				return err
			}
		case sched.Ended:
			if err := s.books.ends(d); err != nil {
				return err
			}
		case sched.Evict:
			if err := s.books.evict(d.Key); err != nil {
				return err
			}
			queue = append(queue, s.core.Evicted(d.Key)...)
		}
	}
	return nil
}

// check holds the core's promises to the books and to the limits.
func (s *state) check(c *Case) error {
	for p, pool := range c.Graph.Pools {
		counts := s.core.Pool(p)
		exist := s.books.bytesIn(p)
		switch {
		case pool.Limit >= 0 && counts.Used > pool.Limit:
			return fmt.Errorf("pool %q is over: %d of %d bytes are promised", pool.Name, counts.Used, pool.Limit)
		case exist > counts.Used:
			return fmt.Errorf("pool %q: %d bytes exist and %d were promised", pool.Name, exist, counts.Used)
		}
	}
	for r, resource := range c.Graph.Resources {
		if used := s.books.uses[r]; used > resource.Count {
			return fmt.Errorf("resource %q is over: %d of %d", resource.Name, used, resource.Count)
		}
	}
	for i, edge := range c.Graph.Edges {
		if e := s.core.Edge(i); e.Items > edge.Capacity || e.Bytes > edge.Bytes || e.Items < 0 || e.Bytes < 0 {
			return fmt.Errorf("edge %s → %s holds %d items, %d bytes", c.Graph.Buffers[edge.Buffer].Name, c.Graph.Stages[edge.To].Name, e.Items, e.Bytes)
		}
	}
	return s.books.widths()
}

// requireEmpty checks that what has ended has left nothing behind but idle cache entries.
func (s *state) requireEmpty(c *Case) error {
	if live := s.core.Live(); live > 0 {
		return stuck{live}
	}
	for p, pool := range c.Graph.Pools {
		if used, idle := s.core.Pool(p).Used, s.books.idleIn(p); used != idle {
			return fmt.Errorf("pool %q: %d bytes are promised when all has ended, and idle entries have %d", pool.Name, used, idle)
		}
	}
	for i := range c.Graph.Edges {
		if e := s.core.Edge(i); e.Items != 0 || e.Bytes != 0 {
			return fmt.Errorf("edge %d holds %d items when all has ended", i, e.Items)
		}
	}
	return s.books.requireEnded()
}

// describe tells what everybody waits for.
func (s *state) describe(g *sched.Graph) string {
	text := fmt.Sprintf("admission waits for %s %d", s.core.Admission().Kind, s.core.Admission().Index)
	for i, st := range g.Stages {
		counts, block := s.core.Stage(i)
		text += fmt.Sprintf("\n%s: %d started, %d ended, waits for %s %d", st.Name, counts.Started, counts.Finished, block.Kind, block.Index)
	}
	for p, pool := range g.Pools {
		text += fmt.Sprintf("\npool %s: %d of %d promised, %d exist", pool.Name, s.core.Pool(p).Used, pool.Limit, s.books.bytesIn(p))
	}
	return text
}
