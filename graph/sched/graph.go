// Package sched is the scheduling core: a pure, deterministic state machine that decides when which body of a pipeline
// may start. Events go in (an item was submitted, a body ended), decisions come out (start this body on that worker). It
// has no goroutine, no clock and no channel, so the same decisions can be driven by a real machine, by virtual time or by
// an exhaustive search.
//
// Reading order: Graph (graph.go), Item and Shape (item.go), Decision (decision.go), Core and its events (core.go), then
// one file per rule: admit.go, place.go, rest.go, reserve.go, start.go, send.go, order.go, supply.go, cached.go, fail.go.
// What is told of a core is in stats.go and key.go, what it would refuse in fits.go.
//
// Why no accepted pipeline can get stuck:
//   - Carried bytes: an item is admitted only once the greatest total that it will ever carry from then on is reserved, so
//     its outputs never wait for memory (reserve.go).
//   - Scratch: a body asks for all of it before it starts and waits for nothing while it holds it; admission never takes
//     the bytes that the largest single body needs (admit.go).
//   - Edges: between a fork and its join, items start and are sent in one order, the order in which they entered. So the
//     first unfinished item finds every edge on its way free of later ones, and any capacity from 1 up suffices (order.go).
//   - Devices: an item that a device has failed holds nothing when it begins anew, and is from then on like any other that
//     was just submitted; and it does so once (rest.go).
package sched

import "fmt"

// MaxStages bounds the stages of a graph, and the pools and resources together: sets of either are words.
const MaxStages = 64

// A Graph is what the core needs to know of a pipeline. Stages stand in topological order; everything else refers to
// them, and to each other, by index.
type Graph struct {
	Pools     []Pool
	Resources []Resource
	Stages    []Stage
	Buffers   []Buffer
	Edges     []Edge
	InFlight  int // admitted items that have not ended; 0 is no bound
	Devices   int // on each of which an item can be placed; 0 is 1
}

// A Pool is a number of bytes. Limit < 0 is a pool that is counted and never refuses; 0 is memory that the machine does
// not have. One that is PerDevice is the first device's, and those of the other devices follow it, which are not marked:
// what names the first means the one of an item's device.
type Pool struct {
	Name      string
	Limit     int64
	PerDevice bool
}

// A Resource can be used by bodies up to Count at once. One that is PerDevice is followed by those of the other devices.
type Resource struct {
	Name      string
	Count     int
	PerDevice bool
}

// Release says when a worker's permit comes back.
type Release int

// The release rules; see the pipeline language.
const (
	AfterSend Release = iota
	OnComplete
	OnConsume
)

// A Stage is a node: at most Workers bodies hold its permits at once. An Async stage gives its permit back when its body
// is launched, sends its output at once, and has at most Pending bodies under way.
type Stage struct {
	Name    string
	Workers int
	Release Release
	Async   bool
	Pending int
	Uses    []Use
	In, Out []int // edges
	Outputs []int // buffers
}

// A Use is an amount of a resource that a body holds from its start to its end.
type Use struct{ Resource, Count int }

// A Buffer is an output of a stage: it lives from the start of its producer to the end of its last consumer. One that
// Takes over an input's buffer lives from the end of its producer, in that buffer's bytes.
type Buffer struct {
	Name   string // "stage.port"
	Stage  int
	Pool   int // -1: holds no bytes
	Cached bool
	Takes  int   // buffer, or -1
	Edges  []int // the edges it feeds
}

// An Edge carries a buffer to a consumer and holds at most Capacity items and Bytes bytes that the consumer has not taken.
type Edge struct {
	Buffer   int
	From, To int
	Capacity int
	Bytes    int64
}

func (g *Graph) validate() error {
	if len(g.Stages) == 0 || len(g.Stages) > MaxStages {
		return fmt.Errorf("a graph has 1 to %d stages, not %d", MaxStages, len(g.Stages))
	}
	if len(g.Pools)+len(g.Resources) > MaxStages {
		return fmt.Errorf("a graph has at most %d pools and resources", MaxStages)
	}
	if err := g.validateDevices(); err != nil {
		return err
	}
	for _, s := range g.Stages {
		if err := g.validateStage(&s); err != nil {
			return fmt.Errorf("stage %q: %w", s.Name, err)
		}
	}
	for _, e := range g.Edges {
		if e.From >= e.To {
			return fmt.Errorf("edge from %q to %q goes backwards", g.Stages[e.From].Name, g.Stages[e.To].Name)
		}
		if e.Capacity < 1 || e.Bytes < 0 {
			return fmt.Errorf("edge from %q: capacity %d, bytes %d", g.Buffers[e.Buffer].Name, e.Capacity, e.Bytes)
		}
	}
	return nil
}

// validateDevices checks that what every device has of its own is there for each.
func (g *Graph) validateDevices() error {
	for p := range g.Pools {
		if g.Pools[p].PerDevice && p+g.devices() > len(g.Pools) {
			return fmt.Errorf("pool %q: there are not %d of it", g.Pools[p].Name, g.devices())
		}
	}
	for r := range g.Resources {
		if g.Resources[r].PerDevice && r+g.devices() > len(g.Resources) {
			return fmt.Errorf("resource %q: there are not %d of it", g.Resources[r].Name, g.devices())
		}
	}
	return nil
}

func (g *Graph) validateStage(s *Stage) error {
	if s.Workers < 1 {
		return fmt.Errorf("workers %d", s.Workers)
	}
	if s.Async && s.Pending < 1 {
		return fmt.Errorf("pending %d", s.Pending)
	}
	for _, u := range s.Uses {
		if r := g.Resources[u.Resource]; u.Count < 1 || u.Count > r.Count {
			return fmt.Errorf("uses %d of %q, which has %d", u.Count, r.Name, r.Count)
		}
	}
	return nil
}
