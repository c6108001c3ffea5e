package gnark

import (
	"context"
	"encoding/binary"
	"fmt"
	"sort"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/field"
	"github.com/proofgraph/proofgraph/proving/internal/parallel"
	"github.com/proofgraph/proofgraph/proving/internal/view"
)

// recordSize is a coefficient record of a .zkey: matrix, row and signal, then the value.
const recordSize = 12 + curve.ScalarSize

// rowGrain is the fewest rows that a goroutine is given.
const rowGrain = 1024

func (e *implementation[E, P]) Evaluate(ctx context.Context, dst engine.Evaluations, records, witness []byte,
	threads int,
) error {
	all, err := newRows[E](dst)
	if err != nil {
		return err
	}
	if len(records)%recordSize != 0 || len(witness)%curve.ScalarSize != 0 {
		return fmt.Errorf("%w: %d bytes of records, %d of witness", engine.ErrOperand, len(records), len(witness))
	}
	return parallel.Ranges(ctx, all.n, rowGrain, threads, func(from, to int) error {
		return evaluate[E, P](ctx, all.part(from, to), records, witness)
	})
}

// rows are where a consecutive range of rows is written; vectors that are not wanted are nil.
type rows[E any] struct {
	first, n int
	a, b, c  []E
}

func newRows[E any](dst engine.Evaluations) (rows[E], error) {
	r := rows[E]{first: dst.First}
	for _, v := range []struct {
		bytes []byte
		into  *[]E
	}{{dst.A, &r.a}, {dst.B, &r.b}, {dst.C, &r.c}} {
		if v.bytes == nil {
			continue
		}
		view, err := elements[E]("rows", v.bytes)
		if err != nil {
			return r, err
		}
		if r.n != 0 && r.n != len(view) {
			return r, fmt.Errorf("%w: vectors of %d and %d rows", engine.ErrOperand, r.n, len(view))
		}
		*v.into, r.n = view, len(view)
	}
	return r, nil
}

func (r rows[E]) part(from, to int) rows[E] {
	cut := func(v []E) []E {
		if v == nil {
			return nil
		}
		return v[from:to]
	}
	return rows[E]{first: r.first + from, n: to - from, a: cut(r.a), b: cut(r.b), c: cut(r.c)}
}

// evaluate computes rows one after the other, since records ascend by row.
func evaluate[E any, P field.Element[E]](ctx context.Context, dst rows[E], records, witness []byte) error {
	rest := records[firstRecord(records, dst.first)*recordSize:]
	var sums [2]E // of the row, by A and by B
	var value, weight, product E
	for i := range dst.n {
		if i%rowGrain == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		sums = [2]E{}
		for len(rest) > 0 && int(binary.LittleEndian.Uint32(rest[4:])) == dst.first+i {
			signal := int(binary.LittleEndian.Uint32(rest[8:]))
			copy(view.One(&weight), witness[signal*curve.ScalarSize:][:curve.ScalarSize])
			if !P(&weight).IsZero() {
				sum := &sums[rest[0]&1]
				copy(view.One(&value), rest[12:recordSize])
				P(sum).Add(sum, P(&product).Mul(&value, &weight))
			}
			rest = rest[recordSize:]
		}
		store[E, P](dst, i, &sums)
	}
	return nil
}

func store[E any, P field.Element[E]](dst rows[E], i int, sums *[2]E) {
	if dst.a != nil {
		dst.a[i] = sums[0]
	}
	if dst.b != nil {
		dst.b[i] = sums[1]
	}
	if dst.c != nil {
		P(&dst.c[i]).Mul(&sums[0], &sums[1])
	}
}

// firstRecord is the index of the first record at or after a row.
func firstRecord(records []byte, row int) int {
	return sort.Search(len(records)/recordSize, func(i int) bool {
		return int(binary.LittleEndian.Uint32(records[i*recordSize+4:])) >= row
	})
}
