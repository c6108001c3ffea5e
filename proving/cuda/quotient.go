package cuda

import (
	"fmt"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/proving/engine"
)

// The quotient of Groth16 is h = a·b − c over the odd coset, as groth16.Quotient makes it: the scalars of the h query, in
// Montgomery form. All vectors are over one domain. A step that is given no Domain builds one in its scratch. Whatever a
// step is given is in use until its Wait has returned.

// QuotientNeed says what QuotientOfWitness takes, with a Domain or without.
func (s DomainSize) QuotientNeed(hasDomain bool) Need {
	return Need{Device: s.scratchBytes(2, hasDomain)}
}

// scratchBytes is the scratch of so many vectors, and of a domain where a step has none.
func (s DomainSize) scratchBytes(vectors int64, hasDomain bool) int64 {
	bytes := vectors * aligned(s.VectorBytes())
	if !hasDomain {
		bytes += s.Bytes()
	}
	return bytes
}

// quotientVectors are where a quotient is made of a, b and c: in a. The others are overwritten.
type quotientVectors struct {
	domain  *Domain
	own     bool // the domain lies in scratch and has to be built
	a, b, c *cudabind.Buffer
}

// vectorsIn lays out in scratch what a quotient is not given: its vectors but a (if it is not nil), and its domain (if
// it is nil).
func (s DomainSize) vectorsIn(scratch *cudabind.Buffer, domain *Domain, a *cudabind.Buffer) (*quotientVectors, error) {
	c := &carver{from: scratch}
	take := func() *cudabind.Buffer { return c.take(int(s.VectorBytes())) }
	v := &quotientVectors{domain: domain, own: domain == nil, a: a, b: take(), c: take()}
	if a == nil {
		v.a = take()
	}
	if v.own {
		v.domain = s.takeDomain(c)
	}
	if v.domain.DomainSize != s {
		return nil, fmt.Errorf("%w: a domain of 2^%d of %s for vectors over 2^%d of %s", engine.ErrOperand, v.domain.Log,
			v.domain.Curve, s.Log, s.Curve)
	}
	return v, c.err
}

// transform queues all that turns the rows a, b and c into h.
func (v *quotientVectors) transform(s *cudabind.Stream) error {
	if v.own {
		if err := v.domain.build(s); err != nil {
			return err
		}
	}
	const canonical = false
	return s.Quotient(curveOf(v.domain.Curve), v.domain.Log, v.domain.table, v.domain.forth, nil, canonical, v.a, v.b, v.c)
}

// QuotientOfWitness makes the quotient of a canonical witness in h, one vector; domain nil builds one. Nothing of it waits
// for the host.
func (d *Device) QuotientOfWitness(
	k *Constraints, domain *Domain, witness, h *cudabind.Buffer, scratch Scratch,
) (*Pending, error) {
	if err := scratch.check("the quotient", k.QuotientNeed(domain != nil)); err != nil {
		return nil, err
	}
	if h == nil || int64(h.Bytes()) < k.VectorBytes() {
		return nil, fmt.Errorf("%w: h takes %d bytes of the device", engine.ErrOperand, k.VectorBytes())
	}
	v, err := k.vectorsIn(scratch.Device, domain, h)
	if err != nil {
		return nil, err
	}
	return d.launch(func(s *cudabind.Stream) error {
		if err := s.Evaluate(curveOf(k.Curve), k.on, witness, v.a, v.b, v.c); err != nil {
			return err
		}
		return v.transform(s)
	})
}
