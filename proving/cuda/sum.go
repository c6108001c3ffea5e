package cuda

import (
	"context"
	"fmt"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
)

// SliceBytes is how much of the points is summed at once where they are streamed and Sum.Slice says nothing: enough to
// keep a device busy for longer than the copies take to queue.
const SliceBytes = 64 << 20

// Sum says what a multi-scalar multiplication is over: Bases.Count terms.
type Sum struct {
	Bases Bases
	Form  engine.Form // of the scalars
	// Sparse says that most scalars may be 0 or 1, as in a witness; scratch then serves windows for fewer others.
	Sparse bool
	// Slice is the most terms that are summed at once. Scratch is for one slice; bases and scalars of the host take room
	// on the device for two, so that one arrives while the other is summed. 0 is SliceBytes of points where they lie on the
	// host, all terms where they are on the device. Bases with multiples are always summed whole.
	Slice int
}

// Operands are what is summed.
type Operands struct {
	// Bases are Count points of the host, affine Montgomery, or bases on the device as LoadBases left them.
	Bases   Vector
	Scalars Vector // Count scalars
	// Dense is how many scalars are neither 0 nor 1, as Dense estimates; 0: any number.
	Dense int
}

// Need says what a sum takes for operands in the given places.
func (s Sum) Need(bases, scalars Place) (Need, error) {
	l, err := s.lay(bases, scalars)
	return l.need(), err
}

// Sum adds up scalars times points and writes the affine point to out once Wait has returned. scratch is what Need says;
// it and the operands are in use until then. threads are those that fill staging.
func (d *Device) Sum(s Sum, from Operands, out []byte, scratch Scratch, threads int) (*Pending, error) {
	l, err := s.lay(from.Bases.Place(), from.Scalars.Place())
	if err != nil {
		return nil, err
	}
	if err := s.check(l, from, out, scratch); err != nil {
		return nil, err
	}
	r := &summing{Sum: s, layout: l, from: from, device: d, config: l.configFor(from.Dense)}
	if err := r.carve(scratch); err != nil {
		return nil, err
	}
	p, err := d.perform(l.queuesAtOnce(), func(ctx context.Context, stream *cudabind.Stream) error {
		return r.queue(ctx, stream, threads)
	})
	if err != nil {
		return nil, err
	}
	p.finish = func() error { return r.finish(out) }
	return p, nil
}

func (s Sum) check(l sumLayout, from Operands, out []byte, scratch Scratch) error {
	b := s.Bases
	if len(out) != b.Curve.PointSize(b.Group) {
		return fmt.Errorf("%w: a %s point of %s has %d bytes, not %d", engine.ErrOperand, b.Group, b.Curve,
			b.Curve.PointSize(b.Group), len(out))
	}
	if err := from.Bases.check("points", b.Bytes()); err != nil {
		return err
	}
	if err := from.Scalars.check("scalars", scalarBytes(b.Count)); err != nil {
		return err
	}
	return scratch.check("a sum", l.need())
}

func scalarBytes(n int) int64 { return int64(n) * curve.ScalarSize }
