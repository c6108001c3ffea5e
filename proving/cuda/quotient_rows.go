package cuda

import (
	"context"
	"fmt"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/proving/engine"
)

// HostRows are rows of a, b and c in memory of the host, one vector after another.
type HostRows struct {
	Size DomainSize
	Rows Vector // in Montgomery form
	// Uploaded, if it is not nil, is called once the device has all rows, unless h goes back to their place: the rows are
	// free then. Its error is the step's.
	Uploaded func() error
}

// RowsNeed says what QuotientOfRows takes for rows in a place, with a Domain or without, and with h on the device or not.
func (s DomainSize) RowsNeed(from Place, hasDomain, onDevice bool) Need {
	vectors := int64(3)
	if onDevice {
		vectors = 2
	}
	return Need{Device: s.scratchBytes(vectors, hasDomain), Pinned: stagingFor(3*s.VectorBytes(), from)}
}

// QuotientOfRows makes the quotient of rows in h, one vector on the device, or where h is nil in the first of the rows'
// vectors. The rows are in use until the step has ended, or until Uploaded is called.
func (d *Device) QuotientOfRows(
	r HostRows, domain *Domain, h *cudabind.Buffer, scratch Scratch, threads int,
) (*Pending, error) {
	if err := scratch.check("the quotient", r.Size.RowsNeed(r.Rows.Place(), domain != nil, h != nil)); err != nil {
		return nil, err
	}
	if int64(len(r.Rows.Host)) != 3*r.Size.VectorBytes() || h != nil && int64(h.Bytes()) < r.Size.VectorBytes() {
		return nil, fmt.Errorf("%w: %d bytes of rows over 2^%d, h takes a third", engine.ErrOperand, len(r.Rows.Host), r.Size.Log)
	}
	v, err := r.Size.vectorsIn(scratch.Device, domain, h)
	if err != nil {
		return nil, err
	}
	q := &rowsQuotient{HostRows: r, quotientVectors: v, toHost: h == nil}
	return d.perform(false, func(ctx context.Context, s *cudabind.Stream) error {
		t := &transfer{stream: s, staging: scratch.Pinned, threads: threads}
		defer t.close()
		return q.run(ctx, t)
	})
}

// rowsQuotient is QuotientOfRows under way.
type rowsQuotient struct {
	HostRows
	*quotientVectors
	toHost bool
}

func (q *rowsQuotient) run(ctx context.Context, t *transfer) error {
	arrived, err := t.stream.Device().NewEvent()
	if err != nil {
		return err
	}
	defer arrived.Close() // destroying an event fails only where the device already has
	for i, to := range []*cudabind.Buffer{q.a, q.b, q.c} {
		if err := t.upload(ctx, to, q.hostVector(i), q.Rows.Pinned); err != nil {
			return err
		}
	}
	if err := t.stream.Record(arrived); err != nil {
		return err
	}
	if err := q.transform(t.stream); err != nil {
		return err
	}
	if q.toHost {
		return t.download(ctx, q.hostVector(0), q.a, q.Rows.Pinned)
	}
	return q.tell(arrived)
}

func (q *rowsQuotient) hostVector(i int) []byte {
	n := int(q.Size.VectorBytes())
	return q.Rows.Host[i*n : (i+1)*n]
}

// tell says that the rows are no longer read.
func (q *rowsQuotient) tell(arrived *cudabind.Event) error {
	if q.Uploaded == nil {
		return nil
	}
	if err := arrived.Synchronize(); err != nil {
		return err
	}
	return q.Uploaded()
}
