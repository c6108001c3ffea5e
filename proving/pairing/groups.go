package pairing

import (
	"math/big"
	"slices"

	"github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bn254"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/internal/view"
)

// affine is what single points need of gnark-crypto's affine points A.
type affine[A any] interface {
	*A
	Add(a, b *A) *A
	ScalarMultiplication(a *A, k *big.Int) *A
	ScalarMultiplicationBase(k *big.Int) *A
	IsOnCurve() bool
	IsInSubGroup() bool
}

type groupOf[A any, P affine[A]] struct{}

func newGroup[A any, P affine[A]]() group { return groupOf[A, P]{} }

// load copies a point out of bytes of any alignment.
func load[A any](b []byte) *A {
	p := new(A)
	copy(view.One(p), b)
	return p
}

func bytesOf[A any](p *A) []byte { return slices.Clone(view.One(p)) }

func (groupOf[A, P]) generator() []byte {
	return bytesOf((*A)(P(new(A)).ScalarMultiplicationBase(big.NewInt(1))))
}

func (groupOf[A, P]) add(a, b []byte) []byte {
	return bytesOf((*A)(P(new(A)).Add(load[A](a), load[A](b))))
}

func (groupOf[A, P]) multiply(p []byte, k *big.Int) []byte {
	return bytesOf((*A)(P(new(A)).ScalarMultiplication(load[A](p), k)))
}

func (groupOf[A, P]) onCurve(p []byte) bool    { return P(load[A](p)).IsOnCurve() }
func (groupOf[A, P]) inSubgroup(p []byte) bool { return P(load[A](p)).IsInSubGroup() }

// loadAll copies points for a pairing.
func loadAll[A any](points [][]byte) []A {
	all := make([]A, len(points))
	for i, p := range points {
		all[i] = *load[A](p)
	}
	return all
}

var bn254Suite = &Suite{
	id:     curve.BN254,
	groups: [3]group{curve.G1: newGroup[bn254.G1Affine](), curve.G2: newGroup[bn254.G2Affine]()},
	product: func(p, q [][]byte) (bool, error) {
		return bn254.PairingCheck(loadAll[bn254.G1Affine](p), loadAll[bn254.G2Affine](q))
	},
	pair: func(p, q []byte) ([]byte, error) {
		gt, err := bn254.Pair(loadAll[bn254.G1Affine]([][]byte{p}), loadAll[bn254.G2Affine]([][]byte{q}))
		return bytesOf(&gt), err
	},
}

var bls12381Suite = &Suite{
	id:     curve.BLS12381,
	groups: [3]group{curve.G1: newGroup[bls12381.G1Affine](), curve.G2: newGroup[bls12381.G2Affine]()},
	product: func(p, q [][]byte) (bool, error) {
		return bls12381.PairingCheck(loadAll[bls12381.G1Affine](p), loadAll[bls12381.G2Affine](q))
	},
	pair: func(p, q []byte) ([]byte, error) {
		gt, err := bls12381.Pair(loadAll[bls12381.G1Affine]([][]byte{p}), loadAll[bls12381.G2Affine]([][]byte{q}))
		return bytesOf(&gt), err
	},
}
