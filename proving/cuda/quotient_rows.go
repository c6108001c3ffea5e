package cuda

import (
	"context"
	"fmt"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/proving/engine"
)

// RowsNeed says what QuotientOfRows takes, with a Domain or without, and with h on the device or without.
func (s DomainSize) RowsNeed(hasDomain, onDevice bool) Need {
	vectors := int64(3)
	if onDevice {
		vectors = 2
	}
	return Need{
		Device: s.scratchBytes(vectors, hasDomain), Pinned: stagingFor(3*s.VectorBytes(), OnHost),
	}
}

// HostRows are rows of a, b and c in host memory, one vector after another.
type HostRows struct {
	Size DomainSize
	Rows []byte
	// Pinned says that the rows lie in page-locked memory, so that they are copied as they lie.
	Pinned bool
	// Uploaded, if there is one, is called when the device has all rows and does not need them any more.
	Uploaded func() error
}

// QuotientOfRows makes the quotient of rows in h, one vector on the device, or where h is nil in the first of the rows'
// vectors. The rows are in use until the step has ended, or until Uploaded is called where h is not nil.
func (d *Device) QuotientOfRows(r HostRows, domain *Domain, h *cudabind.Buffer, scratch Scratch, threads int) (*Pending, error) {
	if err := scratch.check("the quotient", r.Size.RowsNeed(domain != nil, h != nil)); err != nil {
		return nil, err
	}
	vector := int(r.Size.VectorBytes())
	if len(r.Rows) != 3*vector || h != nil && h.Bytes() < vector {
		return nil, fmt.Errorf("%w: %d bytes of rows over 2^%d, h takes a third", engine.ErrOperand, len(r.Rows), r.Size.Log)
	}
	v, err := r.Size.vectorsIn(scratch.Device, domain, h)
	if err != nil {
		return nil, err
	}
	return d.perform(false, func(ctx context.Context, s *cudabind.Stream) error {
		q := &rowsQuotient{HostRows: r, quotientVectors: v, toHost: h == nil, vector: vector}
		return q.run(ctx, s, scratch.Pinned, threads)
	})
}

// rowsQuotient is QuotientOfRows under way.
type rowsQuotient struct {
	HostRows
	*quotientVectors
	toHost bool
	vector int // bytes
}

func (q *rowsQuotient) run(ctx context.Context, s *cudabind.Stream, staging []byte, threads int) error {
	st, err := newStager(s, staging, threads)
	if err != nil {
		return err
	}
	defer st.close()
	if err := q.upload(ctx, st); err != nil {
		return err
	}
	if err := q.transform(s); err != nil {
		return err
	}
	if q.toHost {
		return q.download(ctx, st)
	}
	return q.uploaded(st)
}

// upload queues the copies of all rows.
func (q *rowsQuotient) upload(ctx context.Context, st *stager) error {
	for i, to := range []*cudabind.Buffer{q.a, q.b, q.c} {
		from := q.Rows[i*q.vector : (i+1)*q.vector]
		if q.Pinned {
			if err := st.stream.Upload(to, from); err != nil {
				return err
			}
			continue
		}
		if err := st.upload(ctx, to, from); err != nil {
			return err
		}
	}
	if q.Pinned {
		return st.stream.Record(st.copied[0]) // of a stager that copies nothing itself
	}
	return nil
}

// uploaded tells that the rows are no longer read: what crosses through staging has left them when it is queued.
func (q *rowsQuotient) uploaded(st *stager) error {
	if q.Uploaded == nil {
		return nil
	}
	if q.Pinned {
		if err := st.copied[0].Synchronize(); err != nil {
			return err
		}
	}
	return q.Uploaded()
}

func (q *rowsQuotient) download(ctx context.Context, st *stager) error {
	to := q.Rows[:q.vector]
	if q.Pinned {
		return st.stream.Download(to, q.a)
	}
	return st.download(ctx, to, q.a)
}
