package groth16

import (
	"context"
	"encoding/binary"
	"io"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
	"github.com/proofgraph/proofgraph/proving/internal/view"
)

// chunkSize is how many points are made before they are written.
const chunkSize = 1 << 13

// write writes a part of the key.
func (m *maker) write(ctx context.Context, p zkey.Part, to io.Writer) error {
	h := m.header
	switch p {
	case zkey.PartContributions:
		return writeContributions(to)
	case zkey.PartRecords:
		return m.writeRecords(ctx, to)
	case zkey.PartIC:
		return m.writePoints(ctx, to, curve.G1, h.NPublic+1, m.scalars.ic)
	case zkey.PartA:
		return m.writePoints(ctx, to, curve.G1, h.NVars, m.scalars.a)
	case zkey.PartB1:
		return m.writePoints(ctx, to, curve.G1, h.NVars, m.scalars.b)
	case zkey.PartB2:
		return m.writePoints(ctx, to, curve.G2, h.NVars, m.scalars.b)
	case zkey.PartC:
		return m.writePoints(ctx, to, curve.G1, h.NVars-h.NPublic-1, m.scalars.c)
	}
	return m.writePoints(ctx, to, curve.G1, h.DomainSize, m.scalars.h)
}

// writePoints writes n multiples of a generator, by the scalars that are asked for a chunk at a time.
func (m *maker) writePoints(ctx context.Context, to io.Writer, g curve.Group, n int,
	scalars func(first int, dst []byte),
) error {
	size := m.header.Curve.PointSize(g)
	points, k := view.Allocate(int64(min(n, chunkSize)*size)), view.Allocate(int64(min(n, chunkSize))*curve.ScalarSize)
	for first := 0; first < n; first += chunkSize {
		count := min(chunkSize, n-first)
		scalars(first, k[:count*curve.ScalarSize])
		if err := m.tables[g].Multiply(ctx, points[:count*size], k[:count*curve.ScalarSize], m.threads); err != nil {
			return err
		}
		if _, err := to.Write(points[:count*size]); err != nil {
			return err
		}
		m.progress.add(g, count)
	}
	return nil
}

// writeRecords writes the coefficients of A and B row by row, then those that tie the constant and the public wires
// down: a row each, with the wire in A.
func (m *maker) writeRecords(ctx context.Context, to io.Writer) error {
	record := make([]byte, zkey.RecordSize)
	put := func(matrix, row, wire int, coefficient []byte) error {
		binary.LittleEndian.PutUint32(record, uint32(matrix))
		binary.LittleEndian.PutUint32(record[4:], uint32(row))
		binary.LittleEndian.PutUint32(record[8:], uint32(wire))
		m.scalars.record(record[12:], coefficient)
		_, err := to.Write(record)
		return err
	}
	for row, c := range m.system.All() {
		if row%(1<<14) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for matrix, combination := range c[:2] {
			for i := range combination.Len() {
				wire, coefficient := combination.Term(i)
				if err := put(matrix, row, wire, coefficient); err != nil {
					return err
				}
			}
		}
	}
	for wire := range m.header.NPublic + 1 {
		if err := put(0, m.system.Constraints+wire, wire, one[:]); err != nil {
			return err
		}
	}
	return nil
}

var one = [curve.ScalarSize]byte{1}

// progress turns points into a share of the work; a point of G2 counts three.
type progress struct {
	done, all float64
	tell      func(float64)
}

func newProgress(h zkey.Header, tell func(float64)) *progress {
	return &progress{all: float64(g1Points(h) + 3*h.NVars), tell: tell}
}

func (p *progress) add(g curve.Group, points int) {
	p.done += float64(points) * [...]float64{curve.G1: 1, curve.G2: 3}[g]
	if p.tell != nil {
		p.tell(min(p.done/p.all, 1))
	}
}
