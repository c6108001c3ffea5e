package cuda

import (
	"context"
	"fmt"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
)

// Bases says which points a sum is over and how they lie on a device: alone, or followed by precomputed multiples of
// each, which save a sum that many times of the buckets.
type Bases struct {
	Curve     curve.ID
	Group     curve.Group
	Count     int // points
	Multiples int // of each point that lie in memory; 1: the points alone

	window int // bits of a window where there are multiples, since these fix it
}

// mostIndices is what the kernels can number: every multiple of every point.
const mostIndices = 1 << 31

// NewBases describes the points of a query. Of the multiples asked for, no more are kept than a sum would use. It asks the
// kernel library, which must have been found.
func NewBases(id curve.ID, g curve.Group, count, multiples int) (Bases, error) {
	b := Bases{Curve: id, Group: g, Count: count, Multiples: 1}
	if !id.Valid() || count < 0 || multiples < 1 {
		return b, fmt.Errorf("%w: %d multiples of %d points of %s", engine.ErrOperand, multiples, count, id)
	}
	if multiples > 1 && count > 0 {
		config, err := configure(cudabind.MSMConfig{Group: groupOf(id, g), Copies: multiples}, count)
		if err != nil {
			return b, fmt.Errorf("%d multiples of each point: %w", multiples, err)
		}
		b.Multiples, b.window = config.Copies, config.WindowBits
	}
	if int64(b.Count)*int64(b.Multiples) >= mostIndices {
		return b, fmt.Errorf("%w: %d multiples of %d points are more than can be numbered", engine.ErrOperand, b.Multiples,
			count)
	}
	return b, nil
}

// configure asks the library, and says why where there is none.
func configure(c cudabind.MSMConfig, n int) (cudabind.MSMConfig, error) {
	if _, err := cudabind.Open(); err != nil {
		return c, err
	}
	return c.Configure(n)
}

// Bytes is the device memory that the bases take, multiples and all.
func (b Bases) Bytes() int64 { return b.pointBytes(b.Count) * int64(b.Multiples) }

// pointBytes is the size of n points.
func (b Bases) pointBytes(n int) int64 { return int64(n) * int64(b.Curve.PointSize(b.Group)) }

// config is that of sums over the bases; its windows are open unless there are multiples.
func (b Bases) config() cudabind.MSMConfig {
	return cudabind.MSMConfig{Group: groupOf(b.Curve, b.Group), Copies: b.Multiples, WindowBits: b.window}
}

func (b Bases) hasTable() bool { return b.Multiples > 1 }

// LoadNeed says what LoadBases takes for points that lie in a place.
func (b Bases) LoadNeed(from Place) Need {
	n := Need{Pinned: stagingFor(b.pointBytes(b.Count), from)}
	if b.hasTable() {
		n.Device = aligned(b.pointBytes(b.Count)) + int64(b.config().TableScratchBytes(b.Count))
	}
	return n
}

// LoadBases copies points of the host, affine Montgomery, to a device, and computes their multiples. to has Bytes bytes;
// scratch is what LoadNeed says. Points, staging and scratch are in use until Wait has returned.
func (d *Device) LoadBases(b Bases, to *cudabind.Buffer, points Vector, scratch Scratch, threads int) (*Pending, error) {
	if err := b.checkLoad(to, points, scratch); err != nil {
		return nil, err
	}
	l, err := b.newLoad(to, points, scratch)
	if err != nil {
		return nil, err
	}
	return d.perform(points.Pinned || b.Count == 0, func(ctx context.Context, s *cudabind.Stream) error {
		return l.queue(ctx, &transfer{stream: s, staging: scratch.Pinned, threads: threads})
	})
}

func (b Bases) checkLoad(to *cudabind.Buffer, points Vector, scratch Scratch) error {
	if points.Device != nil {
		return fmt.Errorf("%w: bases are loaded from the host", engine.ErrOperand)
	}
	if err := points.check("points", b.pointBytes(b.Count)); err != nil {
		return err
	}
	if err := (Vector{Device: to}).check("bases", b.Bytes()); err != nil {
		return err
	}
	return scratch.check("loading bases", b.LoadNeed(points.Place()))
}

// basesLoad is a load under way: points go to where they stay or, if multiples are to be made of them, to scratch.
type basesLoad struct {
	bases                 Bases
	from                  Vector
	arrive, table, beside *cudabind.Buffer // table and beside: nil without multiples
}

func (b Bases) newLoad(to *cudabind.Buffer, points Vector, scratch Scratch) (*basesLoad, error) {
	l := &basesLoad{bases: b, from: points, arrive: to}
	if !b.hasTable() {
		return l, nil
	}
	cut := carver{from: scratch.Device}
	l.table = to
	l.arrive = cut.take(int(b.pointBytes(b.Count)))
	l.beside = cut.take(b.config().TableScratchBytes(b.Count))
	return l, cut.err
}

func (l *basesLoad) queue(ctx context.Context, t *transfer) error {
	defer t.close()
	if err := t.upload(ctx, l.arrive, l.from.Host[:l.bases.pointBytes(l.bases.Count)], l.from.Pinned); err != nil {
		return err
	}
	if l.table == nil {
		return nil
	}
	return t.stream.BuildTable(l.bases.config(), l.bases.Count, l.arrive, l.table, l.beside)
}
