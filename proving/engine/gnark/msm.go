package gnark

import (
	"context"
	"fmt"

	"github.com/consensys/gnark-crypto/ecc"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/internal/canonical"
	"github.com/proofgraph/proofgraph/proving/internal/parallel"
	"github.com/proofgraph/proofgraph/proving/internal/view"
)

// MSM takes out what costs nothing: scalars that are zero, points at infinity, and scalars that are one, whose points
// are merely added. The witness of a hash circuit is little else. What remains is gathered in the scratch.
func (e *implementation[E, P]) MSM(ctx context.Context, g curve.Group, out, points, scalars []byte,
	form engine.Form, scratch []byte, threads int,
) error {
	if err := e.checkMSM(g, out, points, scalars, scratch); err != nil {
		return err
	}
	m := e.newMSM(g, form, scratch, max(threads, 1))
	n := len(scalars) / curve.ScalarSize
	for i := range n {
		m.take(points[i*m.pointSize:][:m.pointSize], scalars[i*curve.ScalarSize:][:curve.ScalarSize])
		if !m.full() && i < n-1 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := m.flush(ctx); err != nil {
			return err
		}
	}
	m.total.put(out)
	return nil
}

func (e *implementation[E, P]) checkMSM(g curve.Group, out, points, scalars, scratch []byte) error {
	if !g.Valid() {
		return fmt.Errorf("%w: no group %s", engine.ErrOperand, g)
	}
	size, n := e.id.PointSize(g), len(scalars)/curve.ScalarSize
	switch {
	case len(out) != size:
		return fmt.Errorf("%w: a %s point has %d bytes, not %d", engine.ErrOperand, g, size, len(out))
	case len(scalars)%curve.ScalarSize != 0 || len(points) != n*size:
		return fmt.Errorf("%w: %d bytes of scalars and %d of %s points do not match", engine.ErrOperand,
			len(scalars), len(points), g)
	case !view.Aligned(scratch):
		return fmt.Errorf("%w: scratch: %w", engine.ErrOperand, view.ErrMisaligned)
	case n > 0 && e.capacity(g, scratch) < min(n, sliceSize(size)):
		return fmt.Errorf("%w: %d bytes of scratch do not do for %d points", engine.ErrOperand, len(scratch), n)
	}
	return nil
}

// MSMNeed charges the gathered points and scalars as scratch and gnark-crypto's digits and buckets as heap.
func (e *implementation[E, P]) MSMNeed(g curve.Group, n, _ int) engine.Need {
	if n <= 0 || !g.Valid() {
		return engine.Need{}
	}
	size := e.id.PointSize(g)
	n = min(n, sliceSize(size))
	return engine.Need{Scratch: int64(n) * int64(size+curve.ScalarSize), Heap: multiExpHeap(size, n)}
}

func (e *implementation[E, P]) capacity(g curve.Group, scratch []byte) int {
	return len(scratch) / (e.id.PointSize(g) + curve.ScalarSize)
}

// msm is a sum under way. Scratch is filled from both ends of the points: those with a scalar to multiply by from the
// front, those merely to be added from the back.
type msm[E any] struct {
	pointSize       int
	points, scalars []byte
	capacity        int
	weighted, plain int
	form            engine.Form
	one             [curve.ScalarSize]byte
	toMontgomery    func(scalars []byte)
	sums            summer
	total           accumulator
	threads         int
}

func (e *implementation[E, P]) newMSM(g curve.Group, form engine.Form, scratch []byte, threads int) *msm[E] {
	size := e.id.PointSize(g)
	capacity := min(e.capacity(g, scratch), sliceSize(size))
	m := &msm[E]{
		pointSize: size, capacity: capacity, form: form, threads: threads,
		scalars: scratch[:capacity*curve.ScalarSize],
		points:  scratch[capacity*curve.ScalarSize:][:capacity*size],
		sums:    e.groups[g],
	}
	m.total = m.sums.accumulator()
	m.one = oneOf[E, P](form)
	square := montgomerySquare[E](e.id)
	m.toMontgomery = func(b []byte) {
		v, _ := view.Of[E](b)
		e.vec.scale(v, v, &square)
	}
	return m
}

func oneOf[E any, P interface {
	*E
	SetOne() *E
}](form engine.Form) (one [curve.ScalarSize]byte) {
	if form == engine.Canonical {
		one[0] = 1
		return one
	}
	var e E
	P(&e).SetOne()
	copy(one[:], view.One(&e))
	return one
}

// take gathers one term of the sum.
func (m *msm[E]) take(point, scalar []byte) {
	if canonical.IsZero(scalar) || isZero(point) {
		return
	}
	if [curve.ScalarSize]byte(scalar) == m.one {
		m.plain++
		copy(m.points[(m.capacity-m.plain)*m.pointSize:], point)
		return
	}
	copy(m.points[m.weighted*m.pointSize:], point)
	copy(m.scalars[m.weighted*curve.ScalarSize:], scalar)
	m.weighted++
}

func isZero(b []byte) bool {
	for _, x := range b {
		if x != 0 {
			return false
		}
	}
	return true
}

func (m *msm[E]) full() bool { return m.weighted+m.plain == m.capacity }

// flush adds what was gathered to the total.
func (m *msm[E]) flush(ctx context.Context) error {
	if err := m.addPlain(ctx); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	err := m.addWeighted()
	m.weighted, m.plain = 0, 0
	return err
}

func (m *msm[E]) addPlain(ctx context.Context) error {
	points := m.points[(m.capacity-m.plain)*m.pointSize:]
	if m.plain == 0 {
		return nil
	}
	return parallel.Ranges(ctx, m.plain, 64, m.threads, func(from, to int) error {
		part := m.sums.accumulator()
		if err := part.addPoints(points[from*m.pointSize : to*m.pointSize]); err != nil {
			return err
		}
		m.total.join(part)
		return nil
	})
}

func (m *msm[E]) addWeighted() error {
	if m.weighted == 0 {
		return nil
	}
	scalars := m.scalars[:m.weighted*curve.ScalarSize]
	if m.form == engine.Canonical {
		m.toMontgomery(scalars)
	}
	part := m.sums.accumulator()
	err := part.multiExp(m.points[:m.weighted*m.pointSize], scalars, ecc.MultiExpConfig{NbTasks: min(m.threads, 1024)})
	if err != nil {
		return fmt.Errorf("multi-scalar multiplication: %w", err)
	}
	m.total.join(part)
	return nil
}
