// Package pairing is the arithmetic of single points of both curves: what is done a handful of times a proof, where
// speed does not matter and clarity does. Whole vectors of points are package engine's.
//
// Points are bytes as everywhere in this module: affine, Montgomery, all zero for infinity, at any alignment. Operations
// expect points that CheckPoint accepts.
package pairing

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/internal/canonical"
)

// The ways in which a point can be wrong.
var (
	ErrRange    = errors.New("coordinate is not less than the modulus")
	ErrNotCurve = errors.New("point is not on the curve")
	ErrSubgroup = errors.New("point is not in the subgroup of prime order")
	ErrInfinity = errors.New("point is at infinity")
)

// Suite is the arithmetic of one curve.
type Suite struct {
	id     curve.ID
	groups [3]group // by curve.Group
	// product reports whether the pairings of the points multiply to one.
	product func(p, q [][]byte) (bool, error)
	// pair is the reduced pairing, twelve coordinates in the order of gnark-crypto's tower.
	pair func(p, q []byte) ([]byte, error)
}

// group is what a group does with single points.
type group interface {
	generator() []byte
	add(a, b []byte) []byte
	multiply(p []byte, k *big.Int) []byte
	onCurve(p []byte) bool
	inSubgroup(p []byte) bool
}

// Of is the arithmetic of a curve.
func Of(id curve.ID) (*Suite, error) {
	switch id {
	case curve.BN254:
		return bn254Suite, nil
	case curve.BLS12381:
		return bls12381Suite, nil
	}
	return nil, fmt.Errorf("%w: %s", curve.ErrUnknown, id)
}

// Curve is the curve of the suite.
func (s *Suite) Curve() curve.ID { return s.id }

// Generator is the usual generator of a group.
func (s *Suite) Generator(g curve.Group) []byte { return s.groups[g].generator() }

// Add is a + b.
func (s *Suite) Add(g curve.Group, a, b []byte) []byte { return s.groups[g].add(a, b) }

// Multiply is k·p, for k of any size.
func (s *Suite) Multiply(g curve.Group, p []byte, k *big.Int) []byte {
	return s.groups[g].multiply(p, new(big.Int).Mod(k, s.id.ScalarModulus()))
}

// CheckPoint says whether p is a point of the group: its length, the range of its coordinates, the curve's
// equation and the subgroup. Infinity is one.
func (s *Suite) CheckPoint(g curve.Group, p []byte) error {
	if len(p) != s.id.PointSize(g) {
		return fmt.Errorf("a %s point of %s has %d bytes, not %d", g, s.id, s.id.PointSize(g), len(p))
	}
	bound := canonical.BaseBound(s.id)
	for i := 0; i < len(p); i += s.id.BaseSize() {
		if !bound.Exceeds(p[i : i+s.id.BaseSize()]) {
			return ErrRange
		}
	}
	if !s.groups[g].onCurve(p) {
		return ErrNotCurve
	}
	if !s.groups[g].inSubgroup(p) {
		return ErrSubgroup
	}
	return nil
}

// CheckPoints says whether every point of a vector is one of the group, and names the first that is not.
// Points lie one after the other.
func (s *Suite) CheckPoints(g curve.Group, points []byte) (bad int, err error) {
	size := s.id.PointSize(g)
	for i := range len(points) / size {
		if err := s.CheckPoint(g, points[i*size:][:size]); err != nil {
			return i, err
		}
	}
	return -1, nil
}

// ProductIsOne says whether the pairings e(p[i], q[i]) multiply to one.
func (s *Suite) ProductIsOne(p, q [][]byte) (bool, error) { return s.product(p, q) }

// IsInfinity says whether a point is the neutral element.
func IsInfinity(p []byte) bool {
	for _, b := range p {
		if b != 0 {
			return false
		}
	}
	return true
}

// Negate is −p.
func (s *Suite) Negate(g curve.Group, p []byte) []byte {
	return s.Multiply(g, p, big.NewInt(-1))
}
