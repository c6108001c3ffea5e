// Package explore drives a small pipeline through every order in which its bodies can end, and holds the scheduling core
// to books of its own: pools of every device and edges are never over, every lease ends once, an item stays on the device
// where it began and comes back to none that failed it, items of one priority keep their order, and no state that can be
// reached is stuck.
//
// Reading order: Case and Explore (explore.go), the events of a state (event.go), the books (books.go), what exists by them
// (leases.go) and what fails (failures.go), Violation.
package explore

import (
	"fmt"

	"github.com/proofgraph/proofgraph/graph/sched"
)

// A Case is what is explored: items of a graph, submitted in their order at any moment.
type Case struct {
	Graph *sched.Graph
	Items []sched.Item
	// Failures is how often a body may fail, by itself or for its device, or a job be cancelled, any of them at any moment.
	Failures int
	// Shrinks are early frees that bodies may make at any moment while they run.
	Shrinks []Shrink
	// Together submits all items before anything else happens, which leaves fewer orders.
	Together bool
	// Unchecked explores what the core would refuse.
	Unchecked bool
	// MaxStates ends the exploration early; 0 is 200,000.
	MaxStates int
}

// A Shrink is an early free: a body of Stage leaves Left bytes of Buffer, an input that no other stage reads or an output.
type Shrink struct {
	Stage, Buffer int
	Left          int64
}

// A Result is what an exploration saw when nothing was wrong.
type Result struct {
	States   int     // that differ
	Events   int     // that were tried
	Complete bool    // every order was seen
	Ends     int     // different states in which everything had ended
	Peak     []int64 // per pool: the most bytes that existed, by the explorer's own books
}

// Explore visits every order. The error is a *Violation, or says that the case itself is unsound.
func Explore(c Case) (Result, error) {
	if c.MaxStates == 0 {
		c.MaxStates = 200_000
	}
	core, err := newCore(&c)
	if err != nil {
		return Result{}, err
	}
	e := &explorer{Case: &c, seen: map[string]bool{}, result: Result{Complete: true, Peak: make([]int64, len(c.Graph.Pools))}}
	first := &state{core: core, books: newBooks(&c, core)}
	if c.Together {
		for range c.Items {
			if err := first.submit(&c); err != nil {
				return Result{}, err
			}
		}
	}
	err = e.visit(first)
	e.result.States = len(e.seen)
	return e.result, err
}

func newCore(c *Case) (*sched.Core, error) {
	if c.Unchecked {
		return sched.NewUnchecked(c.Graph)
	}
	return sched.New(c.Graph, nil)
}

type explorer struct {
	*Case
	seen   map[string]bool
	path   []event
	result Result
}

// visit looks at a state and at all that can follow.
func (e *explorer) visit(s *state) error {
	if err := s.check(e.Case); err != nil {
		return e.violation(s, err)
	}
	key := s.key()
	if e.seen[key] {
		return nil
	}
	if len(e.seen) >= e.MaxStates {
		e.result.Complete = false
		return nil
	}
	e.seen[key] = true
	for p, bytes := range s.books.peak {
		e.result.Peak[p] = max(e.result.Peak[p], bytes)
	}
	events := s.events(e.Case)
	if len(events) == 0 {
		return e.end(s)
	}
	for i, ev := range events {
		next := s
		if i < len(events)-1 { // the last one may use the state up
			var err error
			if next, err = s.clone(); err != nil {
				return err
			}
		}
		if err := e.follow(next, ev); err != nil {
			return err
		}
	}
	return nil
}

func (e *explorer) follow(s *state, ev event) error {
	e.path = append(e.path, ev)
	defer func() { e.path = e.path[:len(e.path)-1] }()
	e.result.Events++
	if err := s.happen(e.Case, ev); err != nil {
		return e.violation(s, err)
	}
	return e.visit(s)
}

// end checks a state in which nothing more can happen.
func (e *explorer) end(s *state) error {
	e.result.Ends++
	if err := s.requireEmpty(e.Case); err != nil {
		return e.violation(s, err)
	}
	return nil
}

// A Violation is an order of events that leads to something that must not be.
type Violation struct {
	Path   []string // the events, first to last
	Stuck  bool     // nothing can happen and items are left
	Reason string
	State  string // what every stage waits for
}

// Error tells the order and what is wrong.
func (v *Violation) Error() string {
	text := v.Reason + ", after"
	for _, step := range v.Path {
		text += "\n  " + step
	}
	return text + "\n" + v.State
}

func (e *explorer) violation(s *state, err error) error {
	v := &Violation{Reason: err.Error(), State: s.describe(e.Graph)}
	_, v.Stuck = err.(stuck)
	for _, ev := range e.path {
		v.Path = append(v.Path, ev.text(e.Graph))
	}
	return v
}

// stuck is the error of a state without progress.
type stuck struct{ items int }

func (s stuck) Error() string {
	return fmt.Sprintf("%d items are left and nothing can happen", s.items)
}
