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
// on each row; after evaluate it computes each wire from those before it.
//
// Outputs must be laid out first, then inputs: the iden3 formats want them on the lowest wires.
type builder[E any, P scalar[E]] struct {
	size   Size
	emit   func(a, b, c sum[E])
	values []E
	random *rand.Rand
}

func newBuilder[E any, P scalar[E]]() *builder[E, P] {
	return &builder[E, P]{size: Size{Wires: 1}}
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
	return term[E]{w, constant[E, P](1)}
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
		P(&b.values[t.wire]).SetBigInt(b.draw())
	}
	return t
}

// inputBit lays out a private input, a random bit constrained to be one.
func (b *builder[E, P]) inputBit() term[E] {
	b.size.Inputs++
	t := b.wire()
	if b.evaluating() {
		b.values[t.wire] = constant[E, P](b.random.Int64N(2))
	}
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
	x, y, z = normal[E, P](x), normal[E, P](y), normal[E, P](z)
	b.size.Constraints++
	b.size.terms += len(x) + len(y) + len(z)
	if b.emit != nil {
		b.emit(x, y, z)
	}
}

// product returns a new wire with the value x·y + rest, constrained by x·y = wire - rest.
func (b *builder[E, P]) product(x, y sum[E], rest ...term[E]) term[E] {
	w := b.wire()
	if b.evaluating() {
		vx, vy, v := b.value(x), b.value(y), &b.values[w.wire]
		P(v).Mul(&vx, &vy)
		vr := b.value(rest)
		P(v).Add(v, &vr)
	}
	b.row(x, y, append(b.negated(rest), w))
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
	b.row(nil, nil, append(slices.Clone(s), b.times(w, -1)))
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
		v := b.value(s)
		value = P(&v).Bits()[0]
	}
	whole := b.negated(s)
	for i := range out {
		out[i] = b.wire()
		if b.evaluating() {
			b.values[out[i].wire] = constant[E, P](int64(value >> i & 1))
		}
		b.boolean(out[i])
		whole = append(whole, b.times(out[i], 1<<i))
	}
	b.row(nil, nil, whole)
	return out
}

func (b *builder[E, P]) constant(v int64) term[E] { return term[E]{0, constant[E, P](v)} }

func (b *builder[E, P]) times(t term[E], k int64) term[E] {
	return scaled[E, P](t, constant[E, P](k))
}

func scaled[E any, P scalar[E]](t term[E], k E) term[E] {
	P(&t.coeff).Mul(&t.coeff, &k)
	return t
}

func (b *builder[E, P]) negated(s sum[E]) sum[E] {
	out := make(sum[E], len(s), len(s)+34)
	for i, t := range s {
		out[i] = b.times(t, -1)
	}
	return out
}

func (b *builder[E, P]) value(s sum[E]) E {
	var total, part E
	for i := range s {
		P(&part).Mul(&s[i].coeff, &b.values[s[i].wire])
		P(&total).Add(&total, &part)
	}
	return total
}

// normal returns s ordered by wire, each wire once, without zeros.
func normal[E any, P scalar[E]](s sum[E]) sum[E] {
	sorted := slices.Clone(s)
	slices.SortStableFunc(sorted, func(x, y term[E]) int { return int(x.wire) - int(y.wire) })
	out := sorted[:0]
	for _, t := range sorted {
		if last := len(out) - 1; last >= 0 && out[last].wire == t.wire {
			P(&out[last].coeff).Add(&out[last].coeff, &t.coeff)
			continue
		}
		out = append(out, t)
	}
	return slices.DeleteFunc(out, func(t term[E]) bool { return P(&t.coeff).IsZero() })
}
