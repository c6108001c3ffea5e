// Package fixedbase multiplies one point by many scalars, which is what making a key is: a table of multiples of the
// point turns every multiplication into one addition a window.
package fixedbase

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bn254"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/internal/canonical"
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
		return newTable[bn254.G1Affine, bn254.G1Jac](ctx, base, w, threads)
	case id == curve.BN254 && g == curve.G2:
		return newTable[bn254.G2Affine, bn254.G2Jac](ctx, base, w, threads)
	case id == curve.BLS12381 && g == curve.G1:
		return newTable[bls12381.G1Affine, bls12381.G1Jac](ctx, base, w, threads)
	case id == curve.BLS12381 && g == curve.G2:
		return newTable[bls12381.G2Affine, bls12381.G2Jac](ctx, base, w, threads)
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
	AddMixed(*A) *J
	DoubleAssign() *J
	FromAffine(*A) *J
}

// table holds k·2^(w·j)·base for 0 < k < 2^w, window j after window.
type table[A, J any, PA affine[A, J], PJ jacobian[A, J]] struct {
	w       int
	windows [][]A
}

func newTable[A, J any, PA affine[A, J], PJ jacobian[A, J]](ctx context.Context, base []byte, w, threads int) (Table, error) {
	t := &table[A, J, PA, PJ]{w: w, windows: make([][]A, windows(w))}
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
	return t, parallel.Ranges(ctx, len(bases), 1, threads, func(from, to int) error {
		for ; from < to && ctx.Err() == nil; from++ {
			t.windows[from] = multiples[A, J, PA](&bases[from], 1<<w-1)
		}
		return ctx.Err()
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

func (t *table[A, J, PA, PJ]) Multiply(ctx context.Context, dst, scalars []byte, threads int) error {
	points, err := view.Of[A](dst)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrOperand, err)
	}
	if len(scalars) != len(points)*curve.ScalarSize {
		return fmt.Errorf("%w: %d bytes of scalars for %d points", ErrOperand, len(scalars), len(points))
	}
	return parallel.Ranges(ctx, len(points), 64, threads, func(from, to int) error {
		var sum J
		for i := from; i < to; i++ {
			if i%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			t.multiply(&sum, &points[i], scalars[i*curve.ScalarSize:][:curve.ScalarSize])
		}
		return nil
	})
}

func (t *table[A, J, PA, PJ]) multiply(sum *J, dst *A, scalar []byte) {
	var infinity A
	*dst = infinity
	if canonical.IsZero(scalar) {
		return
	}
	PJ(sum).FromAffine(&infinity)
	for j, window := range t.windows {
		if k := digit(scalar, j*t.w, t.w); k > 0 {
			PJ(sum).AddMixed(&window[k-1])
		}
	}
	PA(dst).FromJacobian(sum)
}

// digit is the w bits of a 256-bit scalar from a bit on.
func digit(scalar []byte, bit, w int) int {
	word, shift := bit/64, bit%64
	d := binary.LittleEndian.Uint64(scalar[8*word:]) >> shift
	if shift+w > 64 && word < 3 {
		d |= binary.LittleEndian.Uint64(scalar[8*word+8:]) << (64 - shift)
	}
	return int(d & (1<<w - 1))
}
