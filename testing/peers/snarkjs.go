package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/big"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/backend/witness"
)

// number is a decimal string, as snarkjs writes every number.
type number struct{ big.Int }

func (n *number) UnmarshalJSON(text []byte) error {
	if len(text) < 2 || text[0] != '"' {
		return fmt.Errorf("%.40s is not a decimal string", text)
	}
	if _, ok := n.SetString(string(text[1:len(text)-1]), 10); !ok || n.Sign() < 0 {
		return fmt.Errorf("%.40s is not a decimal string", text)
	}
	return nil
}

// Points in projective coordinates with z = 1; in G2 the coefficient of 1 comes first.
type (
	g1 [3]number
	g2 [3][2]number
)

type snarkjsKey struct {
	Curve string `json:"curve"`
	Alpha g1     `json:"vk_alpha_1"`
	Beta  g2     `json:"vk_beta_2"`
	Gamma g2     `json:"vk_gamma_2"`
	Delta g2     `json:"vk_delta_2"`
	IC    []g1   `json:"IC"`
}

type snarkjsProof struct {
	A g1 `json:"pi_a"`
	B g2 `json:"pi_b"`
	C g1 `json:"pi_c"`
}

// curve is what the encoding of points depends on.
type curve struct {
	id         ecc.ID
	coordinate int // bytes of an element of the base field
}

func curveNamed(name string) (curve, error) {
	switch name {
	case "bn128", "bn254":
		return curve{ecc.BN254, 32}, nil
	case "bls12381", "bls12_381":
		return curve{ecc.BLS12_381, 48}, nil
	}
	return curve{}, fmt.Errorf("curve %q is neither bn128 nor bls12381", name)
}

// encoder writes gnark's binary form, uncompressed: its decoder then checks curve and subgroup.
type encoder struct {
	bytes.Buffer
	curve curve
}

func (e *encoder) coordinate(n *number) {
	value, limit := &n.Int, e.curve.id.BaseField()
	if value.Cmp(limit) > 0 {
		value = limit // out of range all the same, which the decoder refuses, and it fits
	}
	e.Write(value.FillBytes(make([]byte, e.curve.coordinate)))
}

func (e *encoder) g1(p g1) {
	e.coordinate(&p[0])
	e.coordinate(&p[1])
}

func (e *encoder) g2(p g2) {
	for _, n := range []*number{&p[0][1], &p[0][0], &p[1][1], &p[1][0]} {
		e.coordinate(n)
	}
}

func (e *encoder) count(n int) { binary.Write(e, binary.BigEndian, uint32(n)) }

// encoded is the key as gnark reads it. In place of the points of G1 that only provers use, which
// snarkjs leaves out, stands another.
func (k *snarkjsKey) encoded(c curve) io.Reader {
	e := &encoder{curve: c}
	e.g1(k.Alpha)
	e.g1(k.Alpha) // β
	e.g2(k.Beta)
	e.g2(k.Gamma)
	e.g1(k.Alpha) // δ
	e.g2(k.Delta)
	e.count(len(k.IC))
	for _, p := range k.IC {
		e.g1(p)
	}
	e.count(0) // commitments to public wires
	e.count(0) // their keys
	return e
}

// encoded is the proof as gnark reads it: no commitments, and any point as the proof of them.
func (p *snarkjsProof) encoded(c curve) io.Reader {
	e := &encoder{curve: c}
	e.g1(p.A)
	e.g2(p.B)
	e.g1(p.C)
	e.count(0)
	e.g1(p.A)
	return e
}

// publicWitness refuses signals that are not canonical: gnark would reduce them.
func publicWitness(id ecc.ID, signals []number) (witness.Witness, error) {
	values := make(chan any, len(signals))
	for i := range signals {
		if signals[i].Cmp(id.ScalarField()) >= 0 {
			return nil, fmt.Errorf("signal %d is not below the field's order", i)
		}
		values <- signals[i].Int
	}
	close(values)
	w, err := witness.New(id.ScalarField())
	if err != nil {
		return nil, err
	}
	return w, w.Fill(len(signals), 0, values)
}
