package snarkjson

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/proofgraph/proofgraph/proving/groth16"
	"github.com/proofgraph/proofgraph/proving/pairing"
)

// SolidityCalldata is what `snarkjs zkey export soliditycalldata` prints, without its newline: the arguments of the
// verifier contract's verifyProof, extension elements with the imaginary part first.
func SolidityCalldata(p *groth16.Proof, public []*big.Int) (string, error) {
	suite, err := pairing.Of(p.Curve)
	if err != nil {
		return "", err
	}
	a, b, c := suite.Coordinates(p.A), suite.Coordinates(p.B), suite.Coordinates(p.C)
	inputs := make([]string, len(public))
	for i, n := range public {
		inputs[i] = word(n)
	}
	return fmt.Sprintf("%s,[%s,%s],%s,[%s]", pair(a[0], a[1]), pair(b[1], b[0]), pair(b[3], b[2]), pair(c[0], c[1]),
		strings.Join(inputs, ",")), nil
}

func pair(x, y *big.Int) string { return "[" + word(x) + ", " + word(y) + "]" }

// word is a number in at least 64 hexadecimal digits, quoted.
func word(n *big.Int) string { return fmt.Sprintf(`"0x%064x"`, n) }
