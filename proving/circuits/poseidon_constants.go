package circuits

import "math/big"

const (
	halfFull      = 4  // full rounds on either side
	partialRounds = 57 // between them
	allRounds     = 2*halfFull + partialRounds
)

// poseidonConstants are Poseidon's constants for t = 3 in the form in which circomlib lays it out:
// constants are added after the S-box, and the matrix of a partial round is sparse.
type poseidonConstants[E any] struct {
	first  vector[E]                // added to the inputs
	before [halfFull]vector[E]      // full rounds: all but the last mix by mix, the last by dense
	partly [partialRounds]E         // partial rounds: added to the first element alone
	after  [halfFull - 1]vector[E]  // full rounds but the last, which adds nothing
	mix    matrix[E]                // the MDS matrix
	dense  matrix[E]                // of the round that leads to the partial ones
	sparse [partialRounds]matrix[E] // the identity but for the first row and column
}

// newPoseidonConstants derives the constants over a field from nothing but its order.
func newPoseidonConstants[E comparable, P scalar[E]]() *poseidonConstants[E] {
	added, mix := drawPoseidon[E, P]()
	k := &poseidonConstants[E]{first: added[0], mix: mix}
	k.sparse, k.dense = sparseMatrices[E, P](mix)
	k.before, k.partly, k.after = foldConstants[E, P](added, mix)
	return k
}

// drawPoseidon draws the constants of the plain permutation, in which every round adds a vector,
// applies the S-box and multiplies by one Cauchy matrix.
func drawPoseidon[E comparable, P scalar[E]]() (added [allRounds]vector[E], mix matrix[E]) {
	p := modulus[E, P]()
	g := newGrain(p.BitLen(), width, 2*halfFull, partialRounds)
	for r := range added {
		for i := range added[r] {
			P(&added[r][i]).SetBigInt(g.below(p))
		}
	}
	return added, cauchy[E, P](g, p)
}

// cauchy returns the matrix 1/(x_i + y_j) of the generator's next numbers.
func cauchy[E comparable, P scalar[E]](g *grain, p *big.Int) (m matrix[E]) {
	var x, y vector[E]
	for _, v := range []*vector[E]{&x, &y} {
		for i := range v {
			P(&v[i]).SetBigInt(g.draw(p.BitLen()))
		}
	}
	for i := range m {
		for j := range m[i] {
			P(&m[i][j]).Add(&x[i], &y[j])
			P(&m[i][j]).Inverse(&m[i][j])
		}
	}
	return m
}

// sparseMatrices writes each partial round's matrix as S·A with S sparse and A leaving the first
// element alone. A then commutes with the S-box before it and joins the matrix of the round before.
func sparseMatrices[E comparable, P scalar[E]](mix matrix[E]) (sparse [partialRounds]matrix[E], dense matrix[E]) {
	dense = mix
	for r := partialRounds - 1; r >= 0; r-- {
		var rest matrix[E]
		sparse[r], rest = split[E, P](dense)
		dense = multiply[E, P](rest, mix)
	}
	return sparse, dense
}

// split returns S and A with m = S·A as above: A is m's lower right block, S has m's first column.
func split[E comparable, P scalar[E]](m matrix[E]) (s, a matrix[E]) {
	a = m
	a[0] = identity[E, P]()[0]
	for i := 1; i < width; i++ {
		a[i][0] = constant[E, P](0)
	}
	return multiply[E, P](m, invert[E, P](a)), a
}

// foldConstants moves each round's constants to behind the S-box of the round before and, in partial
// rounds, what does not meet the S-box further back, so that one number a partial round remains.
func foldConstants[E comparable, P scalar[E]](added [allRounds]vector[E], mix matrix[E]) (
	before [halfFull]vector[E], partly [partialRounds]E, after [halfFull - 1]vector[E],
) {
	back := invert[E, P](mix)
	var behind [allRounds - 1]vector[E]
	for r := range behind {
		behind[r] = apply[E, P](back, added[r+1])
	}
	for r := partialRounds - 1; r >= 0; r-- {
		rest := behind[halfFull+r]
		partly[r], rest[0] = rest[0], constant[E, P](0)
		behind[halfFull+r-1] = plus[E, P](behind[halfFull+r-1], apply[E, P](back, rest))
	}
	copy(before[:], behind[:halfFull])
	copy(after[:], behind[halfFull+partialRounds:])
	return before, partly, after
}
