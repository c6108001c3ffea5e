package circuits_test

import (
	"bytes"
	"fmt"

	"github.com/consensys/gnark-crypto/ecc"

	"github.com/proofgraph/proofgraph/proving/circuits"
)

// A circuit that fills a domain of 2^16, and one witness of it.
func ExampleSpec() {
	spec := circuits.Spec{Kind: circuits.Poseidon, Curve: ecc.BN254, Constraints: 1 << 16}
	size, err := spec.Size()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d hashes, %d constraints, %d wires\n", size.Units, size.Constraints, size.Wires)

	var constraints, witness bytes.Buffer
	if err := spec.WriteR1CS(&constraints); err != nil {
		fmt.Println(err)
	}
	if err := spec.WriteWitness(&witness, 1); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%s file of %d bytes, %s file of %d bytes\n",
		constraints.Bytes()[:4], constraints.Len(), witness.Bytes()[:4], witness.Len())
	// Output:
	// 126 hashes, 65143 constraints, 65146 wires
	// r1cs file of 8692212 bytes, wtns file of 2084748 bytes
}
