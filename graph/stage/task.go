package stage

import (
	"fmt"

	"github.com/proofgraph/proofgraph/graph/budget"
)

// A Buffer is what a port carries: a small value, and the lease of the bytes that it describes (nil where none). A value
// that is an io.Closer is closed when the last stage that holds the buffer has ended, before the lease is released.
type Buffer struct {
	Value any
	Lease *budget.Lease
}

// Bytes gives the memory of the buffer's lease, nil where there is none, or none that the host can read.
func (b *Buffer) Bytes() []byte { return b.lease().Bytes() }

func (b *Buffer) lease() *budget.Lease {
	if b == nil {
		return nil
	}
	return b.Lease
}

// A Bound is a port's name and what it carries for one item.
type Bound struct {
	Port string
	*Buffer
}

// A Scratch is memory of a class that a body has while it runs.
type Scratch struct {
	Class string
	Lease *budget.Lease
}

// A Task is one item at one stage: what came in, where the results go, and the memory it may use.
type Task struct {
	Item      *Item
	Inputs    []Bound
	Outputs   []Bound
	Scratches []Scratch
	// Device is the device that the item was placed on, from 0; its leases of device memory are all of that one.
	Device int
	// Threads is how many threads the body may keep busy, at least 1.
	Threads int
	// Shrinker carries out Shrink; the driver sets it, and without one Shrink does nothing.
	Shrinker Shrinker
}

// A Shrinker frees the tail of a port's buffer.
type Shrinker interface {
	ShrinkPort(port string, bytes int64) error
}

func find(bound []Bound, port string) *Buffer {
	for i := range bound {
		if bound[i].Port == port {
			return bound[i].Buffer
		}
	}
	return nil
}

// In gives the value of an input, or an error that names the port and both types when it is not a V.
func In[V any](t *Task, port string) (V, error) {
	var none V
	b := find(t.Inputs, port)
	if b == nil {
		return none, fmt.Errorf("input %q is not connected", port)
	}
	v, ok := b.Value.(V)
	if !ok {
		return none, fmt.Errorf("input %q carries a %T, not a %T", port, b.Value, none)
	}
	return v, nil
}

// Connected reports whether an input is fed by an edge.
func (t *Task) Connected(port string) bool { return find(t.Inputs, port) != nil }

// InBytes gives the memory of an input's lease, nil where there is none, or none that the host can read. Only a body whose
// output takes the input over may write to it.
func (t *Task) InBytes(port string) []byte { return find(t.Inputs, port).Bytes() }

// OutBytes gives the memory leased for an output: exactly the footprint's bytes, page-aligned. In device memory it is nil
// (see OutLease), and for an output that takes over an input it is nil until the body has ended.
func (t *Task) OutBytes(port string) []byte { return find(t.Outputs, port).Bytes() }

// InLease gives the lease of an input, nil where there is none. It stays the item's: a body does not release it.
func (t *Task) InLease(port string) *budget.Lease { return find(t.Inputs, port).lease() }

// OutLease gives the lease of an output, nil where there is none or where the output takes over an input.
func (t *Task) OutLease(port string) *budget.Lease { return find(t.Outputs, port).lease() }

// ScratchLease gives the lease of a class's scratch, nil where the footprint asked for none.
func (t *Task) ScratchLease(class string) *budget.Lease {
	for _, s := range t.Scratches {
		if s.Class == class && s.Lease != nil {
			return s.Lease
		}
	}
	return nil
}

// Set gives an output its value. Setting an output that the kind does not have is an error.
func (t *Task) Set(port string, value any) error {
	b := find(t.Outputs, port)
	if b == nil {
		return fmt.Errorf("there is no output %q", port)
	}
	b.Value = value
	return nil
}

// Scratch gives the scratch memory of a class, nil where the footprint asked for none, or none that the host can read.
func (t *Task) Scratch(class string) []byte { return t.ScratchLease(class).Bytes() }

// Shrink frees an input or output early, down to its first bytes; the memory goes back to the system at once. It does
// nothing while another stage still holds the buffer, and nothing in device or pinned memory, which comes back whole or not
// at all, unless bytes is 0.
func (t *Task) Shrink(port string, bytes int64) error {
	if t.Shrinker == nil {
		return nil
	}
	return t.Shrinker.ShrinkPort(port, bytes)
}
