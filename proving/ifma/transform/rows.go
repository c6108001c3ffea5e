package transform

import (
	"context"
	"encoding/binary"
	"fmt"
	"sort"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/internal/parallel"
)

// recordSize is a coefficient record of a .zkey: matrix, row and signal, then the value.
const recordSize = 12 + curve.ScalarSize

// rowGrain is how many rows are done before the context is looked at.
const rowGrain = 1024

// Evaluate implements engine.ConstraintEngine. Records that are out of range are refused.
func (s *Scalars) Evaluate(ctx context.Context, dst engine.Evaluations, records, witness []byte, threads int) error {
	all, err := newRows(dst)
	if err != nil {
		return err
	}
	if len(records)%recordSize != 0 || len(witness)%curve.ScalarSize != 0 {
		return fmt.Errorf("%w: %d bytes of records, %d of witness", engine.ErrOperand, len(records), len(witness))
	}
	return parallel.Ranges(ctx, all.n, rowGrain, threads, func(from, to int) error {
		for ; from < to && ctx.Err() == nil; from += rowGrain {
			part := all.part(from, min(from+rowGrain, to))
			if !rowsKernel(s.field, part, part.of(records), witness) {
				return fmt.Errorf("%w: records of rows %d to %d", engine.ErrOperand, part.first, part.first+part.n)
			}
		}
		return ctx.Err()
	})
}

// rows are where a consecutive range of rows is written; vectors that are not wanted are nil.
type rows struct {
	first, n int
	a, b, c  []byte
}

func newRows(dst engine.Evaluations) (rows, error) {
	r := rows{first: dst.First, a: dst.A, b: dst.B, c: dst.C}
	var wanted [][]byte
	for _, v := range [][]byte{dst.A, dst.B, dst.C} {
		if v != nil {
			wanted = append(wanted, v)
			r.n = len(v) / curve.ScalarSize
		}
	}
	return r, checkOperands(wanted...)
}

func (r rows) part(from, to int) rows {
	cut := func(v []byte) []byte {
		if v == nil {
			return nil
		}
		return v[from*curve.ScalarSize : to*curve.ScalarSize]
	}
	return rows{first: r.first + from, n: to - from, a: cut(r.a), b: cut(r.b), c: cut(r.c)}
}

// of is the records of these rows.
func (r rows) of(records []byte) []byte {
	from, to := firstRecord(records, r.first), firstRecord(records, r.first+r.n)
	return records[from*recordSize : max(from, to)*recordSize]
}

// firstRecord is the index of the first record at or after a row.
func firstRecord(records []byte, row int) int {
	return sort.Search(len(records)/recordSize, func(i int) bool {
		return int(binary.LittleEndian.Uint32(records[i*recordSize+4:])) >= row
	})
}
