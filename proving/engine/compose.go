package engine

import "github.com/proofgraph/proofgraph/proving/curve"

// WithMSM is an engine that sums points with one implementation and does all else with another. It is how kernels for
// multi-scalar multiplication alone become an engine.
func WithMSM(name string, rest Engine, sums MSMEngine) Engine {
	return composed{
		DomainEngine: rest, VectorEngine: rest, ConstraintEngine: rest, MSMEngine: sums,
		name: name, rest: rest,
	}
}

type composed struct {
	MSMEngine
	DomainEngine
	VectorEngine
	ConstraintEngine
	name string
	rest Engine
}

func (c composed) Name() string    { return c.name }
func (c composed) Curve() curve.ID { return c.rest.Curve() }
