package run

import (
	"time"

	"github.com/proofgraph/proofgraph/graph/stage"
)

// An EventKind is what happened to a body.
type EventKind int

// The events that an observer is told.
const (
	BodyStarted  EventKind = iota
	BodyLaunched           // of an async stage: its worker is free, and the work goes on beside
	BodyEnded
)

// An Event is one body's start, launch or end. At counts from the run's start; Err is set at the end of a body that failed.
type Event struct {
	Kind   EventKind
	At     time.Duration
	Stage  int
	Worker int
	Device int // where the item was placed
	Item   *stage.Item
	Err    error
}

func (p *Pipeline) observe(e Event) {
	if p.options.Observe != nil {
		p.options.Observe(e)
	}
}
