package fixedbase

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/internal/parallel"
	"github.com/proofgraph/proofgraph/proving/internal/view"
)

// batch is how many sums grow together: an affine addition needs an inverse, and a batch shares one.
const batch = 256

// coordinate is a base field element, or one of its quadratic extension.
type coordinate[F any] interface {
	*F
	Add(a, b *F) *F
	Sub(a, b *F) *F
	Mul(a, b *F) *F
	Square(a *F) *F
	Inverse(a *F) *F
	IsZero() bool
	SetOne() *F
}

// point is an affine point as it lies in memory; all zero is infinity.
type point[F any] struct{ x, y F }

// table holds k·2^(w·j)·base at windows[j][k-1].
type table[F any, PF coordinate[F]] struct {
	w         int
	windows   [][]point[F]
	addSlowly func(sum, p *point[F]) // for the two points that the formula does not add
}

func (t *table[F, PF]) Multiply(ctx context.Context, dst, scalars []byte, threads int) error {
	points, err := view.Of[point[F]](dst)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrOperand, err)
	}
	if len(scalars) != len(points)*curve.ScalarSize {
		return fmt.Errorf("%w: %d bytes of scalars for %d points", ErrOperand, len(scalars), len(points))
	}
	return parallel.Ranges(ctx, len(points), batch, threads, func(from, to int) error {
		s := new(sums[F, PF])
		for ; from < to && ctx.Err() == nil; from += batch {
			n := min(batch, to-from)
			s.compute(t, points[from:from+n], scalars[from*curve.ScalarSize:][:n*curve.ScalarSize])
		}
		return ctx.Err()
	})
}

// sums are the additions of one window that wait for the inverse of the product of their denominators.
type sums[F any, PF coordinate[F]] struct {
	n           int
	sum, term   [batch]*point[F]
	denominator [batch]F // term.x − sum.x
	before      [batch]F // product of the denominators before
	product     F
}

func (s *sums[F, PF]) compute(t *table[F, PF], dst []point[F], scalars []byte) {
	clear(dst)
	for j, window := range t.windows {
		s.n = 0
		PF(&s.product).SetOne()
		for i := range dst {
			if k := digit(scalars[i*curve.ScalarSize:][:curve.ScalarSize], j*t.w, t.w); k > 0 {
				s.add(t, &dst[i], &window[k-1])
			}
		}
		s.finish()
	}
}

// add adds a term to a sum, at once if that takes no inverse and otherwise with the rest.
func (s *sums[F, PF]) add(t *table[F, PF], sum, term *point[F]) {
	if PF(&sum.x).IsZero() && PF(&sum.y).IsZero() {
		*sum = *term
		return
	}
	d := &s.denominator[s.n]
	PF(d).Sub(&term.x, &sum.x)
	if PF(d).IsZero() {
		t.addSlowly(sum, term)
		return
	}
	s.sum[s.n], s.term[s.n], s.before[s.n] = sum, term, s.product
	PF(&s.product).Mul(&s.product, d)
	s.n++
}

// finish inverts the product and walks back, so that each addition gets its own inverse (Montgomery's trick).
func (s *sums[F, PF]) finish() {
	if s.n == 0 {
		return
	}
	var slope, x, y F
	inverse := PF(&s.product).Inverse(&s.product)
	for k := s.n - 1; k >= 0; k-- {
		sum, term := s.sum[k], s.term[k]
		PF(&slope).Mul(inverse, &s.before[k])
		PF(inverse).Mul(inverse, &s.denominator[k])
		PF(&slope).Mul(&slope, PF(&y).Sub(&term.y, &sum.y))
		PF(&x).Sub(PF(&x).Sub(PF(&x).Square(&slope), &sum.x), &term.x)
		PF(&y).Mul(&slope, PF(&y).Sub(&sum.x, &x))
		PF(&sum.y).Sub(&y, &sum.y)
		sum.x = x
	}
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
