package circuits

import (
	"math/big"
	"math/rand/v2"
	"slices"
)

// term is a wire times a coefficient. Wire 0 is the constant one, so a term of wire 0 is a constant.
type term[E any] struct {
	wire  uint32
	coeff E
}

// sum is a linear combination of wires.
type sum[E any] []term[E]

// builder lays out rows a·b = c and the wires in them. Left alone it only counts; with emit it hands
// on each row, whose sums are the builder's again after the call; after evaluate it computes each
// wire from those before it.
//
// Outputs must be laid out first, then inputs: the iden3 formats want them on the lowest wires.
type builder[E comparable, P scalar[E]] struct {
	size   Size
	emit   func(a, b, c sum[E])
	values []E
	random *rand.Rand

	weights     map[int64]E // Montgomery forms of the small numbers that programs multiply by
	ordered     [3]sum[E]   // the row under way
	total, part E           // of value
}

func newBuilder[E comparable, P scalar[E]]() *builder[E, P] {
	return &builder[E, P]{size: Size{Wires: 1}, weights: map[int64]E{}}
}

// evaluate makes the builder compute the values of so many wires, its inputs drawn from seed.
func (b *builder[E, P]) evaluate(wires int, seed uint64) {
	b.values = make([]E, wires)
	b.values[0] = constant[E, P](1)
	b.random = rand.New(rand.NewPCG(seed, 0x70726f6f66))
}

func (b *builder[E, P]) evaluating() bool { return b.values != nil }

// wire lays out a new wire.
func (b *builder[E, P]) wire() term[E] {
	w := uint32(b.size.Wires)
	b.size.Wires++
	return term[E]{w, b.weight(1)}
}

// output lays out a public signal; equate gives it its value.
func (b *builder[E, P]) output() term[E] {
	b.size.Outputs++
	return b.wire()
}

// input lays out a private input, a random element of the field.
func (b *builder[E, P]) input() term[E] {
	b.size.Inputs++
	t := b.wire()
	if b.evaluating() {
		P(&b.values[t.wire]).SetBigInt(b.draw()) // reduces
	}
	return t
}

// inputBit lays out a private input that is zero or one, at random, and constrained so.
func (b *builder[E, P]) inputBit() term[E] {
	b.size.Inputs++
	t := b.wire()
	if b.evaluating() {
		b.values[t.wire] = b.weight(b.random.Int64N(2))
	}
	b.boolean(t)
	return t
}

func (b *builder[E, P]) draw() *big.Int {
	v := new(big.Int)
	for range 4 {
		v.Lsh(v, 64).Or(v, new(big.Int).SetUint64(b.random.Uint64()))
	}
	return v
}

// row adds the constraint x·y = z.
func (b *builder[E, P]) row(x, y, z sum[E]) {
	b.size.Constraints++
	for i, side := range [...]sum[E]{x, y, z} {
		b.ordered[i] = normalize[E, P](append(b.ordered[i][:0], side...))
		b.size.terms += len(b.ordered[i])
	}
	if b.emit != nil {
		b.emit(b.ordered[0], b.ordered[1], b.ordered[2])
	}
}

// product returns a new wire with the value x·y + rest, constrained by x·y = wire - rest.
func (b *builder[E, P]) product(x, y sum[E], rest ...term[E]) term[E] {
	w := b.wire()
	if b.evaluating() {
		v := &b.values[w.wire]
		*v = b.value(x)
		b.value(y)
		P(v).Mul(v, &b.total)
		b.value(rest)
		P(v).Add(v, &b.total)
	}
	z := make(sum[E], 0, 4)
	for _, t := range rest {
		z = append(z, b.times(t, -1))
	}
	b.row(x, y, append(z, w))
	return w
}

// linear returns a new wire with the value of s, constrained by 0·0 = s - wire.
func (b *builder[E, P]) linear(s ...term[E]) term[E] {
	w := b.wire()
	b.equate(w, s...)
	return w
}

// equate gives a wire the value of s and constrains it so.
func (b *builder[E, P]) equate(w term[E], s ...term[E]) {
	if b.evaluating() {
		b.values[w.wire] = b.value(s)
	}
	b.row(nil, nil, append(s, b.times(w, -1)))
}

// boolean constrains a bit t by t·(t-1) = 0.
func (b *builder[E, P]) boolean(t term[E]) {
	b.row(sum[E]{t}, sum[E]{t, b.constant(-1)}, nil)
}

// bits returns n new wires, constrained to be the bits of s, least first; s must be below 2^n.
func (b *builder[E, P]) bits(s sum[E], n int) []term[E] {
	out := make([]term[E], n)
	var value uint64
	if b.evaluating() {
		b.value(s)
		value = P(&b.total).Bits()[0]
	}
	for i := range out {
		out[i] = b.wire()
		if b.evaluating() {
			b.values[out[i].wire] = b.weight(int64(value >> i & 1))
		}
		b.boolean(out[i])
		s = append(s, b.times(out[i], -1<<i))
	}
	b.row(nil, nil, s)
	return out
}

func (b *builder[E, P]) constant(v int64) term[E] { return term[E]{0, constant[E, P](v)} }

// times returns t·k for a small k out of few.
func (b *builder[E, P]) times(t term[E], k int64) term[E] {
	if t.coeff == b.weight(1) {
		return term[E]{t.wire, b.weight(k)}
	}
	return scaled[E, P](t, b.weight(k))
}

func (b *builder[E, P]) weight(k int64) E {
	w, known := b.weights[k]
	if !known {
		w = constant[E, P](k)
		b.weights[k] = w
	}
	return w
}

func scaled[E comparable, P scalar[E]](t term[E], k E) term[E] {
	P(&t.coeff).Mul(&t.coeff, &k)
	return t
}

// value returns what s comes to, and leaves it in b.total.
func (b *builder[E, P]) value(s sum[E]) E {
	var zero E
	b.total = zero
	for i := range s {
		P(&b.part).Mul(&s[i].coeff, &b.values[s[i].wire])
		P(&b.total).Add(&b.total, &b.part)
	}
	return b.total
}

// normalize orders s by wire, in place, and leaves each wire once and no zeros.
func normalize[E comparable, P scalar[E]](s sum[E]) sum[E] {
	slices.SortFunc(s, func(x, y term[E]) int { return int(x.wire) - int(y.wire) })
	out := s[:0]
	for i := range s {
		if last := len(out) - 1; last >= 0 && out[last].wire == s[i].wire {
			P(&out[last].coeff).Add(&out[last].coeff, &s[i].coeff)
			continue
		}
		out = append(out, s[i])
	}
	var zero E
	return slices.DeleteFunc(out, func(t term[E]) bool { return t.coeff == zero })
}
