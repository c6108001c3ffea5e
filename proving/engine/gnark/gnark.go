// Package gnark is the engine that works everywhere: gnark-crypto's field and curve arithmetic under this project's
// memory rules. Transforms are written here, since they need almost no memory beside the vector; multi-scalar
// multiplication is gnark-crypto's, fed in slices that bound what it allocates.
package gnark

import (
	"fmt"
	"unsafe"

	"github.com/consensys/gnark-crypto/ecc/bls12-381"
	blsfr "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark-crypto/ecc/bn254"
	bnfr "github.com/consensys/gnark-crypto/ecc/bn254/fr"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/field"
)

// Name is the engine's name in a registry.
const Name = "gnark"

// Kind describes the engine to a registry. It works on every machine, so its rank is the lowest.
func Kind() engine.Kind {
	return engine.Kind{
		Name:      Name,
		Available: func(id curve.ID) (bool, string) { return id.Valid(), "no such curve" },
		New:       New,
	}
}

// New makes the engine for a curve.
func New(id curve.ID) (engine.Engine, error) {
	switch id {
	case curve.BN254:
		return newEngine[bnfr.Element](id, bnVectors, map[curve.Group]summer{
			curve.G1: newSums[bn254.G1Affine, bn254.G1Jac, bnfr.Element](),
			curve.G2: newSums[bn254.G2Affine, bn254.G2Jac, bnfr.Element](),
		}), nil
	case curve.BLS12381:
		return newEngine[blsfr.Element](id, blsVectors, map[curve.Group]summer{
			curve.G1: newSums[bls12381.G1Affine, bls12381.G1Jac, blsfr.Element](),
			curve.G2: newSums[bls12381.G2Affine, bls12381.G2Jac, blsfr.Element](),
		}), nil
	}
	return nil, fmt.Errorf("%w: %s", curve.ErrUnknown, id)
}

// implementation is an engine over the scalar field E.
type implementation[E any, P field.Element[E]] struct {
	id      curve.ID
	vec     vectors[E]
	groups  map[curve.Group]summer
	domains domains[E, P]
}

func newEngine[E any, P field.Element[E]](id curve.ID, v vectors[E], g map[curve.Group]summer) engine.Engine {
	e := &implementation[E, P]{id: id, vec: v, groups: g}
	e.domains.curve = id
	return e
}

func (e *implementation[E, P]) Name() string    { return Name }
func (e *implementation[E, P]) Curve() curve.ID { return e.id }

// vectors are the loops over elements that gnark-crypto has in assembly.
type vectors[E any] struct {
	add, sub, mul func(dst, a, b []E)
	scale         func(dst, a []E, by *E)
}

var bnVectors = vectors[bnfr.Element]{
	add:   func(dst, a, b []bnfr.Element) { (*bnfr.Vector)(&dst).Add(a, b) },
	sub:   func(dst, a, b []bnfr.Element) { (*bnfr.Vector)(&dst).Sub(a, b) },
	mul:   func(dst, a, b []bnfr.Element) { (*bnfr.Vector)(&dst).Mul(a, b) },
	scale: func(dst, a []bnfr.Element, by *bnfr.Element) { (*bnfr.Vector)(&dst).ScalarMul(a, by) },
}

var blsVectors = vectors[blsfr.Element]{
	add:   func(dst, a, b []blsfr.Element) { (*blsfr.Vector)(&dst).Add(a, b) },
	sub:   func(dst, a, b []blsfr.Element) { (*blsfr.Vector)(&dst).Sub(a, b) },
	mul:   func(dst, a, b []blsfr.Element) { (*blsfr.Vector)(&dst).Mul(a, b) },
	scale: func(dst, a []blsfr.Element, by *blsfr.Element) { (*blsfr.Vector)(&dst).ScalarMul(a, by) },
}

// The words of canonical scalars are used as field elements before they are reduced to Montgomery form.
var _ = [1]struct{}{}[unsafe.Sizeof(bnfr.Element{})-curve.ScalarSize+unsafe.Sizeof(blsfr.Element{})-curve.ScalarSize]
