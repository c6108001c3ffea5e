package witness

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/big"
	"slices"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/format/wtns"
)

// ErrInput is wrapped when inputs do not fit the circuit or are no numbers.
var ErrInput = errors.New("bad input")

// ErrOperand is wrapped when the memory that a caller passes has not the length it must have.
var ErrOperand = errors.New("bad operand")

// Calculate runs the circuit on its inputs and writes the witness to dst: Length canonical scalars, 32 bytes each.
// memory is where the module keeps its own, MemoryNeed bytes, which are cleared first; nil takes them from the heap. An
// assertion of the circuit that fails is a *CircuitError. When the context ends, so does the module. What the module gives
// is checked as a witness that is read from a file.
func (c *Calculator) Calculate(ctx context.Context, inputs Inputs, dst, memory []byte) error {
	if len(dst) != c.Length*curve.ScalarSize {
		return fmt.Errorf("%w: %d bytes for a witness of %d wires", ErrOperand, len(dst), c.Length)
	}
	if memory != nil && int64(len(memory)) < c.memory {
		return fmt.Errorf("%w: %d bytes for a module that takes %d", ErrOperand, len(memory), c.memory)
	}
	clear(memory)
	r, err := c.start(ctx, memory)
	if err != nil {
		return err
	}
	defer r.close(ctx)
	r.call("init", 1) // with the circuit's sanity checks
	if err := c.checkInputs(r, inputs); err != nil {
		return err
	}
	c.setInputs(r, inputs)
	r.copyWitness(dst)
	if r.err != nil {
		return r.err
	}
	if err := wtns.Check(c.Curve, dst); err != nil {
		return fmt.Errorf("%w: %w", ErrModule, err)
	}
	return nil
}

// checkInputs says by name what does not fit, before the circuit runs.
func (c *Calculator) checkInputs(r *run, inputs Inputs) error {
	given := 0
	for _, name := range inputs.names() {
		size := r.number("getInputSignalSize", hash(name)...)
		switch {
		case r.err != nil:
			return r.err
		case size <= 0 && len(inputs[name]) > 0:
			return fmt.Errorf("%w: the circuit has no input %q", ErrInput, name)
		case max(int(size), 0) != len(inputs[name]):
			return fmt.Errorf("%w: input %q has %d values, and the circuit wants %d", ErrInput, name, len(inputs[name]), size)
		}
		given += len(inputs[name])
	}
	if given < c.Inputs {
		return fmt.Errorf("%w: inputs are missing: %d values are given (%s) and the circuit wants %d", ErrInput,
			given, inputs, c.Inputs)
	}
	return nil
}

// setInputs sets every signal; the last one makes the circuit run.
func (c *Calculator) setInputs(r *run, inputs Inputs) {
	modulus, value := c.Curve.ScalarModulus(), new(big.Int)
	for _, name := range inputs.names() {
		h := hash(name)
		for i, x := range inputs[name] {
			shared := r.shared()
			if r.err != nil {
				return
			}
			curve.PutLittleEndian(shared, value.Mod(x, modulus))
			r.call("setInputSignal", h[0], h[1], uint64(i))
		}
	}
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

// names are the names of the inputs in a fixed order.
func (in Inputs) names() []string {
	names := make([]string, 0, len(in))
	for name := range in {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
