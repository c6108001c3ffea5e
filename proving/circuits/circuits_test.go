package circuits

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"math/big"
	"slices"
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var curves = []ecc.ID{ecc.BN254, ecc.BLS12_381}

// smallest is a target for each family that is quick to check.
var smallest = map[Kind]int{Poseidon: 1100, SHA256: 1 << 16, Product: 1 << 10}

func everySpec() (specs []Spec) {
	for _, kind := range Kinds() {
		for _, curve := range curves {
			specs = append(specs, Spec{kind, curve, smallest[kind]})
		}
	}
	return specs
}

func TestWitnessSatisfiesConstraints(t *testing.T) {
	for _, s := range everySpec() {
		t.Run(s.testName(), func(t *testing.T) {
			c, witness := written(t, s, 7)
			size, err := s.Size()
			require.NoError(t, err)
			assert.Equal(t, s.Curve.ScalarField(), c.prime)
			assert.Len(t, c.rows, size.Constraints)
			assert.Equal(t, []int{size.Wires, size.Outputs, 0, size.Inputs}, []int{c.wires, c.outputs, c.public, c.inputs})
			assert.Equal(t, -1, c.violated(witness))
		})
	}
}

// A wire that no row holds in place would let a wrong witness pass.
func TestEveryWireIsConstrained(t *testing.T) {
	for _, kind := range Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			c, witness := written(t, Spec{kind, ecc.BN254, smallest[kind]}, 3)
			rowsOf := make([][]parsedRow, c.wires)
			for _, row := range c.rows {
				for _, side := range row {
					for _, term := range side {
						rowsOf[term.wire] = append(rowsOf[term.wire], row)
					}
				}
			}
			for wire := 1; wire < c.wires; wire += 1 + c.wires/5000 {
				right := witness[wire]
				witness[wire] = new(big.Int).Add(right, big.NewInt(1))
				near := parsedR1CS{prime: c.prime, rows: rowsOf[wire]}
				free := wire > c.outputs && wire <= c.outputs+c.inputs && kind != SHA256
				assert.True(t, free || near.violated(witness) >= 0, "wire %d", wire)
				witness[wire] = right
			}
		})
	}
}

func TestSHA256AgreesWithTheStandardLibrary(t *testing.T) {
	for _, curve := range curves {
		for seed := range uint64(3) {
			s := Spec{SHA256, curve, 1 << 16}
			var file bytes.Buffer
			require.NoError(t, s.WriteWitness(&file, seed))
			_, witness := parseWitness(t, file.Bytes())
			digest := sha256.Sum256(messageOf(t, s, witness))
			assert.Equal(t, new(big.Int).SetBytes(digest[:16]), witness[1])
			assert.Equal(t, new(big.Int).SetBytes(digest[16:]), witness[2])
		}
	}
}

// messageOf reads the message from a witness's input wires.
func messageOf(t *testing.T, s Spec, witness []*big.Int) []byte {
	size, err := s.Size()
	require.NoError(t, err)
	require.Equal(t, 2, size.Units)
	message := make([]byte, size.Inputs/8)
	for i, bit := range witness[1+size.Outputs:][:size.Inputs] {
		require.LessOrEqual(t, bit.BitLen(), 1)
		message[i/8] |= byte(bit.Uint64() << (7 - i%8))
	}
	return message
}

func TestProductChainAgreesWithItsRecurrence(t *testing.T) {
	s := Spec{Product, ecc.BLS12_381, 1000}
	c, witness := written(t, s, 11)
	x, b := new(big.Int).Set(witness[2]), witness[3]
	for i := range len(c.rows) - 1 {
		left, right := new(big.Int).Add(x, b), new(big.Int).Add(x, big.NewInt(int64(i)+1))
		x.Mul(left, right).Mod(x, c.prime)
	}
	assert.Equal(t, x, witness[1])
}

func TestSizeFillsTheDomainFromBelow(t *testing.T) {
	for name, tc := range map[string]struct {
		kind   Kind
		target int
		units  int
	}{
		"poseidon 2^10": {Poseidon, 1 << 10, 1},
		"poseidon 2^16": {Poseidon, 1 << 16, 126},
		"poseidon 2^18": {Poseidon, 1 << 18, 507},
		"poseidon 2^20": {Poseidon, 1 << 20, 2028},
		"sha256 2^15":   {SHA256, 1 << 15, 1},
		"sha256 2^18":   {SHA256, 1 << 18, 8},
		"sha256 2^20":   {SHA256, 1 << 20, 33},
		"mul 2^10":      {Product, 1 << 10, 1<<10 - 3},
		"mul 2^20":      {Product, 1 << 20, 1<<20 - 3},
	} {
		t.Run(name, func(t *testing.T) {
			size, err := Spec{tc.kind, ecc.BN254, tc.target}.Size()
			require.NoError(t, err)
			assert.Equal(t, tc.units, size.Units)
			assert.LessOrEqual(t, size.Constraints+size.Outputs+1, tc.target)
		})
	}
}

func TestSpecsThatNameNoCircuit(t *testing.T) {
	for name, s := range map[string]Spec{
		"unknown kind":    {"keccak", ecc.BN254, 1 << 16},
		"unknown curve":   {Product, ecc.BW6_761, 1 << 16},
		"nothing":         {Product, ecc.BN254, 0},
		"negative":        {Product, ecc.BN254, -5},
		"too large":       {Product, ecc.BN254, MaxConstraints + 1},
		"too small a sha": {SHA256, ecc.BN254, 1 << 10},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := s.Size()
			require.ErrorIs(t, err, ErrSpec)
			require.ErrorIs(t, s.WriteR1CS(io.Discard), ErrSpec)
			require.ErrorIs(t, s.WriteWitness(io.Discard, 1), ErrSpec)
		})
	}
}

func TestSameSeedSameWitness(t *testing.T) {
	s := Spec{Poseidon, ecc.BN254, 1 << 10}
	var files [3]bytes.Buffer
	for i, seed := range []uint64{1, 1, 2} {
		require.NoError(t, s.WriteWitness(&files[i], seed))
	}
	assert.True(t, slices.Equal(files[0].Bytes(), files[1].Bytes()))
	assert.False(t, slices.Equal(files[0].Bytes(), files[2].Bytes()))
}

// failing takes n bytes and then fails.
type failing struct{ n int }

var errFull = errors.New("full")

func (f *failing) Write(b []byte) (int, error) {
	if f.n -= len(b); f.n < 0 {
		return 0, errFull
	}
	return len(b), nil
}

func TestWriteErrorsAreReturned(t *testing.T) {
	s := Spec{Product, ecc.BN254, 1 << 12}
	for _, n := range []int{0, 1 << 16, 1<<16 + 1} {
		require.ErrorIs(t, s.WriteR1CS(&failing{n}), errFull)
		require.ErrorIs(t, s.WriteWitness(&failing{n}, 1), errFull)
	}
}
