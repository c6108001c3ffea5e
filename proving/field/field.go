// Package field says what the generic code of this module asks of a scalar field element. Both curves' fr.Element of
// gnark-crypto satisfy it, so what is written once serves both.
package field

import "math/big"

// Element is the pointer type of a field element E kept in Montgomery form. As in math/big the receiver is the
// result, and it may be one of the operands.
type Element[E any] interface {
	*E
	Add(x, y *E) *E
	Sub(x, y *E) *E
	Mul(x, y *E) *E
	Square(x *E) *E
	Inverse(x *E) *E
	Exp(x E, k *big.Int) *E
	SetOne() *E
	SetUint64(v uint64) *E
	SetBigInt(v *big.Int) *E
	BigInt(v *big.Int) *big.Int
	IsZero() bool
	Equal(x *E) bool
	Bits() [4]uint64
}
