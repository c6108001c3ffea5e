package main

import (
	"errors"
	"fmt"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/backend/witness"
	"github.com/consensys/gnark/constraint"
	bls12381 "github.com/consensys/gnark/constraint/bls12-381"
	bn254 "github.com/consensys/gnark/constraint/bn254"
)

// system is gnark's constraint system over a 4-word field.
type system = constraint.R1CS[constraint.U64]

// readR1CS makes gnark's constraint system of an .r1cs file, constraint by constraint. Every wire is
// an input of it, since a .wtns file gives them all: gnark has nothing left to solve, only to check.
func readR1CS(path string) (system, ecc.ID, error) {
	f, err := openIden3(path, "r1cs", 1)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	head, err := f.section(1)
	if err != nil {
		return nil, 0, err
	}
	id, err := head.curve()
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", path, err)
	}
	wires, public := head.u32(), head.u32()+head.u32()
	head.u32() // private inputs
	head.u64() // labels
	n := head.u32()
	rows, err := f.section(2)
	if err := errors.Join(head.err, err); err != nil {
		return nil, 0, fmt.Errorf("%s: %w", path, err)
	}
	cs := newSystem(id, n)
	declare(cs, wires, public)
	return cs, id, rows.constraints(cs, n)
}

func newSystem(id ecc.ID, constraints int) system {
	if id == ecc.BN254 {
		return bn254.NewR1CS(constraints)
	}
	return bls12381.NewR1CS(constraints)
}

// declare gives each wire its number of the file: the constant, public signals, all others.
func declare(cs system, wires, public int) {
	for range 1 + public {
		cs.AddPublicVariable("")
	}
	for range wires - 1 - public {
		cs.AddSecretVariable("")
	}
}

func (s *fields) constraints(cs system, n int) error {
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

func (s *fields) sum(cs system) constraint.LinearExpression {
	var terms constraint.LinearExpression
	for n := s.u32(); n > 0 && s.err == nil; n-- {
		wire := s.u32()
		terms = append(terms, cs.MakeTerm(cs.FromInterface(s.element()), wire))
	}
	return terms
}

// readWitness reads the values of all wires of a system with so many public signals.
func readWitness(path string, public int) (witness.Witness, error) {
	f, err := openIden3(path, "wtns", 2)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head, err := f.section(1)
	if err != nil {
		return nil, err
	}
	id, err := head.curve()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	wires := head.u32()
	values, err := f.section(2)
	if err := errors.Join(head.err, err); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	w, err := witness.New(id.ScalarField())
	if err != nil {
		return nil, err
	}
	values.element() // the constant, which gnark's witness leaves out
	if err := w.Fill(public, wires-1-public, values.stream(wires-1)); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return w, values.err
}

// stream sends n elements. The receiver takes them all.
func (s *fields) stream(n int) <-chan any {
	out := make(chan any, 1024)
	go func() {
		defer close(out)
		for range n {
			out <- s.element()
		}
	}()
	return out
}
