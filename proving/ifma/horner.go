package ifma

import (
	"fmt"
	"unsafe"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bn254"
)

// jacobian and affine are what gnark-crypto's point types offer to the last, short part of an MSM.
type jacobian[J, A any] interface {
	*J
	DoubleAssign() *J
	AddMixed(*A) *J
}

type affine[J, A any] interface {
	*A
	FromJacobian(*J) *A
}

// combine adds up the tasks' sums by their weights and writes the result to out.
func combine(c Curve, g Group, tasks []task, sums [][]byte, out []byte) error {
	switch {
	case c == BN254 && g == G1:
		horner[bn254.G1Jac, bn254.G1Affine](tasks, sums, out)
	case c == BN254 && g == G2:
		horner[bn254.G2Jac, bn254.G2Affine](tasks, sums, out)
	case c == BLS12381 && g == G1:
		horner[bls12381.G1Jac, bls12381.G1Affine](tasks, sums, out)
	case c == BLS12381 && g == G2:
		horner[bls12381.G2Jac, bls12381.G2Affine](tasks, sums, out)
	default:
		return fmt.Errorf("ifma: no group %d of curve %d", g, c)
	}
	return nil
}

// horner evaluates sum 2^weight · point from the highest weight down: a doubling a bit.
func horner[J, A any, PJ jacobian[J, A], PA affine[J, A]](tasks []task, sums [][]byte, out []byte) {
	byWeight := weigh[A](tasks, sums)
	var sum J
	for weight := len(byWeight) - 1; weight >= 0; weight-- {
		PJ(&sum).DoubleAssign()
		for _, point := range byWeight[weight] {
			PJ(&sum).AddMixed(point)
		}
	}
	var result A
	PA(&result).FromJacobian(&sum)
	copy(out, unsafe.Slice((*byte)(unsafe.Pointer(&result)), unsafe.Sizeof(result)))
}

// weigh lists points by weight.
func weigh[A any](tasks []task, sums [][]byte) [][]*A {
	var byWeight [][]*A
	for i, t := range tasks {
		for len(byWeight) < t.weight+t.sums {
			byWeight = append(byWeight, nil)
		}
		points := unsafe.Slice((*A)(unsafe.Pointer(&sums[i][0])), t.sums)
		for b := range points {
			byWeight[t.weight+b] = append(byWeight[t.weight+b], &points[b])
		}
	}
	return byWeight
}

// newPoints is memory for packed points, aligned for gnark-crypto's types.
func newPoints(size int) []byte {
	words := make([]uint64, size/8)
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), size)
}
