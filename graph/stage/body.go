package stage

import (
	"context"
	"fmt"

	"github.com/proofgraph/proofgraph/graph/budget"
)

// A Body does the work of a stage, one Task at a time; workers call it concurrently.
type Body interface {
	// Run works on one item. It must return soon after ctx ends, and may run twice for one item and give one result.
	// Bytes it needs beyond its outputs and its scratch it does not have.
	Run(ctx context.Context, t *Task) error
}

// BodyFunc is a function as a Body.
type BodyFunc func(ctx context.Context, t *Task) error

// Run calls f.
func (f BodyFunc) Run(ctx context.Context, t *Task) error { return f(ctx, t) }

// An Item is one unit of work on its way through a pipeline: a partition of a job.
type Item struct {
	ID       uint64
	Job      string
	Index    int
	Priority int
	Facts    Facts
	// Payload is what the source put in: the description of the work, small, never a buffer.
	Payload any
}

// A Buffer is what a port carries: a small value, and the lease of the bytes that it describes (nil where none).
type Buffer struct {
	Value any
	Lease *budget.Lease
}

// Bytes gives the memory of the buffer's lease; it is nil where there is none.
func (b *Buffer) Bytes() []byte {
	if b == nil || b.Lease == nil {
		return nil
	}
	return b.Lease.Bytes()
}

// A Task is one item at one stage: what came in, where the results go, and the memory it may use.
type Task struct {
	Item    Item
	Inputs  map[string]*Buffer
	Outputs map[string]*Buffer
	// ScratchLeases has the scratch of the footprint by class; it is returned when the body ends.
	ScratchLeases map[string]*budget.Lease
	// Threads is how many threads the body may keep busy, at least 1.
	Threads int
}

// In gives the value of an input, or an error that names the port and both types when it is not a V.
func In[V any](t *Task, port string) (V, error) {
	var none V
	b := t.Inputs[port]
	if b == nil {
		return none, fmt.Errorf("input %q is not connected", port)
	}
	v, ok := b.Value.(V)
	if !ok {
		return none, fmt.Errorf("input %q carries a %T, not a %T", port, b.Value, none)
	}
	return v, nil
}

// InBytes gives the memory of an input's lease.
func (t *Task) InBytes(port string) []byte { return t.Inputs[port].Bytes() }

// OutBytes gives the memory leased for an output, of exactly the footprint's size and zeroed or not as the lease says.
func (t *Task) OutBytes(port string) []byte { return t.Outputs[port].Bytes() }

// Set gives an output its value.
func (t *Task) Set(port string, value any) { t.Outputs[port].Value = value }

// Scratch gives the scratch memory of a class (nil where the footprint asked for none).
func (t *Task) Scratch(class string) []byte {
	if l := t.ScratchLeases[class]; l != nil {
		return l.Bytes()
	}
	return nil
}
