package circuits

import (
	"math/big"
	"math/bits"
)

// grain is the self-shrinking 80-bit LFSR from which the Poseidon paper (eprint 2019/458, appendix E)
// draws constants, so that nobody chose them.
type grain struct {
	state [80]bool
	next  int // index of the oldest bit
}

// newGrain seeds the generator for x^5 over a prime field of n bits, width t and the given rounds.
func newGrain(n, t, full, partial int) *grain {
	g := &grain{}
	for _, field := range []struct{ value, width int }{
		{1, 2}, {0, 4}, {n, 12}, {t, 12}, {full, 10}, {partial, 10}, {1<<30 - 1, 30},
	} {
		g.seed(field.value, field.width)
	}
	for range 160 {
		g.step()
	}
	return g
}

func (g *grain) seed(value, width int) {
	for i := width - 1; i >= 0; i-- {
		g.state[g.next] = value>>i&1 == 1
		g.next = (g.next + 1) % len(g.state)
	}
}

func (g *grain) step() bool {
	bit := false
	for _, tap := range [...]int{0, 13, 23, 38, 51, 62} {
		bit = bit != g.state[(g.next+tap)%len(g.state)]
	}
	g.state[g.next] = bit
	g.next = (g.next + 1) % len(g.state)
	return bit
}

// bit keeps the second of each pair whose first is one.
func (g *grain) bit() bool {
	for !g.step() {
		g.step()
	}
	return g.step()
}

// draw returns the next n bits as a number, the first bit highest.
func (g *grain) draw(n int) *big.Int {
	words := make([]big.Word, (n+bits.UintSize-1)/bits.UintSize)
	for i := n - 1; i >= 0; i-- {
		if g.bit() {
			words[i/bits.UintSize] |= 1 << (i % bits.UintSize)
		}
	}
	return new(big.Int).SetBits(words)
}

// below returns the next number of p's width that is less than p.
func (g *grain) below(p *big.Int) *big.Int {
	for {
		if v := g.draw(p.BitLen()); v.Cmp(p) < 0 {
			return v
		}
	}
}
