//go:build cgo && linux

package standin_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind"
)

// numbers are a system of two rows and three terms, 2·w1 by A and B and 3·w0 by A, or what a test makes of it.
type numbers struct {
	starts, parts, wires, codes []uint32
	values, witness             int // elements that are written
}

func (n numbers) evaluate(m *machine) error {
	elements := func(written int) *cudabind.Buffer {
		b := m.alloc(2 * cudabind.ScalarBytes)
		for i := range written {
			require.NoError(m.t, m.stream.Upload(slice(m.t, b, i*cudabind.ScalarBytes, cudabind.ScalarBytes), element(uint64(2+i))))
		}
		return b
	}
	of := cudabind.Constraints{
		Rows: 2, Parts: len(n.parts) - 1, Terms: len(n.wires), Values: 2, Wires: 2,
		Starts: m.upload(bytesOf(n.starts)), PartRows: m.upload(bytesOf(n.parts)), TermWires: m.upload(bytesOf(n.wires)),
		TermCodes: m.upload(bytesOf(n.codes)), Elements: elements(n.values),
	}
	out := func() *cudabind.Buffer { return m.alloc(2 * cudabind.ScalarBytes) }
	if err := m.stream.Evaluate(bn, of, elements(n.witness), out(), out(), out()); err != nil {
		return err
	}
	return m.stream.Synchronize()
}

func TestNumbersOfConstraintsAreChecked(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*numbers)
		words string
	}{
		"starts that descend":    {func(n *numbers) { n.starts[1] = 9 }, "starts[1] is 9, and 3 follows"},
		"starts of other terms":  {func(n *numbers) { n.starts[2] = 2 }, "starts go from 0 to 2, not from 0 to 3"},
		"parts of other rows":    {func(n *numbers) { n.parts[0] = 1 }, "parts go from 1 to 2, not from 0 to 2"},
		"a wire outside":         {func(n *numbers) { n.wires[2] = cudabind.TermOfB + 2 }, "term 2 is of wire 2 among 2"},
		"a value outside":        {func(n *numbers) { n.codes[0] = 7 }, "term 0 has value 7 among 2"},
		"values never written":   {func(n *numbers) { n.values = 1 }, "elements[1] is not below the modulus"},
		"a witness half written": {func(n *numbers) { n.witness = 1 }, "witness[1] is not below the modulus"},
	} {
		t.Run(name, func(t *testing.T) {
			m := start(t)
			n := numbers{[]uint32{0, 2, 3}, []uint32{0, 2}, []uint32{1, cudabind.TermOfB + 1, 0}, []uint32{0, 0, 1}, 2, 2}
			require.NoError(t, n.evaluate(m))
			c.spoil(&n)
			requireRefused(t, n.evaluate(m), c.words)
		})
	}
}

func TestPartsOfManyTermsAreSingleRows(t *testing.T) {
	m := start(t)
	n := numbers{starts: []uint32{0, cudabind.PartTerms, cudabind.PartTerms + 1}, parts: []uint32{0, 2}, values: 2, witness: 2}
	n.wires, n.codes = make([]uint32, cudabind.PartTerms+1), make([]uint32, cudabind.PartTerms+1)
	requireRefused(t, n.evaluate(m), "part 0 has 1025 terms of several rows")
	m = start(t)
	n.parts = []uint32{0, 1, 2}
	require.NoError(t, n.evaluate(m))
}
