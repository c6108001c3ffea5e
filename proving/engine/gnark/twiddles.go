package gnark

import (
	"fmt"
	"math/bits"
	"sync/atomic"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/field"
)

// twiddles hold the sequence T with T[0] = 1 and T[2^s + j] = T[j]·ω for j < 2^s, ω of order 2^(s+2). So T[k] is the
// root of order n raised to the bit reversal of k, whatever n is: one sequence serves every size and every stage of
// a transform, and shifts to the odd coset too. That is the bit-reversed twiddle order of Seiler,
// https://eprint.iacr.org/2018/039, §2.
//
// Only T[0..tile) and every tile-th entry are stored, since T[h·tile + l] = T[h·tile]·T[l]. Even 2^28 elements
// need but 32 MiB then, 2^20 need 128 KiB.
type twiddles[E any] struct {
	low  []E // T[l] for l < tile
	high []E // T[h·tile]
}

// newTwiddles makes T[0..upTo). roots[k] has order 2^k.
func newTwiddles[E any, P field.Element[E]](roots []E, upTo int) twiddles[E] {
	t := twiddles[E]{low: make([]E, tile), high: make([]E, max(upTo/tile, 1))}
	fillTwiddles[E, P](t.low, roots, 2)
	fillTwiddles[E, P](t.high, roots, 2+bits.TrailingZeros(tile))
	return t
}

// fillTwiddles doubles a table from its first entry, 1, the first new root being of order 2^k.
func fillTwiddles[E any, P field.Element[E]](table, roots []E, k int) {
	P(&table[0]).SetOne()
	for done := 1; done < len(table); done, k = 2*done, k+1 {
		for j := range done {
			P(&table[done+j]).Mul(&table[j], &roots[k])
		}
	}
}

// domains makes twiddles when they are first needed and keeps those of the largest size.
type domains[E any, P field.Element[E]] struct {
	curve curve.ID
	kept  atomic.Pointer[domain[E]]
}

// domain is what transforms of up to size elements need.
type domain[E any] struct {
	size             int
	forward, inverse twiddles[E]
	half             []E // half[k] is 1/2^k
}

func (d *domains[E, P]) get(n int) (*domain[E], error) {
	if err := d.check(n); err != nil {
		return nil, err
	}
	if kept := d.kept.Load(); kept != nil && kept.size >= n {
		return kept, nil
	}
	made := newDomain[E, P](d.curve, n)
	for {
		kept := d.kept.Load()
		if kept != nil && kept.size >= n {
			return kept, nil
		}
		if d.kept.CompareAndSwap(kept, made) {
			return made, nil
		}
	}
}

// check refuses what is no domain or has no odd coset.
func (d *domains[E, P]) check(n int) error {
	if n < 1 || n&(n-1) != 0 {
		return fmt.Errorf("%w: %d is no power of two", engine.ErrDomainSize, n)
	}
	if k := bits.TrailingZeros(uint(n)); k >= d.curve.TwoAdicity() {
		return fmt.Errorf("%w: 2^%d is too large for %s, whose domains end at 2^%d",
			engine.ErrDomainSize, k, d.curve, d.curve.TwoAdicity()-1)
	}
	return nil
}

func newDomain[E any, P field.Element[E]](id curve.ID, n int) *domain[E] {
	k := id.TwoAdicity()
	var root, inverseRoot, half E
	P(&root).SetBigInt(id.RootOfUnity())
	P(&inverseRoot).Inverse(&root)
	P(&half).Inverse(P(&half).SetUint64(2))
	d := &domain[E]{size: n, half: powersOfHalf[E, P](half, k+1)}
	d.forward = newTwiddles[E, P](rootsOfOrder[E, P](root, k), n)
	d.inverse = newTwiddles[E, P](rootsOfOrder[E, P](inverseRoot, k), n)
	return d
}

// rootsOfOrder squares a root of order 2^k down: entry j has order 2^j.
func rootsOfOrder[E any, P field.Element[E]](root E, k int) []E {
	roots := make([]E, k+1)
	roots[k] = root
	for ; k > 0; k-- {
		P(&roots[k-1]).Square(&roots[k])
	}
	return roots
}

func powersOfHalf[E any, P field.Element[E]](half E, n int) []E {
	powers := make([]E, n)
	P(&powers[0]).SetOne()
	for i := 1; i < n; i++ {
		P(&powers[i]).Mul(&powers[i-1], &half)
	}
	return powers
}

// kept is the size in bytes of the twiddles of a domain of n elements, both directions.
func twiddleBytes(n int) int64 { return 2 * curve.ScalarSize * int64(tile+max(n/tile, 1)) }
