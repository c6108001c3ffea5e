package witness

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/format/wtns"
)

// ErrInput is wrapped when inputs do not fit the circuit or are no numbers.
var ErrInput = errors.New("bad input")

// ErrOperand is wrapped when the memory that a caller passes has not the length it must have.
var ErrOperand = errors.New("bad operand")

// Calculate runs the circuit on its inputs, the text of an input.json, and writes the witness to dst: so many canonical
// scalars as Sizes tells, 32 bytes each. Inputs are read as they are needed and never held, however many they are; see
// readInputs for what they may be. memory is where the module keeps its own, MemoryNeed bytes, which are cleared first. An
// assertion of the circuit that fails is a *CircuitError. When the context ends, so does the module. What the module gives is
// checked as a witness that is read from a file.
func (c *Calculator) Calculate(ctx context.Context, inputs io.Reader, dst, memory []byte) error {
	r, err := c.start(ctx, memory)
	if err != nil {
		return err
	}
	defer r.close(ctx)
	s, err := r.sizes()
	if err != nil {
		return err
	}
	if len(dst) != s.Length*curve.ScalarSize {
		return fmt.Errorf("%w: %d bytes for a witness of %d wires", ErrOperand, len(dst), s.Length)
	}
	r.call("init", 1) // with the circuit's sanity checks
	f := &feed{run: r, modulus: s.Curve.ScalarModulus(), wanted: s.Inputs}
	if err := readInputs(reader{ctx, inputs}, f.set); err != nil {
		return err
	}
	if err := f.end(); err != nil {
		return err
	}
	if r.copyWitness(dst); r.err != nil {
		return r.err
	}
	if err := wtns.Check(s.Curve, dst); err != nil {
		return fmt.Errorf("%w: %w", ErrModule, err)
	}
	return nil
}

// reader reads until its context ends.
type reader struct {
	ctx  context.Context
	from io.Reader
}

func (r reader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(b)
}

func (r *run) copyWitness(dst []byte) {
	for i := range len(dst) / curve.ScalarSize {
		r.call("getWitness", uint64(i))
		if copy(dst[i*curve.ScalarSize:], r.shared()); r.err != nil {
			return
		}
	}
}

// hash is how circom names signals: FNV-1a in two 32-bit halves, the upper first.
func hash(name string) []uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	sum := h.Sum64()
	return []uint64{sum >> 32, sum & 0xffffffff}
}
