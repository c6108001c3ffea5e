package cuda

import (
	"fmt"
	"math/big"
	"math/bits"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
)

// mostLog bounds the domains that the kernels transform: 2^mostLog elements.
const mostLog = 28

// DomainSize is an evaluation domain of 2^Log elements.
type DomainSize struct {
	Curve curve.ID
	Log   int
}

// NewDomainSize gives the domain of so many elements, a power of two; one that the kernels cannot transform is an error
// that wraps engine.ErrDomainSize.
func NewDomainSize(id curve.ID, elements int) (DomainSize, error) {
	log := bits.Len(uint(max(elements, 1))) - 1
	if elements != 1<<log || log < 1 || log > mostLog || log >= id.TwoAdicity() {
		return DomainSize{}, fmt.Errorf("%w: a GPU transforms 2 to 2^%d elements, not %d of %s", engine.ErrDomainSize,
			mostLog, elements, id)
	}
	return DomainSize{id, log}, nil
}

// Elements is the number of elements.
func (s DomainSize) Elements() int { return 1 << s.Log }

// VectorBytes is the size of one vector over the domain.
func (s DomainSize) VectorBytes() int64 { return curve.ScalarSize << s.Log }

// Bytes is the device memory of a Domain.
func (s DomainSize) Bytes() int64 { return aligned(s.tableBytes()) + s.powersBytes() }

func (s DomainSize) tableBytes() int64 { return int64(cudabind.NTTTableBytes(curveOf(s.Curve), s.Log)) }

func (s DomainSize) powersBytes() int64 { return int64(cudabind.PowersBytes(curveOf(s.Curve), s.Log)) }

// Domain is what transforms take beside their vectors, in device memory that somebody else owns: the roots of unity of
// the domain, and the powers that move a polynomial to its odd coset.
type Domain struct {
	DomainSize
	table, forth *cudabind.Buffer
}

// domainIn lays a domain out in memory.
func (s DomainSize) domainIn(memory *cudabind.Buffer) (*Domain, error) {
	c := &carver{from: memory}
	d := s.takeDomain(c)
	return d, c.err
}

func (s DomainSize) takeDomain(c *carver) *Domain {
	return &Domain{s, c.take(int(s.tableBytes())), c.take(int(s.powersBytes()))}
}

// BuildDomain computes a domain in the first Bytes of memory, which has to last as long as the domain. It may be used once
// the step's Wait has returned.
func (d *Device) BuildDomain(size DomainSize, memory *cudabind.Buffer) (*Domain, *Pending, error) {
	domain, err := size.domainIn(memory)
	if err != nil {
		return nil, nil, err
	}
	p, err := d.launch(domain.build)
	return domain, p, err
}

// build queues the tables: powers of the domain's root, and of the coset's shift, which is a root of twice the order as
// in snarkjs. The inverse transforms leave out their factor 1/n, since the shift's powers have it.
func (d *Domain) build(s *cudabind.Stream) error {
	root, shift := rootOfOrder(d.Curve, d.Log), rootOfOrder(d.Curve, d.Log+1)
	perElement := new(big.Int).ModInverse(big.NewInt(1<<d.Log), d.Curve.ScalarModulus())
	if err := s.BuildNTTTable(curveOf(d.Curve), d.Log, montgomery(d.Curve, root), d.table); err != nil {
		return err
	}
	return s.BuildPowers(curveOf(d.Curve), d.Log, montgomery(d.Curve, shift), montgomery(d.Curve, perElement), d.forth)
}

// rootOfOrder gives the root of unity of order 2^log.
func rootOfOrder(id curve.ID, log int) *big.Int {
	exponent := new(big.Int).Lsh(big.NewInt(1), uint(id.TwoAdicity()-log))
	return exponent.Exp(id.RootOfUnity(), exponent, id.ScalarModulus())
}

// montgomery gives a scalar's Montgomery form in memory.
func montgomery(id curve.ID, x *big.Int) []byte {
	x = new(big.Int).Lsh(x, 8*curve.ScalarSize)
	out := make([]byte, curve.ScalarSize)
	curve.PutLittleEndian(out, x.Mod(x, id.ScalarModulus()))
	return out
}
