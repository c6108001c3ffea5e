package circuits

import (
	"math/big"
	"testing"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	bn254 "github.com/consensys/gnark-crypto/ecc/bn254/fr"
	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// hashed runs the circuit's Poseidon(2) on two values and returns the digest.
func hashed[E comparable, P scalar[E]](k *poseidonConstants[E], x, y E) *big.Int {
	b := newBuilder[E, P]()
	b.evaluate(1000, 0)
	in := [2]term[E]{b.wire(), b.wire()}
	b.values[1], b.values[2] = x, y
	return canonical[E, P](b.values[poseidon2(b, k, in[0], in[1]).wire])
}

func canonical[E comparable, P scalar[E]](e E) *big.Int {
	v := new(big.Int)
	for _, word := range reversed(P(&e).Bits()) {
		v.Lsh(v, 64).Or(v, new(big.Int).SetUint64(word))
	}
	return v
}

// The vectors that Poseidon's authors publish for the permutation of (0, 1, 2), poseidonperm_x5_254_3
// and poseidonperm_x5_255_3; the first is also circomlib's poseidon([1, 2]).
func TestPoseidonPublishedVectors(t *testing.T) {
	bn := hashed(newPoseidonConstants[bn254.Element](), constant[bn254.Element](1), constant[bn254.Element](2))
	assert.Equal(t, "7853200120776062878684798364095072458815029376092732009249414926327459813530", bn.String())

	bls := hashed(newPoseidonConstants[bls12381.Element](), constant[bls12381.Element](1), constant[bls12381.Element](2))
	assert.Equal(t, "28ce19420fc246a05553ad1e8c98f5c9d67166be2c18e9e4cb4b4e317dd2a78a", bls.Text(16))
}

// fifth returns x^5.
func fifth[E comparable, P scalar[E]](x E) E {
	var y E
	P(&y).Mul(&x, &x)
	P(&y).Mul(&y, &y)
	P(&y).Mul(&y, &x)
	return y
}

// plain is the permutation as the paper states it, on the constants as they are drawn.
func plain[E comparable, P scalar[E]](added [allRounds]vector[E], mix matrix[E], s vector[E]) vector[E] {
	for r := range added {
		s = plus[E, P](s, added[r])
		for i := range s {
			if i == 0 || r < halfFull || r >= halfFull+partialRounds {
				s[i] = fifth[E, P](s[i])
			}
		}
		s = apply[E, P](mix, s)
	}
	return s
}

func TestFoldedConstantsKeepThePermutation(t *testing.T) {
	added, mix := drawPoseidon[bls12381.Element]()
	k := newPoseidonConstants[bls12381.Element]()
	rapid.Check(t, func(t *rapid.T) {
		var x, y bls12381.Element
		x.SetBytes(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "x"))
		y.SetBytes(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "y"))
		want := plain(added, mix, vector[bls12381.Element]{{}, x, y})
		assert.Equal(t, canonical(want[0]), hashed(k, x, y))
	})
}

func TestInverseOfMatrix(t *testing.T) {
	_, mix := drawPoseidon[bn254.Element]()
	assert.Equal(t, identity[bn254.Element](), multiply(mix, invert(mix)))
	assert.Equal(t, identity[bn254.Element](), multiply(invert(mix), mix))
}
