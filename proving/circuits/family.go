package circuits

import (
	"fmt"
	"io"
)

// program lays out a circuit of so many units on a builder.
type program[E comparable, P scalar[E]] func(b *builder[E, P], units int)

// sized is a program with the number of units that a Spec's target leaves room for.
type sized[E comparable, P scalar[E]] struct {
	run  program[E, P]
	size Size
}

func programOf[E comparable, P scalar[E]](k Kind) (program[E, P], error) {
	switch k {
	case Poseidon:
		return poseidonChain[E, P](), nil
	case SHA256:
		return sha256Blocks[E, P], nil
	case Product:
		return productChain[E, P], nil
	}
	return nil, fmt.Errorf("%w: kind %q is none of %q", ErrSpec, k, Kinds())
}

// fit finds the largest circuit of the family within the target. Every unit after the first costs
// the same, so the sizes of one unit and of two tell all others.
func fit[E comparable, P scalar[E]](s Spec) (circuit, error) {
	run, err := programOf[E, P](s.Kind)
	if err != nil {
		return nil, err
	}
	one, two := measure(run, 1), measure(run, 2)
	if one.rows() > s.Constraints {
		return nil, fmt.Errorf("%w: the smallest %s circuit needs %d constraints, %d were asked for",
			ErrSpec, s.Kind, one.rows(), s.Constraints)
	}
	more := (s.Constraints - one.rows()) / (two.rows() - one.rows())
	return &sized[E, P]{run: run, size: one.extended(more, two)}, nil
}

// rows counts what the evaluation domain must hold: Groth16 adds a row for the constant wire and
// one for each public signal.
func (s Size) rows() int { return s.Constraints + s.Outputs + 1 }

// extended returns the size with so many more units, each adding what next has over s.
func (s Size) extended(more int, next Size) Size {
	s.Units += more
	s.Constraints += more * (next.Constraints - s.Constraints)
	s.Wires += more * (next.Wires - s.Wires)
	s.Inputs += more * (next.Inputs - s.Inputs)
	s.terms = 0
	return s
}

func measure[E comparable, P scalar[E]](run program[E, P], units int) Size {
	b := newBuilder[E, P]()
	run(b, units)
	b.size.Units = units
	return b.size
}

func (c *sized[E, P]) dimensions() Size { return c.size }

func (c *sized[E, P]) writeR1CS(w io.Writer) error {
	out := newIden3Writer[E, P](w)
	out.r1csHeader(measure(c.run, c.size.Units)) // terms can only be counted
	b := newBuilder[E, P]()
	b.emit = out.constraint
	c.run(b, c.size.Units)
	out.wireLabels(c.size.Wires)
	return out.flush()
}

func (c *sized[E, P]) writeWitness(w io.Writer, seed uint64) error {
	out := newIden3Writer[E, P](w)
	out.witnessHeader(c.size.Wires)
	values := c.assign(seed)
	for i := range values {
		out.element(&values[i])
	}
	return out.flush()
}

// assign computes the value of every wire.
func (c *sized[E, P]) assign(seed uint64) []E {
	b := newBuilder[E, P]()
	b.evaluate(c.size.Wires, seed)
	c.run(b, c.size.Units)
	return b.values
}
