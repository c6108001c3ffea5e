// Package fixedbase multiplies one point by many scalars, which is what making a key is: a table of multiples of the
// point turns every multiplication into one addition a window.
package fixedbase

import (
	"context"
	"errors"
	"fmt"

	"github.com/consensys/gnark-crypto/ecc/bls12-381"
	blsfp "github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/consensys/gnark-crypto/ecc/bn254"
	bnfp "github.com/consensys/gnark-crypto/ecc/bn254/fp"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/internal/parallel"
	"github.com/proofgraph/proofgraph/proving/internal/view"
)

// ErrOperand is returned for points and scalars whose numbers do not agree.
var ErrOperand = errors.New("bad operand")

// Table multiplies its base.
type Table interface {
	// Multiply writes scalars[i]·base into the places of dst: affine Montgomery points, for 32-byte canonical scalars.
	// Both are aligned to 8 bytes.
	Multiply(ctx context.Context, dst, scalars []byte, threads int) error
}

// New makes a table for about n multiplications of base, an affine Montgomery point. It takes Bytes of memory.
func New(ctx context.Context, id curve.ID, g curve.Group, base []byte, n, threads int) (Table, error) {
	w := windowFor(n)
	switch {
	case id == curve.BN254 && g == curve.G1:
		return newTable[bn254.G1Affine, bn254.G1Jac, bnfp.Element](ctx, base, w, threads)
	case id == curve.BN254 && g == curve.G2:
		return newTable[bn254.G2Affine, bn254.G2Jac, bn254.E2](ctx, base, w, threads)
	case id == curve.BLS12381 && g == curve.G1:
		return newTable[bls12381.G1Affine, bls12381.G1Jac, blsfp.Element](ctx, base, w, threads)
	case id == curve.BLS12381 && g == curve.G2:
		return newTable[bls12381.G2Affine, bls12381.G2Jac, bls12381.E2](ctx, base, w, threads)
	}
	return nil, fmt.Errorf("%w: %s of %s", curve.ErrUnknown, g, id)
}

// Bytes is the size of the table that New makes, on the heap.
func Bytes(id curve.ID, g curve.Group, n int) int64 {
	w := windowFor(n)
	return int64(windows(w)) * int64(1<<w-1) * int64(id.PointSize(g))
}

const scalarBits = 255

func windows(w int) int { return (scalarBits + w - 1) / w }

// windowFor is the width for which making the table and using it n times cost the fewest additions.
func windowFor(n int) int {
	best := 4
	for w := 5; w <= 12; w++ {
		if windows(w)*(1<<w+n) < windows(best)*(1<<best+n) {
			best = w
		}
	}
	return best
}

type affine[A, J any] interface {
	*A
	Add(a, b *A) *A
	FromJacobian(*J) *A
}

type jacobian[A, J any] interface {
	*J
	DoubleAssign() *J
	FromAffine(*A) *J
}

// newTable computes k·2^(w·j)·base for 0 < k < 2^w, window j after window.
func newTable[A, J, F any, PA affine[A, J], PJ jacobian[A, J], PF coordinate[F]](
	ctx context.Context, base []byte, w, threads int,
) (Table, error) {
	t := &table[F, PF]{w: w, windows: make([][]point[F], windows(w)), addSlowly: add[A, J, F, PA]}
	bases := make([]A, len(t.windows))
	copy(view.One(&bases[0]), base)
	for j := 1; j < len(bases); j++ {
		var p J
		PJ(&p).FromAffine(&bases[j-1])
		for range w {
			PJ(&p).DoubleAssign()
		}
		PA(&bases[j]).FromJacobian(&p)
	}
	return t, parallel.Ranges(ctx, len(bases), 1, threads, func(from, to int) (err error) {
		for ; from < to && err == nil; from++ {
			if err = ctx.Err(); err == nil {
				t.windows[from], err = view.Of[point[F]](view.Bytes(multiples[A, J, PA](&bases[from], 1<<w-1)))
			}
		}
		return err
	})
}

// multiples are p, 2p ... n·p.
func multiples[A, J any, PA affine[A, J]](p *A, n int) []A {
	list := make([]A, n)
	list[0] = *p
	for i := 1; i < n; i++ {
		PA(&list[i]).Add(&list[i-1], p)
	}
	return list
}

// add is sum += p by the library's complete addition.
func add[A, J, F any, PA affine[A, J]](sum, p *point[F]) {
	var a, b A
	copy(view.One(&a), view.One(sum))
	copy(view.One(&b), view.One(p))
	PA(&a).Add(&a, &b)
	copy(view.One(sum), view.One(&a))
}
