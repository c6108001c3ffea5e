// Package stage is the contract between a pipeline and the code it names: a Kind says what a stage kind is called,
// which options and ports it has, how many bytes it will hold for an item, and how to make its Body; a Body does the
// work of one Task.
//
// Reading order: Kind, Port and Type (types.go), Options (options.go), Footprint (footprint.go), Body and Task (body.go), DeviceFault (fault.go),
// Registry (registry.go).
package stage

import "github.com/proofgraph/proofgraph/graph/budget"

// A Kind is something a stage of a pipeline can be: "groth16.msm", "hash.sha256".
type Kind struct {
	// Name is what a pipeline writes after `kind:`, in the form family.verb.
	Name string
	// Doc is one sentence in the present tense; `explain` prints it first.
	Doc string
	// Options are the keys that a stage of this kind understands beside those of every stage.
	Options []Option
	// Inputs and Outputs are the ports, in the order they are documented.
	Inputs, Outputs []Port
	// PortsFor gives the ports where they depend on the options (nil: Inputs and Outputs hold for all).
	PortsFor func(Options) (inputs, outputs []Port, err error)
	// Scratch names every buffer class that a footprint may ask scratch of. A pipeline must declare each, or map it to
	// another under the stage's `buffers`.
	Scratch []string
	// OptionalScratch names classes that a footprint asks scratch of only where Options.Declares says so. A pipeline may
	// declare them, map them, or do without.
	OptionalScratch []string
	// Memory lists, for classes as the kind names them, the memories in which a buffer may lie. A buffer of a class that
	// is not there may lie in any.
	Memory map[string][]budget.Memory
	// Footprint says, before anything is allocated, the bytes that one item will need (nil: none).
	Footprint func(Options, Item) (Footprint, error)
	// New makes the body that all workers of one stage share; it is called once per stage and run.
	New func(Options) (Body, error)
}

// Ports gives the input and output ports of a stage of this kind with the options o.
func (k *Kind) Ports(o Options) (inputs, outputs []Port, err error) {
	if k.PortsFor == nil {
		return k.Inputs, k.Outputs, nil
	}
	return k.PortsFor(o)
}

// A Port is a named, typed place where a stage takes or gives a value.
type Port struct {
	Name string
	Doc  string
	Type Type
	// Class is the buffer class of the bytes that an output carries, unless the pipeline names another; empty where the
	// value is small and needs no lease. Inputs leave it empty.
	Class string
	// Charged says that an output's bytes are counted against its pool though no memory is handed to the body, which
	// brings its own: a mapped file.
	Charged bool
	// Takes names the input whose buffer this output takes over: the body worked in place, and the input's lease, shrunk
	// to the output's bytes, becomes the output's. Such an input can have no other consumer.
	Takes string
	// Optional says that an input may be left unconnected; an output always may.
	Optional bool
}
