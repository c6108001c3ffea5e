package cuda

import (
	"context"
	"errors"
	"fmt"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
	"github.com/proofgraph/proofgraph/proving/internal/parallel"
)

// ErrCoefficients is wrapped when a key has more distinct coefficients than its system was told.
var ErrCoefficients = errors.New("too many distinct coefficients")

// LoadNeed says what LoadConstraints takes.
func (s System) LoadNeed() Need {
	return Need{Pinned: alignedSum(s.columns().parts, s.dictionaryBytes()) + s.stagingBytes()}
}

// stagingBytes is the pinned memory through which columns cross, one after another.
func (s System) stagingBytes() int64 {
	c := s.columns()
	return stagingFor(int64(max(c.starts, c.wires, c.values)), OnHost)
}

func (s System) dictionaryBytes() int {
	if !s.kept() {
		return 0
	}
	return dictionaryBytes(s.Distinct)
}

// checkRecords refuses what the kernels cannot count.
func (s System) checkRecords(records []byte) error {
	if max(s.Wires, s.Records) > cudabind.TermOfB {
		return fmt.Errorf("%w: a GPU numbers up to 2^31 wires and terms, not %d and %d", engine.ErrOperand, s.Wires, s.Records)
	}
	if len(records) != s.Records*zkey.RecordSize {
		return fmt.Errorf("%w: %d bytes of records, and %d records", engine.ErrOperand, len(records), s.Records)
	}
	return nil
}

// LoadConstraints makes constraints in the first Bytes of memory, which has to last as long as they, from the records of a
// .zkey, which zkey.Open has checked. They may be used once the step's Wait has returned; records are in use until then.
// Wait's error wraps ErrCoefficients where there are more distinct ones than the system allows.
func (d *Device) LoadConstraints(
	s System, records []byte, memory *cudabind.Buffer, scratch Scratch, threads int,
) (*Constraints, *Pending, error) {
	if err := errors.Join(s.checkRecords(records), scratch.check("loading constraints", s.LoadNeed())); err != nil {
		return nil, nil, err
	}
	constraints, err := s.constraintsIn(memory)
	if err != nil {
		return nil, nil, err
	}
	load := &constraintsLoad{to: constraints, records: records, pinned: scratch.Pinned, threads: threads}
	p, err := d.perform(false, load.run)
	return constraints, p, err
}

// constraintsLoad is a load under way: records cross the bus column by column.
type constraintsLoad struct {
	to      *Constraints
	records []byte
	pinned  []byte
	threads int
	passed  int // records whose rows have started
}

// take cuts aligned bytes off the pinned memory.
func (l *constraintsLoad) take(bytes int) []byte {
	piece := l.pinned[:bytes]
	l.pinned = l.pinned[aligned(int64(bytes)):]
	return piece
}

func (l *constraintsLoad) run(ctx context.Context, s *cudabind.Stream) error {
	parts := newPartList(l.take(l.to.columns().parts))
	dictionary := l.take(l.to.dictionaryBytes())
	st, err := newStager(s, l.pinned, l.threads)
	if err != nil {
		return err
	}
	defer st.close()
	if err := l.loadRows(ctx, st, parts); err != nil {
		return err
	}
	if err := l.loadWires(ctx, st); err != nil {
		return err
	}
	if l.to.kept() {
		return l.loadCodes(ctx, st, newDictionary(dictionary, l.to.Distinct))
	}
	return l.loadValues(ctx, st)
}

// loadRows makes the starts of rows, and parts of them.
func (l *constraintsLoad) loadRows(ctx context.Context, st *stager, parts *partList) error {
	rows := l.to.on.Rows
	err := st.fill(ctx, l.to.on.Starts, numberBytes*(rows+1), func(piece []byte, offset int) error {
		for i := 0; i < len(piece); i += numberBytes {
			putNumber(piece[i:], l.passed)
			if row := (offset + i) / numberBytes; row < rows {
				parts.add(row, l.passRow(row))
			}
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	if l.passed != l.to.Records {
		return fmt.Errorf("%w: record %d is of no row that follows", engine.ErrOperand, l.passed)
	}
	l.to.on.Parts = parts.end(rows)
	return st.stream.Upload(l.to.on.PartRows, parts.numbers[:numberBytes*(l.to.on.Parts+1)])
}

// passRow passes over the records of a row and gives their number.
func (l *constraintsLoad) passRow(row int) int {
	first := l.passed
	for l.passed < l.to.Records && rowOf(l.record(l.passed)) == row {
		l.passed++
	}
	return l.passed - first
}

func (l *constraintsLoad) loadWires(ctx context.Context, st *stager) error {
	return st.fill(ctx, l.to.on.TermWires, numberBytes*l.to.Records, func(piece []byte, offset int) error {
		return l.each(ctx, piece, offset, numberBytes, func(into, record []byte) { putNumber(into, wireOf(record, l.to.Wires)) })
	})
}

func (l *constraintsLoad) loadValues(ctx context.Context, st *stager) error {
	return st.fill(ctx, l.to.on.Elements, curve.ScalarSize*l.to.Records, func(piece []byte, offset int) error {
		return l.each(ctx, piece, offset, curve.ScalarSize, func(into, record []byte) { copy(into, valueOf(record)) })
	})
}

// loadCodes finds the distinct values; they follow when all are found.
func (l *constraintsLoad) loadCodes(ctx context.Context, st *stager, d *dictionary) error {
	err := st.fill(ctx, l.to.on.TermCodes, numberBytes*l.to.Records, func(piece []byte, offset int) error {
		for i := 0; i < len(piece); i += numberBytes {
			code, ok := d.code(valueOf(l.record((offset + i) / numberBytes)))
			if !ok {
				return fmt.Errorf("%w: more than %d", ErrCoefficients, l.to.Distinct)
			}
			putNumber(piece[i:], code)
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	l.to.on.Values = d.count
	return st.stream.Upload(l.to.on.Elements, d.values[:curve.ScalarSize*d.count])
}

// each fills a piece of a column with elements of the given size, in as many threads as the load may use.
func (l *constraintsLoad) each(ctx context.Context, piece []byte, offset, size int, fill func(into, record []byte)) error {
	const grain = 1 << 14
	return parallel.Ranges(ctx, len(piece)/size, grain, l.threads, func(from, to int) error {
		for i := from; i < to; i++ {
			fill(piece[i*size:(i+1)*size], l.record(offset/size+i))
		}
		return nil
	})
}

func (l *constraintsLoad) record(i int) []byte {
	return l.records[i*zkey.RecordSize:][:zkey.RecordSize]
}
