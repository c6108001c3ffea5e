package gnark

import (
	"math/big"

	"github.com/proofgraph/proofgraph/proving/curve"
)

// power512 is 2^512 mod r, the square of the Montgomery radix.
func power512(id curve.ID) *big.Int {
	n := new(big.Int).Lsh(big.NewInt(1), 512)
	return n.Mod(n, id.ScalarModulus())
}
