package engine

import "github.com/proofgraph/proofgraph/proving/curve"

// Parts are implementations of some of an engine's operations, all for one curve. Nil ones are not replaced.
type Parts struct {
	MSM        MSMEngine
	Domain     DomainEngine
	Vector     VectorEngine
	Constraint ConstraintEngine
}

// Compose is an engine that does what the parts do with them, and all else with another engine. It is how kernels for a few
// operations become an engine.
func Compose(name string, rest Engine, parts Parts) Engine {
	c := composed{MSMEngine: rest, DomainEngine: rest, VectorEngine: rest, ConstraintEngine: rest, name: name, curve: rest.Curve()}
	if parts.MSM != nil {
		c.MSMEngine = parts.MSM
	}
	if parts.Domain != nil {
		c.DomainEngine = parts.Domain
	}
	if parts.Vector != nil {
		c.VectorEngine = parts.Vector
	}
	if parts.Constraint != nil {
		c.ConstraintEngine = parts.Constraint
	}
	return c
}

// WithMSM is an engine that sums points with one implementation and does all else with another.
func WithMSM(name string, rest Engine, sums MSMEngine) Engine {
	return Compose(name, rest, Parts{MSM: sums})
}

type composed struct {
	MSMEngine
	DomainEngine
	VectorEngine
	ConstraintEngine
	name  string
	curve curve.ID
}

func (c composed) Name() string    { return c.name }
func (c composed) Curve() curve.ID { return c.curve }
