package zkey

import (
	"context"
	"encoding/binary"

	"github.com/proofgraph/proofgraph/proving/format/binfile"
	"github.com/proofgraph/proofgraph/proving/internal/canonical"
	"github.com/proofgraph/proofgraph/proving/internal/parallel"
)

// recordsAtOnce is how many records are checked between two looks at the context.
const recordsAtOnce = 1 << 16

// checkRecords reads the coefficients through once: rows ascend, indices are in range, values are reduced. After it,
// provers need look at none of this again.
func (k *Key) checkRecords(ctx context.Context, threads int) error {
	bound := canonical.ScalarBound(k.Curve)
	n := len(k.Records) / RecordSize
	return parallel.Ranges(ctx, n, recordsAtOnce, threads, func(from, to int) error {
		row := uint32(0)
		if from > 0 {
			row = recordRow(k.Records[(from-1)*RecordSize:])
		}
		for i := from; i < to; i++ {
			if i%recordsAtOnce == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			next, err := k.checkRecord(i, row, &bound)
			if err != nil {
				return err
			}
			row = next
		}
		return nil
	})
}

func recordRow(record []byte) uint32 { return binary.LittleEndian.Uint32(record[4:]) }

func (k *Key) checkRecord(i int, after uint32, bound *canonical.Bound) (row uint32, err error) {
	r := k.Records[i*RecordSize:][:RecordSize]
	row = recordRow(r)
	matrix, signal := binary.LittleEndian.Uint32(r), binary.LittleEndian.Uint32(r[8:])
	switch {
	case matrix > 1:
		err = binfile.Malformed("coefficient %d is of matrix %d, and only 0 (A) and 1 (B) exist", i, matrix)
	case int64(row) >= int64(k.DomainSize):
		err = binfile.Malformed("coefficient %d is of row %d in a domain of %d", i, row, k.DomainSize)
	case int64(signal) >= int64(k.NVars):
		err = binfile.Malformed("coefficient %d is of wire %d among %d", i, signal, k.NVars)
	case row < after:
		err = binfile.Malformed("coefficient %d is of row %d and follows row %d: rows must ascend", i, row, after)
	case !bound.Exceeds(r[12:]):
		err = binfile.Malformed("the value of coefficient %d is not less than the modulus", i)
	}
	return row, err
}
