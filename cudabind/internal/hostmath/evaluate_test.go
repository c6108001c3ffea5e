//go:build cgo && hostmath

package hostmath_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind/internal/hostmath"
)

const (
	partTerms = 1024    // PG_PART_TERMS
	ofB       = 1 << 31 // PG_TERM_OF_B
)

// sparse is a system, its witness, and the rows that it gives.
type sparse struct {
	hostmath.System
	witness []byte
	want    [3][]byte
}

// newSparse makes rows of so many terms each.
func newSparse(f hostmath.Field, p *big.Int, lengths []int, distinct bool) sparse {
	source := rand.New(rand.NewPCG(7, uint64(len(lengths))))
	s := sparse{System: hostmath.System{Starts: []uint32{0}, Parts: []uint32{0}}}
	values, wires := append(edges(p), randomBelow(p, 9)...), append(edges(p), randomBelow(p, 30)...)
	for _, w := range wires {
		s.witness = append(s.witness, littleEndian(w, f.Bytes())...)
	}
	for _, length := range lengths {
		var sums [2]big.Int
		for range length {
			wire, value, matrix := source.IntN(len(wires)), source.IntN(len(values)), source.IntN(2)
			s.Wires = append(s.Wires, uint32(wire+matrix*ofB))
			s.Codes = append(s.Codes, uint32(value))
			sums[matrix].Add(&sums[matrix], new(big.Int).Mul(values[value], wires[wire]))
		}
		s.Starts = append(s.Starts, uint32(len(s.Wires)))
		for i, sum := range []*big.Int{&sums[0], &sums[1], new(big.Int).Mul(&sums[0], &sums[1])} {
			s.want[i] = append(s.want[i], toMemory(f, p, sum)...)
		}
	}
	s.store(f, p, values, distinct)
	s.cut(lengths)
	return s
}

// store lays the values out: the distinct ones, or one for each term.
func (s *sparse) store(f hostmath.Field, p *big.Int, values []*big.Int, distinct bool) {
	twice := func(v *big.Int) []byte { return toMemory(f, p, new(big.Int).Lsh(v, 256)) }
	if distinct {
		for _, v := range values {
			s.Values = append(s.Values, twice(v)...)
		}
		return
	}
	for _, code := range s.Codes {
		s.Values = append(s.Values, twice(values[code])...)
	}
	s.Codes = nil
}

// cut makes parts, as long as they may be.
func (s *sparse) cut(lengths []int) {
	terms := 0
	for row, length := range lengths {
		if terms > 0 && terms+length > partTerms {
			s.Parts, terms = append(s.Parts, uint32(row)), 0
		}
		terms += length
	}
	s.Parts = append(s.Parts, uint32(len(lengths)))
}

func TestRowsOfConstraints(t *testing.T) {
	for name, lengths := range map[string][]int{
		"one row":        {3},
		"no terms":       {0, 0, 0},
		"short rows":     {1, 0, 2, 5, 0, 3, 7, 1},
		"a full part":    {partTerms, partTerms - 1, 1, 4},
		"a long row":     {2, partTerms + 1, 0, 3},
		"only long rows": {3 * partTerms, 2500},
	} {
		for _, f := range primeFields {
			if f.field != hostmath.BN254Fr && f.field != hostmath.BLS12381Fr {
				continue
			}
			for _, distinct := range []bool{false, true} {
				s := newSparse(f.field, f.modulus, lengths, distinct)
				for _, m := range hostmath.Multipliers {
					for _, threads := range []int{1, 8, 256} {
						a, b, c := s.evaluated(f.field, m, threads)
						require.Equal(t, s.want, [3][]byte{a, b, c}, "%s over %s, %d threads, multiplier %d", name, f.name, threads, m)
					}
				}
			}
		}
	}
}

func (s *sparse) evaluated(f hostmath.Field, m hostmath.Multiplier, threads int) (a, b, c []byte) {
	return f.Evaluate(m, s.System, threads, s.witness)
}
