package transform

import (
	"fmt"
	"math/big"
	"math/bits"
	"sync/atomic"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
)

const tableBits = 8 // log of the length of a table's low part

// domain is what transforms of up to size elements need. The twiddle factors are the sequence T with T[0] = 1 and
// T[2^s + j] = T[j]·ω for j < 2^s, ω of order 2^(s+2): the root of order n raised to the bit reversal of k is T[k], for every n
// (Seiler, https://eprint.iacr.org/2018/039, §2). Of it only the first 2^tableBits entries are kept and, after them, every
// 2^tableBits-th, since T[h·2^tableBits + l] = T[h·2^tableBits]·T[l].
type domain struct {
	size             int
	forward, inverse []byte   // tables
	one              []byte   // the factor 1
	shares           [][]byte // shares[k] is the factor 1/2^k
}

// domains makes tables when they are first needed and keeps those of the largest size.
type domains struct {
	curve curve.ID
	field *field
	kept  atomic.Pointer[domain]
}

func (d *domains) get(n int) (*domain, error) {
	if err := d.check(n); err != nil {
		return nil, err
	}
	for {
		kept := d.kept.Load()
		if kept != nil && kept.size >= n {
			return kept, nil
		}
		if made := newDomain(d.curve, d.field, n); d.kept.CompareAndSwap(kept, made) {
			return made, nil
		}
	}
}

// check refuses what is no domain, has no odd coset or is too small for the kernels.
func (d *domains) check(n int) error {
	if n < MinSize || n&(n-1) != 0 {
		return fmt.Errorf("%w: %d is no power of two from %d on", engine.ErrDomainSize, n, MinSize)
	}
	if k := bits.TrailingZeros(uint(n)); k >= d.curve.TwoAdicity() {
		return fmt.Errorf("%w: 2^%d is too large for %s, whose domains end at 2^%d",
			engine.ErrDomainSize, k, d.curve, d.curve.TwoAdicity()-1)
	}
	return nil
}

func newDomain(id curve.ID, f *field, n int) *domain {
	p, root := id.ScalarModulus(), id.RootOfUnity()
	d := &domain{size: n, one: factor(big.NewInt(1), p)}
	d.forward = newTable(f, roots(root, id), n, p)
	d.inverse = newTable(f, roots(new(big.Int).ModInverse(root, p), id), n, p)
	share, half := big.NewInt(1), new(big.Int).ModInverse(big.NewInt(2), p)
	for range id.TwoAdicity() {
		d.shares = append(d.shares, factor(share, p))
		share.Mod(share.Mul(share, half), p)
	}
	return d
}

// roots squares a root of the highest order down: entry k has order 2^k.
func roots(root *big.Int, id curve.ID) []*big.Int {
	list := make([]*big.Int, id.TwoAdicity()+1)
	for k := id.TwoAdicity(); k >= 0; k-- {
		list[k] = root
		root = new(big.Int).Mul(root, root)
		root.Mod(root, id.ScalarModulus())
	}
	return list
}

func factor(v, p *big.Int) []byte {
	element := inside(v, p)
	return element[:]
}

// newTable makes the table of T[0..upTo).
func newTable(f *field, roots []*big.Int, upTo int, p *big.Int) []byte {
	table := make([]byte, tableBytes(upTo))
	const low = curve.ScalarSize << tableBits
	fillTable(f, table[:low], roots[2:], p)
	fillTable(f, table[low:], roots[2+tableBits:], p)
	return table
}

// fillTable doubles a table from its first entry, 1, by each root in turn.
func fillTable(f *field, table []byte, roots []*big.Int, p *big.Int) {
	done := copy(table, factor(big.NewInt(1), p))
	for k := 0; done < len(table); k++ {
		vectorKernel(f, scale, table[done:2*done], table[:done], factor(roots[k], p), nil)
		done *= 2
	}
}

// tableBytes is the size of a table of T[0..upTo).
func tableBytes(upTo int) int { return curve.ScalarSize * (1<<tableBits + max(upTo>>tableBits, 1)) }
