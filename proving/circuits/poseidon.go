package circuits

// poseidonChain is h[i+1] = Poseidon(h[i], k) for so many hashes, from private h[0] and k to the
// public last hash.
func poseidonChain[E comparable, P scalar[E]]() program[E, P] {
	k := newPoseidonConstants[E, P]()
	return func(b *builder[E, P], hashes int) {
		out, h, key := b.output(), b.input(), b.input()
		for range hashes {
			h = poseidon2(b, k, h, key)
		}
		b.equate(out, h)
	}
}

// state is what the permutation works on, each element a wire.
type state[E any] [width]term[E]

// poseidon2 hashes two wires with the rows that circomlib's Poseidon(2) keeps under circom --O1.
func poseidon2[E comparable, P scalar[E]](b *builder[E, P], k *poseidonConstants[E], x, y term[E]) term[E] {
	s := b.addConstants(state[E]{b.constant(0), x, y}, k.first)
	for r, c := range k.before {
		m := &k.mix
		if r == len(k.before)-1 {
			m = &k.dense
		}
		s = b.fullRound(s, c, m)
	}
	for r, c := range k.partly {
		s = b.partialRound(s, c, &k.sparse[r])
	}
	for _, c := range k.after {
		s = b.fullRound(s, c, &k.mix)
	}
	return b.inner(k.mix[0], b.fifthPowers(s))
}

func (b *builder[E, P]) fullRound(s state[E], c vector[E], m *matrix[E]) state[E] {
	s = b.addConstants(b.fifthPowers(s), c)
	return b.mixed(s, m)
}

func (b *builder[E, P]) partialRound(s state[E], c E, m *matrix[E]) state[E] {
	s[0] = b.linear(b.fifthPower(s[0]), term[E]{0, c})
	return b.mixed(s, m)
}

func (b *builder[E, P]) addConstants(s state[E], c vector[E]) (out state[E]) {
	for i := range s {
		out[i] = b.linear(s[i], term[E]{0, c[i]})
	}
	return out
}

func (b *builder[E, P]) fifthPowers(s state[E]) (out state[E]) {
	for i := range s {
		out[i] = b.fifthPower(s[i])
	}
	return out
}

func (b *builder[E, P]) fifthPower(x term[E]) term[E] {
	square := b.product(sum[E]{x}, sum[E]{x})
	fourth := b.product(sum[E]{square}, sum[E]{square})
	return b.product(sum[E]{fourth}, sum[E]{x})
}

func (b *builder[E, P]) mixed(s state[E], m *matrix[E]) (out state[E]) {
	for i := range m {
		out[i] = b.inner(m[i], s)
	}
	return out
}

// inner returns a wire with the value of row·s.
func (b *builder[E, P]) inner(row vector[E], s state[E]) term[E] {
	var terms state[E]
	for i := range s {
		terms[i] = scaled[E, P](s[i], row[i])
	}
	return b.linear(terms[:]...)
}
