package circuits

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
)

// reader takes apart the files that the package writes, with nothing of the writer's.
type reader struct {
	t *testing.T
	*bytes.Reader
}

func (r reader) take(n int) []byte {
	b := make([]byte, n)
	if got, _ := r.Read(b); got != n {
		require.Failf(r.t, "short file", "%d of %d bytes", got, n)
	}
	return b
}

func (r reader) u32() int { return int(binary.LittleEndian.Uint32(r.take(4))) }
func (r reader) u64() int { return int(binary.LittleEndian.Uint64(r.take(8))) }

func (r reader) number() *big.Int {
	b := r.take(32)
	for i := range 16 {
		b[i], b[31-i] = b[31-i], b[i]
	}
	return new(big.Int).SetBytes(b)
}

// section checks a section's head and returns a reader of its body.
func (r reader) section(kind int) reader {
	require.Equal(r.t, kind, r.u32())
	return reader{r.t, bytes.NewReader(r.take(r.u64()))}
}

type parsedR1CS struct {
	prime                          *big.Int
	wires, outputs, public, inputs int
	rows                           []parsedRow
}

type parsedRow [3][]parsedTerm

type parsedTerm struct {
	wire  int
	coeff *big.Int
}

func parseR1CS(t *testing.T, file []byte) (out parsedR1CS) {
	r := reader{t, bytes.NewReader(file)}
	require.Equal(t, "r1cs", string(r.take(4)))
	require.Equal(t, []int{1, 3}, []int{r.u32(), r.u32()})
	head, rows, labels := r.section(1), r.section(2), r.section(3)
	require.Zero(t, r.Len(), "nothing after the sections")

	require.Equal(t, 32, head.u32())
	out.prime = head.number()
	out.wires, out.outputs, out.public, out.inputs = head.u32(), head.u32(), head.u32(), head.u32()
	require.Equal(t, out.wires, head.u64(), "labels")
	out.rows = make([]parsedRow, head.u32())
	require.Zero(t, head.Len(), "header")
	for i := range out.rows {
		for side := range out.rows[i] {
			out.rows[i][side] = parseTerms(rows, out)
		}
	}
	require.Zero(t, rows.Len(), "constraints")
	require.Equal(t, 8*out.wires, labels.Len())
	return out
}

func parseTerms(r reader, c parsedR1CS) []parsedTerm {
	terms := make([]parsedTerm, r.u32())
	last := -1
	for i := range terms {
		terms[i] = parsedTerm{r.u32(), r.number()}
		ascending := terms[i].wire > last && terms[i].wire < c.wires
		canonical := terms[i].coeff.Sign() == 1 && terms[i].coeff.Cmp(c.prime) < 0
		if !ascending || !canonical {
			require.Failf(r.t, "bad term", "%v after wire %d of %d", terms[i], last, c.wires)
		}
		last = terms[i].wire
	}
	return terms
}

func parseWitness(t *testing.T, file []byte) (prime *big.Int, values []*big.Int) {
	r := reader{t, bytes.NewReader(file)}
	require.Equal(t, "wtns", string(r.take(4)))
	require.Equal(t, []int{2, 2}, []int{r.u32(), r.u32()})
	head, body := r.section(1), r.section(2)
	require.Zero(t, r.Len(), "nothing after the sections")
	require.Equal(t, 32, head.u32())
	prime = head.number()
	values = make([]*big.Int, head.u32())
	for i := range values {
		values[i] = body.number()
		if values[i].Cmp(prime) >= 0 {
			require.Failf(t, "not canonical", "wire %d: %v", i, values[i])
		}
	}
	require.Zero(t, body.Len())
	return prime, values
}

// violated returns the first row that the witness does not satisfy, or -1.
func (c parsedR1CS) violated(witness []*big.Int) int {
	for i, row := range c.rows {
		ab := new(big.Int).Mul(inner(row[0], witness), inner(row[1], witness))
		if ab.Sub(ab, inner(row[2], witness)).Mod(ab, c.prime).Sign() != 0 {
			return i
		}
	}
	return -1
}

func inner(terms []parsedTerm, witness []*big.Int) *big.Int {
	total, part := new(big.Int), new(big.Int)
	for _, t := range terms {
		total.Add(total, part.Mul(t.coeff, witness[t.wire]))
	}
	return total
}

// written returns both files of a Spec, parsed.
func written(t *testing.T, s Spec, seed uint64) (parsedR1CS, []*big.Int) {
	var r1cs, wtns bytes.Buffer
	require.NoError(t, s.WriteR1CS(&r1cs))
	require.NoError(t, s.WriteWitness(&wtns, seed))
	c := parseR1CS(t, r1cs.Bytes())
	prime, witness := parseWitness(t, wtns.Bytes())
	require.Equal(t, c.prime, prime)
	require.Len(t, witness, c.wires)
	return c, witness
}

func (s Spec) testName() string { return fmt.Sprintf("%s/%s/%d", s.Kind, s.Curve, s.Constraints) }
