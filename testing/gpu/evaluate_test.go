//go:build cgo && linux

package gpu_test

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/engine/gnark"
)

// sparse is a constraint system as numbers: records are what a .zkey has of it.
type sparse struct {
	starts, parts, wires, codes []uint32
	values, witness, records    []byte
}

// newSparse makes rows of so many terms each.
func newSparse[E comparable, P arithmetic[E]](f field[E, P], source *rand.Rand, lengths []int, wires, values int) *sparse {
	s := &sparse{
		starts: []uint32{0}, parts: []uint32{0},
		values: bytesOf(f.random(source, values)), witness: bytesOf(f.random(source, wires)),
	}
	for row, length := range lengths {
		for range length {
			s.add(source, uint32(row), wires, values)
		}
		s.starts = append(s.starts, uint32(len(s.wires)))
		if next := row + 1; s.full(next, lengths) {
			s.parts = append(s.parts, uint32(next))
		}
	}
	return s
}

func (s *sparse) add(source *rand.Rand, row uint32, wires, values int) {
	wire, code, matrix := source.IntN(wires), source.IntN(values), source.IntN(2)
	if source.IntN(4) == 0 {
		wire, code = 0, 0
	}
	s.wires, s.codes = append(s.wires, uint32(wire+matrix*cudabind.TermOfB)), append(s.codes, uint32(code))
	for _, n := range []uint32{uint32(matrix), row, uint32(wire)} {
		s.records = binary.LittleEndian.AppendUint32(s.records, n)
	}
	s.records = append(s.records, s.values[32*code:][:32]...)
}

// full says whether a part has to end before row next, which may be behind the last.
func (s *sparse) full(next int, lengths []int) bool {
	first := s.parts[len(s.parts)-1]
	return next == len(lengths) || next-int(first) == 700 ||
		len(s.wires)-int(s.starts[first])+lengths[next] > cudabind.PartTerms
}

// upload puts the system on the device: with its distinct values, or with one for every term.
func (s *sparse) upload(b *bench, distinct bool) cudabind.Constraints {
	values := s.values
	on := cudabind.Constraints{
		Rows: len(s.starts) - 1, Parts: len(s.parts) - 1, Terms: len(s.wires), Wires: len(s.witness) / 32,
		Starts: b.upload(bytesOf(s.starts)), PartRows: b.upload(bytesOf(s.parts)), TermWires: b.upload(bytesOf(s.wires)),
	}
	if distinct {
		on.TermCodes = b.upload(bytesOf(s.codes))
	} else {
		values = make([]byte, 0, 32*len(s.codes))
		for _, code := range s.codes {
			values = append(values, s.values[32*code:][:32]...)
		}
	}
	on.Values, on.Elements = len(values)/32, b.upload(values)
	return on
}

func TestEvaluate(t *testing.T) {
	dense := 100_000
	if testing.Short() {
		dense = 5000
	}
	for name, lengths := range map[string][]int{
		"one row":     {1},
		"empty rows":  make([]int, 3000),
		"short rows":  lengthsOf(20_000, 6),
		"medium rows": lengthsOf(300, 400),
		"full parts":  {cudabind.PartTerms, cudabind.PartTerms, 1, cudabind.PartTerms - 1, 0, 1},
		"a dense row": slices.Concat(lengthsOf(500, 6), []int{dense}, lengthsOf(500, 6), []int{cudabind.PartTerms + 1}),
	} {
		t.Run("bn254/"+name, func(t *testing.T) { checkEvaluate(t, bn254(), curve.BN254, lengths) })
		t.Run("bls12-381/"+name, func(t *testing.T) { checkEvaluate(t, bls12381(), curve.BLS12381, lengths) })
	}
}

// lengthsOf gives lengths of rows from 0 to most.
func lengthsOf(rows, most int) []int {
	lengths := make([]int, rows)
	for i := range lengths {
		lengths[i] = (i * 7919) % (most + 1)
	}
	return lengths
}

func checkEvaluate[E comparable, P arithmetic[E]](t *testing.T, f field[E, P], id curve.ID, lengths []int) {
	b := open(t)
	s := newSparse(f, fresh(t), lengths, 1000, 50)
	bytes := 32 * len(lengths)
	want := engine.Evaluations{A: make([]byte, bytes), B: make([]byte, bytes), C: make([]byte, bytes)}
	e, err := gnark.Kind().New(id)
	require.NoError(t, err)
	require.NoError(t, e.Evaluate(context.Background(), want, s.records, s.witness, 2))
	witness := b.upload(s.witness)
	for _, distinct := range []bool{false, true} {
		on := s.upload(b, distinct)
		rows := []*cudabind.Buffer{b.poisoned(bytes), b.poisoned(bytes), b.poisoned(bytes)}
		require.NoError(t, b.stream.Evaluate(f.curve, on, witness, rows[0], rows[1], rows[2]))
		for i, expected := range [][]byte{want.A, want.B, want.C} {
			require.True(t, equal(expected, b.download(rows[i])), "vector %d, distinct values %v", i, distinct)
		}
	}
}

// timeEvaluate has two terms of A and one of B in a row, on wires that are about the row's or among the first few.
func timeEvaluate[E comparable, P arithmetic[E]](t *testing.T, f field[E, P], logN int) {
	b, source, rows := open(t), fresh(t), 1<<logN
	s := &sparse{starts: []uint32{0}, values: bytesOf(f.random(source, 100)), witness: bytesOf(f.random(source, rows))}
	for row := range rows {
		if row%(cudabind.PartTerms/3) == 0 {
			s.parts = append(s.parts, uint32(row))
		}
		for i := range 3 {
			wire := max(row-source.IntN(64), 0)
			if source.IntN(3) == 0 {
				wire = source.IntN(min(rows, 256))
			}
			s.wires = append(s.wires, uint32(wire+i/2*cudabind.TermOfB))
			s.codes = append(s.codes, uint32(source.IntN(100)))
		}
		s.starts = append(s.starts, uint32(len(s.wires)))
	}
	s.parts = append(s.parts, uint32(rows))
	witness, vector := b.upload(s.witness), rows*cudabind.ScalarBytes
	x, y, z := b.poisoned(vector), b.poisoned(vector), b.poisoned(vector)
	for _, distinct := range []bool{false, true} {
		on, notes := s.upload(b, distinct), "a value for each term"
		if distinct {
			notes = "distinct values"
		}
		device := b.timed(runsFor(logN), func() {
			require.NoError(t, b.stream.Evaluate(f.curve, on, witness, x, y, z))
		})
		line("evaluate "+f.name, logN, device, 0, 0, "3 terms a row, "+notes)
	}
}
