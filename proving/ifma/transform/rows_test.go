package transform_test

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/proofgraph/proofgraph/proving/engine"
)

// system is coefficient records and a witness, where no word begins.
type system struct {
	rows             int
	records, witness []byte
}

// system makes rows of `terms` records each, more or less, and one of long records.
func (p *pair) system(seed uint64, rows, terms, long int, fill string) *system {
	rng := rand.New(rand.NewPCG(seed, 4))
	const signals = 50
	var records []byte
	for row := range rows {
		count := rng.IntN(2*terms + 1)
		if row == rows/2 {
			count += long
		}
		for range count {
			records = binary.LittleEndian.AppendUint32(records, uint32(rng.IntN(2)))
			records = binary.LittleEndian.AppendUint32(records, uint32(row))
			records = binary.LittleEndian.AppendUint32(records, uint32(rng.IntN(signals)))
			records = append(records, p.vector(1, rng.Uint64(), fills[fill]).elements...)
		}
	}
	witness := p.vector(signals, seed, fills[fill]).elements
	return &system{rows, append(make([]byte, 1), records...)[1:], append(make([]byte, 3), witness...)[3:]}
}

// compareRows evaluates rows from first on by both sides.
func (p *pair) compareRows(t require.TestingT, s *system, first, count int, vectors string, threads int) {
	dst, want := engine.Evaluations{First: first}, engine.Evaluations{First: first}
	outputs := map[byte]*vector{}
	for i, name := range []byte(vectors) {
		outputs[name] = p.vector(count, uint64(i), random)
		into := map[byte][2]*[]byte{'a': {&dst.A, &want.A}, 'b': {&dst.B, &want.B}, 'c': {&dst.C, &want.C}}[name]
		*into[0], *into[1] = outputs[name].elements, make([]byte, 32*count)
	}
	require.NoError(t, p.gnark.Evaluate(ctx, want, s.records, s.witness, 1))
	require.NoError(t, p.kernels.Evaluate(ctx, dst, s.records, s.witness, threads))
	for name, expected := range map[byte][]byte{'a': want.A, 'b': want.B, 'c': want.C} {
		if v := outputs[name]; v != nil {
			v.check(t, expected, "rows of "+string(name))
		}
	}
}

func TestRowsAgreeWithTheOtherEngine(t *testing.T) {
	eachCurve(t, func(t *testing.T, p *pair) {
		for fill := range fills {
			p.compareRows(t, p.system(1, 100, 3, 0, fill), 0, 100, "abc", 1)
			p.compareRows(t, p.system(2, 20, 1, 5000, fill), 0, 20, "abc", 2) // longer than a sum may be before it is reduced
		}
		p.compareRows(t, p.system(3, 5000, 2, 0, "random"), 0, 5000, "abc", 3)
		p.compareRows(t, p.system(3, 5, 2, 0, "random"), 3, 4000, "abc", 1) // rows without records
		p.compareRows(t, &system{witness: make([]byte, 32)}, 0, 9, "ac", 1)
	})
}

func TestAnyRowsAreAlike(t *testing.T) {
	eachCurve(t, func(t *testing.T, p *pair) {
		rapid.Check(t, func(t *rapid.T) {
			rows := rapid.IntRange(1, 60).Draw(t, "rows")
			s := p.system(rapid.Uint64().Draw(t, "seed"), rows, rapid.IntRange(0, 6).Draw(t, "terms"), 0, "edges")
			first := rapid.IntRange(0, rows-1).Draw(t, "first")
			p.compareRows(t, s, first, rapid.IntRange(1, rows-first).Draw(t, "count"),
				rapid.SampledFrom([]string{"a", "b", "c", "ab", "bc", "abc"}).Draw(t, "vectors"), rapid.IntRange(0, 3).Draw(t, "threads"))
		})
	})
}

func TestRecordsOutOfRangeAreRefused(t *testing.T) {
	eachCurve(t, func(t *testing.T, p *pair) {
		s, v := p.system(1, 10, 3, 0, "random"), make([]byte, 320)
		call := func(ctx context.Context, records, witness []byte, dst engine.Evaluations) error {
			return p.kernels.Evaluate(ctx, dst, records, witness, 1)
		}
		dst := engine.Evaluations{A: v}
		require.NoError(t, call(ctx, s.records, s.witness, dst))
		require.ErrorIs(t, call(ctx, s.records, s.witness[:64], dst), engine.ErrOperand)
		require.ErrorIs(t, call(ctx, s.records[:45], s.witness, dst), engine.ErrOperand)
		require.ErrorIs(t, call(ctx, s.records, s.witness[:33], dst), engine.ErrOperand)
		require.ErrorIs(t, call(ctx, s.records, s.witness, engine.Evaluations{A: v, B: v[:32]}), engine.ErrOperand)
		falling := slices.Clone(s.records[:44*12])
		for i := range 12 {
			binary.LittleEndian.PutUint32(falling[44*i+4:], uint32(9-i%3))
		}
		require.ErrorIs(t, call(ctx, falling, s.witness, dst), engine.ErrOperand)
		cancelled, cancel := context.WithCancel(ctx)
		cancel()
		require.ErrorIs(t, call(cancelled, s.records, s.witness, dst), context.Canceled)
	})
}
