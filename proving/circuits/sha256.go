package circuits

import (
	"math/bits"
	"slices"
)

// word is a 32-bit word of SHA-256 (FIPS 180-4), each bit a wire or a constant, least first.
type word[E any] [32]term[E]

// blockBits is the size of a message block.
const blockBits = 512

// sha256Blocks hashes a private message whose padding just fills so many blocks. The digest is
// public, as two numbers of 128 bits, the first half first.
func sha256Blocks[E comparable, P scalar[E]](b *builder[E, P], blocks int) {
	high, low := b.output(), b.output()
	message := b.message(blocks)
	var h [8]word[E]
	for i, v := range sha256Initial {
		h[i] = b.constantWord(v)
	}
	for block := range slices.Chunk(message, 16) {
		h = b.compress(h, block)
	}
	b.equate(high, b.packed(h[:4])...)
	b.equate(low, b.packed(h[4:])...)
}

// message lays out the input bits, in the order in which SHA-256 reads them, and pads them with a
// one, zeros and the length.
func (b *builder[E, P]) message(blocks int) []word[E] {
	length := blocks*blockBits - 72 // the least padding of a message of whole bytes
	stream := make([]term[E], 0, blocks*blockBits)
	for range length {
		stream = append(stream, b.inputBit())
	}
	stream = b.appendBits(stream, 0x80, 8)
	return wordsOf(b.appendBits(stream, length, 64))
}

// appendBits appends the n low bits of v, highest first, as constants.
func (b *builder[E, P]) appendBits(stream []term[E], v, n int) []term[E] {
	for i := n - 1; i >= 0; i-- {
		stream = append(stream, b.constant(int64(v>>i&1)))
	}
	return stream
}

// wordsOf groups a stream of bits, highest first, into words.
func wordsOf[E any](stream []term[E]) []word[E] {
	words := make([]word[E], 0, len(stream)/32)
	for chunk := range slices.Chunk(stream, 32) {
		w := word[E](chunk)
		slices.Reverse(w[:])
		words = append(words, w)
	}
	return words
}

// packed returns the number whose bits are the words', the first word highest.
func (b *builder[E, P]) packed(words []word[E]) sum[E] {
	var out sum[E]
	weight, two := constant[E, P](1), constant[E, P](2)
	for _, w := range slices.Backward(words) {
		for _, bit := range w {
			out = append(out, scaled[E, P](bit, weight))
			P(&weight).Mul(&weight, &two)
		}
	}
	return out
}

func (b *builder[E, P]) compress(h [8]word[E], block []word[E]) [8]word[E] {
	s := h
	for i, w := range b.schedule(block) {
		s = b.round(s, w, sha256Round[i])
	}
	for i := range h {
		h[i] = b.added(h[i], s[i])
	}
	return h
}

// schedule extends the 16 words of a block to one a round.
func (b *builder[E, P]) schedule(block []word[E]) []word[E] {
	w := slices.Clone(block)
	for t := 16; t < len(sha256Round); t++ {
		s0 := b.xor3(w[t-15].rotated(7), w[t-15].rotated(18), b.shifted(w[t-15], 3))
		s1 := b.xor3(w[t-2].rotated(17), w[t-2].rotated(19), b.shifted(w[t-2], 10))
		w = append(w, b.added(s1, w[t-7], s0, w[t-16]))
	}
	return w
}

func (b *builder[E, P]) round(s [8]word[E], w word[E], k uint32) [8]word[E] {
	x, e := s[0], s[4]
	ch := b.choose(e, s[5], s[6])
	sum1 := b.xor3(e.rotated(6), e.rotated(11), e.rotated(25))
	t1 := b.added(s[7], sum1, ch, b.constantWord(k), w)
	sum0 := b.xor3(x.rotated(2), x.rotated(13), x.rotated(22))
	t2 := b.added(sum0, b.majority(x, s[1], s[2]))
	return [8]word[E]{b.added(t1, t2), x, s[1], s[2], b.added(s[3], t1), e, s[5], s[6]}
}

func (b *builder[E, P]) constantWord(v uint32) (w word[E]) {
	for i := range w {
		w[i] = b.constant(int64(v >> i & 1))
	}
	return w
}

// rotated returns w rotated right.
func (w word[E]) rotated(n int) (out word[E]) {
	for i := range w {
		out[i] = w[(i+n)%32]
	}
	return out
}

// shifted returns w shifted right.
func (b *builder[E, P]) shifted(w word[E], n int) word[E] {
	w = w.rotated(n)
	for i := 32 - n; i < 32; i++ {
		w[i] = b.constant(0)
	}
	return w
}

// xor3 is x ⊕ y ⊕ z: with m = y·z it is x·(1-2y-2z+4m) + y + z - 2m.
func (b *builder[E, P]) xor3(x, y, z word[E]) (out word[E]) {
	for i := range out {
		m := b.product(sum[E]{y[i]}, sum[E]{z[i]})
		factor := sum[E]{b.constant(1), b.times(y[i], -2), b.times(z[i], -2), b.times(m, 4)}
		out[i] = b.product(sum[E]{x[i]}, factor, y[i], z[i], b.times(m, -2))
	}
	return out
}

// choose is x ? y : z, or x·(y-z) + z.
func (b *builder[E, P]) choose(x, y, z word[E]) (out word[E]) {
	for i := range out {
		out[i] = b.product(sum[E]{x[i]}, sum[E]{y[i], b.times(z[i], -1)}, z[i])
	}
	return out
}

// majority is what two of x, y and z agree on: with m = y·z it is x·(y+z-2m) + m.
func (b *builder[E, P]) majority(x, y, z word[E]) (out word[E]) {
	for i := range out {
		m := b.product(sum[E]{y[i]}, sum[E]{z[i]})
		out[i] = b.product(sum[E]{x[i]}, sum[E]{y[i], z[i], b.times(m, -2)}, m)
	}
	return out
}

// added is the sum of words modulo 2³²; the carries get wires of their own.
func (b *builder[E, P]) added(words ...word[E]) word[E] {
	total := make(sum[E], 0, 32*len(words))
	for _, w := range words {
		for i, bit := range w {
			total = append(total, b.times(bit, 1<<i))
		}
	}
	return word[E](b.bits(total, 32+bits.Len(uint(len(words)-1)))[:32])
}
