package circuits

import "math/big"

// scalar is what the generators use of gnark-crypto's fr.Element, of whichever curve. Elements are
// in Montgomery form; Bits returns the canonical value as little-endian words.
type scalar[E comparable] interface {
	*E
	Add(x, y *E) *E
	Sub(x, y *E) *E
	Mul(x, y *E) *E
	Inverse(x *E) *E
	SetInt64(v int64) *E
	SetBigInt(v *big.Int) *E
	Bits() [4]uint64
}

// modulus returns the order of the field: one more than the canonical value of -1.
func modulus[E comparable, P scalar[E]]() *big.Int {
	last := constant[E, P](-1)
	p := new(big.Int)
	for _, word := range reversed(P(&last).Bits()) {
		p.Lsh(p, 64).Or(p, new(big.Int).SetUint64(word))
	}
	return p.Add(p, big.NewInt(1))
}

func reversed(w [4]uint64) [4]uint64 { return [4]uint64{w[3], w[2], w[1], w[0]} }

func constant[E comparable, P scalar[E]](v int64) E {
	var e E
	P(&e).SetInt64(v)
	return e
}
