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

// System is the size of the constraint system of a key, as its header tells it.
type System struct {
	DomainSize
	Wires   int // of the witness
	Records int // coefficients of A and B: terms of rows
	// Distinct, if it is not 0, bounds the different values among the coefficients. They are kept once then, and a term
	// takes 8 bytes instead of 36. Most circuits have few: 1, -1, powers of two, and constants of hash functions.
	Distinct int
}

// partRows is the most rows of a part of constraints; cudabind.PartTerms is the most of its terms, unless it is one row.
const partRows = 1024

// mostParts bounds the parts. One that was ended by its rows has partRows of them. One that was ended by its terms has,
// together with the next part, more than PartTerms; every term is counted twice so.
func (s System) mostParts() int {
	return s.Elements()/partRows + 2*s.Records/cudabind.PartTerms + 1
}

// kept says whether distinct values are kept once: where that is smaller.
func (s System) kept() bool {
	return s.Distinct > 0 && number*s.Records+curve.ScalarSize*s.Distinct < curve.ScalarSize*s.Records
}

// values is how many values are kept.
func (s System) values() int {
	if s.kept() {
		return s.Distinct
	}
	return s.Records
}

// number is the size of the numbers in constraints, bytes.
const number = 4

// columns are the bytes of the buffers of constraints; there are no codes where each term has its own value.
type columns struct{ starts, parts, wires, codes, values int }

func (s System) columns() columns {
	c := columns{
		starts: number * (s.Elements() + 1), parts: number * (s.mostParts() + 1), wires: number * s.Records,
		values: curve.ScalarSize * s.values(),
	}
	if s.kept() {
		c.codes = c.wires
	}
	return c
}

// Bytes is the device memory of Constraints.
func (s System) Bytes() int64 {
	c := s.columns()
	return alignedSum(c.starts, c.parts, c.wires, c.codes) + int64(c.values)
}

func alignedSum(sizes ...int) (sum int64) {
	for _, bytes := range sizes {
		sum += aligned(int64(bytes))
	}
	return sum
}

// check refuses what the kernels cannot count.
func (s System) check(records []byte) error {
	if s.Wires > cudabind.TermOfB {
		return fmt.Errorf("%w: a GPU numbers up to 2^31 wires, not %d", engine.ErrOperand, s.Wires)
	}
	if len(records) != s.Records*zkey.RecordSize {
		return fmt.Errorf("%w: %d bytes of records, and %d records", engine.ErrOperand, len(records), s.Records)
	}
	return nil
}

// Constraints are the coefficients of A and B in device memory that somebody else owns.
type Constraints struct {
	System
	on cudabind.Constraints
}

// constraintsIn lays constraints out in memory. Parts are counted when they are loaded.
func (s System) constraintsIn(memory *cudabind.Buffer) (*Constraints, error) {
	size, c := s.columns(), &carver{from: memory}
	k := &Constraints{s, cudabind.Constraints{
		Rows: s.Elements(), Terms: s.Records, Values: s.values(), Wires: s.Wires,
		Starts: c.take(size.starts), PartRows: c.take(size.parts), TermWires: c.take(size.wires),
		TermCodes: c.take(size.codes), Elements: c.take(size.values),
	}}
	if !s.kept() {
		k.on.TermCodes = nil
	}
	return k, c.err
}

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

// LoadConstraints makes constraints in the first Bytes of memory from the records of a .zkey, which zkey.Open has
// checked. They may be used once the step has ended; records are in use until then. Its error wraps ErrCoefficients
// where there are more distinct ones than the system allows.
func (d *Device) LoadConstraints(s System, records []byte, memory *cudabind.Buffer, scratch Scratch,
	threads int,
) (*Constraints, *Pending, error) {
	if err := errors.Join(s.check(records), scratch.check("loading constraints", s.LoadNeed())); err != nil {
		return nil, nil, err
	}
	constraints, err := s.constraintsIn(memory)
	if err != nil {
		return nil, nil, err
	}
	p, err := d.perform(false, func(ctx context.Context, s *cudabind.Stream) error {
		l := &constraintsLoad{to: constraints, records: records, pinned: scratch.Pinned, threads: threads}
		return l.run(ctx, s)
	})
	return constraints, p, err
}

// constraintsLoad is a load under way: records cross the bus column by column.
type constraintsLoad struct {
	to      *Constraints
	records []byte
	pinned  []byte
	threads int
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
	at := 0 // of the record that comes next
	err := st.feed(ctx, l.to.on.Starts, number*(l.to.on.Rows+1), func(piece []byte, offset int) error {
		for i := 0; i < len(piece); i += number {
			putNumber(piece[i:], at)
			row, first := (offset+i)/number, at
			for at < l.to.Records && int(rowOf(l.records, at)) == row {
				at++
			}
			if row < l.to.on.Rows {
				parts.add(row, at-first)
			}
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	if at != l.to.Records {
		return fmt.Errorf("%w: record %d is of no row that follows", engine.ErrOperand, at)
	}
	l.to.on.Parts = parts.end(l.to.on.Rows)
	return st.stream.Upload(l.to.on.PartRows, parts.numbers[:number*(l.to.on.Parts+1)])
}

func (l *constraintsLoad) loadWires(ctx context.Context, st *stager) error {
	return st.feed(ctx, l.to.on.TermWires, number*l.to.Records, func(piece []byte, offset int) error {
		return l.each(ctx, piece, offset, number, func(into, record []byte) { putNumber(into, wireOf(record)) })
	})
}

func (l *constraintsLoad) loadValues(ctx context.Context, st *stager) error {
	return st.feed(ctx, l.to.on.Elements, curve.ScalarSize*l.to.Records, func(piece []byte, offset int) error {
		return l.each(ctx, piece, offset, curve.ScalarSize, func(into, record []byte) { copy(into, valueOf(record)) })
	})
}

// loadCodes finds the distinct values; they follow when all are found.
func (l *constraintsLoad) loadCodes(ctx context.Context, st *stager, d *dictionary) error {
	err := st.feed(ctx, l.to.on.TermCodes, number*l.to.Records, func(piece []byte, offset int) error {
		for i := 0; i < len(piece); i += number {
			code, ok := d.code(valueOf(l.record((offset + i) / number)))
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
