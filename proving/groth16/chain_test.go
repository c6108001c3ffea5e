package groth16_test

import (
	"bytes"
	"io"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/format/r1cs"
)

// chain is the circuit x[i+1] = (x[i] + b)·(x[i] + i + 1): x[0] and b are private, the last x is public. Its
// witness is full-width. Wires: 1, the output, b, x[0], x[1] ...
func chain(t testing.TB, id curve.ID, constraints int) (system, witness []byte) {
	last := func(i int) int {
		if i == constraints {
			return 1
		}
		return 3 + i
	}
	var section []byte
	one, scalar := canonical(id, big.NewInt(1)), make([]byte, 32)
	for i := range constraints {
		curve.PutLittleEndian(scalar, big.NewInt(int64(i+1)))
		section = r1cs.Append(section, []int{last(i), 2}, [][]byte{one, one})
		section = r1cs.Append(section, []int{last(i), 0}, [][]byte{one, scalar})
		section = r1cs.Append(section, []int{last(i + 1)}, [][]byte{one})
	}
	var out bytes.Buffer
	h := r1cs.Header{Curve: id, Wires: 3 + constraints, Outputs: 1, Private: 2, Labels: uint64(3 + constraints), Constraints: constraints}
	require.NoError(t, r1cs.Write(&out, h, int64(len(section)), func(w io.Writer) error {
		_, err := w.Write(section)
		return err
	}))
	return out.Bytes(), chainWitness(id, constraints, last)
}

func chainWitness(id curve.ID, constraints int, wire func(int) int) []byte {
	r := id.ScalarModulus()
	witness := make([]byte, 32*(3+constraints))
	put := func(wire int, x *big.Int) { curve.PutLittleEndian(witness[32*wire:][:32], x) }
	b, x := big.NewInt(5), big.NewInt(11)
	put(0, big.NewInt(1))
	put(2, b)
	put(wire(0), x)
	for i := range constraints {
		left := new(big.Int).Add(x, b)
		x = new(big.Int).Mod(left.Mul(left, new(big.Int).Add(x, big.NewInt(int64(i+1)))), r)
		put(wire(i+1), x)
	}
	return witness
}

func canonical(id curve.ID, x *big.Int) []byte {
	b := make([]byte, curve.ScalarSize)
	curve.PutLittleEndian(b, new(big.Int).Mod(x, id.ScalarModulus()))
	return b
}
