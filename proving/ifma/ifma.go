package ifma

import (
	"context"
	"errors"
	"fmt"
)

// Curve names a pairing-friendly curve.
type Curve int

// The curves.
const (
	BN254 Curve = iota
	BLS12381
)

// Group names one of a curve's two groups.
type Group int

// The groups: G1 over the base field, G2 over its quadratic extension.
const (
	G1 Group = iota
	G2
)

// ScalarForm tells how scalars are represented.
type ScalarForm int

// The forms: plain integers, or Montgomery form with R = 2^256.
const (
	Canonical ScalarForm = iota
	Montgomery
)

// ScalarBytes is the size of a scalar of either curve.
const ScalarBytes = 32

// maxPoints is what an index with a sign bit can name.
const maxPoints = 1<<31 - 1

// ErrUnavailable is returned where the kernels cannot run: see Available.
var ErrUnavailable = errors.New("ifma: kernels unavailable")

// PointBytes is the size of an affine point: two coordinates in Montgomery form, 64-bit words, least first.
func PointBytes(c Curve, g Group) int {
	bytes := [...]int{BN254: 64, BLS12381: 96}[c]
	return bytes << int(g)
}

// Available tells whether the kernels can run here, and if not, why.
func Available() (bool, string) { return available() }

// ScratchBytes is the scratch that MSM needs for n points on `threads` threads, exactly.
func ScratchBytes(c Curve, g Group, n, threads int) int {
	return DigitsBytes(n) + WorkBytes(c, g, n, threads)
}

// MSM writes the sum of scalars[i]·points[i] to out as an affine point, all zero for infinity.
//
// points holds n affine points as gnark-crypto and .zkey files lay them out (PointBytes each, all zero for infinity), scalars n
// numbers of ScalarBytes, little-endian, in the given form; both are only read, at any alignment. scratch is ScratchBytes long,
// its contents do not matter, and it is the caller's again on return. A cancelled ctx ends the call within milliseconds.
func MSM(ctx context.Context, c Curve, g Group, out, points, scalars []byte, form ScalarForm, scratch []byte, threads int) error {
	n := len(scalars) / ScalarBytes
	if err := check(c, g, n, threads); err != nil {
		return err
	}
	if need := ScratchBytes(c, g, n, threads); len(scratch) < need {
		return fmt.Errorf("ifma: scratch of %d bytes, need %d", len(scratch), need)
	}
	cut := DigitsBytes(n)
	digits, err := Decompose(ctx, c, scalars, form, scratch[:cut], threads)
	if err != nil {
		return err
	}
	return digits.MSM(ctx, g, out, points, scratch[cut:], threads)
}

// check refuses arguments that no kernel could take.
func check(c Curve, g Group, n, threads int) error {
	switch {
	case c != BN254 && c != BLS12381:
		return fmt.Errorf("ifma: no curve %d", c)
	case g != G1 && g != G2:
		return fmt.Errorf("ifma: no group %d", g)
	case n > maxPoints:
		return fmt.Errorf("ifma: %d points, at most %d", n, maxPoints)
	case threads < 1:
		return fmt.Errorf("ifma: %d threads", threads)
	}
	if ok, reason := Available(); !ok {
		return fmt.Errorf("%w: %s", ErrUnavailable, reason)
	}
	return nil
}
