package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"slices"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/backend/witness"
	"github.com/consensys/gnark/constraint"
	bls12381 "github.com/consensys/gnark/constraint/bls12-381"
	bn254 "github.com/consensys/gnark/constraint/bn254"
)

// elementBytes is the width of an element of either scalar field on file.
const elementBytes = 32

// sections reads an iden3 binary file whose sections are in the order of their numbers, as circom,
// snarkjs and proofgraph write them. Its first error stays in err and makes all further reads zero.
type sections struct {
	r   *bufio.Reader
	err error
	buf [elementBytes]byte
}

func (s *sections) take(n int) []byte {
	if s.err == nil {
		_, s.err = io.ReadFull(s.r, s.buf[:n])
	}
	if s.err != nil {
		clear(s.buf[:])
	}
	return s.buf[:n]
}

func (s *sections) u32() int { return int(binary.LittleEndian.Uint32(s.take(4))) }
func (s *sections) u64() int { return int(binary.LittleEndian.Uint64(s.take(8))) }

// element reads a canonical little-endian number.
func (s *sections) element() *big.Int {
	b := s.take(elementBytes)
	slices.Reverse(b)
	return new(big.Int).SetBytes(b)
}

func (s *sections) expect(what string, want int, got int) {
	if s.err == nil && got != want {
		s.err = fmt.Errorf("%s is %d, not %d", what, got, want)
	}
}

// open reads the head of a file and of its first section, up to the prime.
func (s *sections) open(magic string, version int) (ecc.ID, error) {
	if got := string(s.take(4)); got != magic {
		return 0, fmt.Errorf("it begins with %q, not %q", got, magic)
	}
	s.expect("version", version, s.u32())
	s.u32() // number of sections
	s.section(1)
	s.expect("width of an element", elementBytes, s.u32())
	prime := s.element()
	for _, id := range []ecc.ID{ecc.BN254, ecc.BLS12_381} {
		if prime.Cmp(id.ScalarField()) == 0 {
			return id, s.err
		}
	}
	return 0, errors.Join(s.err, errors.New("its prime is neither BN254's nor BLS12-381's"))
}

func (s *sections) section(kind int) {
	s.expect("section", kind, s.u32())
	s.u64() // its size follows from its contents
}

func readFile(path string, read func(*sections) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	s := &sections{r: bufio.NewReaderSize(f, 1<<20)}
	if err := errors.Join(read(s), s.err); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// readR1CS makes gnark's constraint system of an .r1cs file, constraint by constraint. Every wire is
// an input of it, since a .wtns file gives them all: gnark has nothing left to solve, only to check.
func readR1CS(path string) (cs constraint.ConstraintSystem, id ecc.ID, err error) {
	err = readFile(path, func(s *sections) error {
		if id, err = s.open("r1cs", 1); err != nil {
			return err
		}
		wires, public := s.u32(), s.u32()+s.u32()
		s.u32() // private inputs
		s.u64() // labels
		constraints := s.u32()
		if s.err != nil {
			return s.err
		}
		system := newSystem(id, constraints)
		declare(system, wires, public)
		s.section(2)
		cs = system
		return s.constraints(system, constraints)
	})
	return cs, id, err
}

func newSystem(id ecc.ID, constraints int) constraint.R1CS[constraint.U64] {
	if id == ecc.BN254 {
		return bn254.NewR1CS(constraints)
	}
	return bls12381.NewR1CS(constraints)
}

// declare gives each wire its number of the file: the constant, public signals, all others.
func declare(cs constraint.ConstraintSystem, wires, public int) {
	for range 1 + public {
		cs.AddPublicVariable("")
	}
	for range wires - 1 - public {
		cs.AddSecretVariable("")
	}
}

func (s *sections) constraints(cs constraint.R1CS[constraint.U64], n int) error {
	blueprint := cs.AddBlueprint(&constraint.BlueprintGenericR1C{})
	for range n {
		row := constraint.R1C{L: s.sum(cs), R: s.sum(cs), O: s.sum(cs)}
		if s.err != nil {
			return s.err
		}
		cs.AddR1C(row, blueprint)
	}
	return nil
}

func (s *sections) sum(cs constraint.R1CS[constraint.U64]) constraint.LinearExpression {
	var terms constraint.LinearExpression
	for n := s.u32(); n > 0 && s.err == nil; n-- {
		wire := s.u32()
		terms = append(terms, cs.MakeTerm(cs.FromInterface(s.element()), wire))
	}
	return terms
}

// readWitness reads the values of all wires of a system with so many public signals.
func readWitness(path string, public int) (w witness.Witness, err error) {
	err = readFile(path, func(s *sections) error {
		id, err := s.open("wtns", 2)
		if err != nil {
			return err
		}
		wires := s.u32()
		s.section(2)
		s.expect("wire 0", 1, int(s.element().Int64()))
		if w, err = witness.New(id.ScalarField()); err != nil {
			return err
		}
		return w.Fill(public, wires-1-public, s.values(wires-1))
	})
	return w, err
}

func (s *sections) values(n int) <-chan any {
	out := make(chan any, 1024)
	go func() {
		defer close(out)
		for range n {
			out <- s.element()
		}
	}()
	return out
}
