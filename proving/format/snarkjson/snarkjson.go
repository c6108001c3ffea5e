// Package snarkjson reads and writes proofs, public inputs and verifying keys as snarkjs does: proof.json, public.json,
// verification_key.json and the calldata of its Solidity verifier. Numbers are decimal strings, points are projective
// with a third coordinate of one. What is written is byte for byte what snarkjs writes.
//
// Readers check every number for range and every point for curve and subgroup.
package snarkjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/groth16"
)

// ErrMalformed is wrapped by every complaint about a document.
var ErrMalformed = errors.New("malformed JSON document")

const protocol = "groth16"

type (
	fq      string
	fq2     [2]fq
	g1Point [3]fq
	g2Point [3]fq2
	fq12    [2][3]fq2
)

type proofDocument struct {
	A        g1Point `json:"pi_a"`
	B        g2Point `json:"pi_b"`
	C        g1Point `json:"pi_c"`
	Protocol string  `json:"protocol"`
	Curve    string  `json:"curve"`
}

type keyDocument struct {
	Protocol  string    `json:"protocol"`
	Curve     string    `json:"curve"`
	NPublic   int       `json:"nPublic"`
	Alpha1    g1Point   `json:"vk_alpha_1"`
	Beta2     g2Point   `json:"vk_beta_2"`
	Gamma2    g2Point   `json:"vk_gamma_2"`
	Delta2    g2Point   `json:"vk_delta_2"`
	AlphaBeta fq12      `json:"vk_alphabeta_12"`
	IC        []g1Point `json:"IC"`
}

// ReadProof reads a proof.json.
func ReadProof(data []byte) (*groth16.Proof, error) {
	var d proofDocument
	if err := decode(data, &d); err != nil {
		return nil, err
	}
	r, err := newPointReader(d.Protocol, d.Curve)
	if err != nil {
		return nil, err
	}
	p := &groth16.Proof{Curve: r.suite.Curve(), A: r.g1("pi_a", d.A), B: r.g2("pi_b", d.B), C: r.g1("pi_c", d.C)}
	return p, r.err
}

// WriteProof writes a proof.json.
func WriteProof(to io.Writer, p *groth16.Proof) error {
	w, err := newPointWriter(p.Curve)
	if err != nil {
		return err
	}
	return encode(to, proofDocument{
		A: w.g1(p.A), B: w.g2(p.B), C: w.g1(p.C), Protocol: protocol, Curve: p.Curve.SnarkjsName(),
	})
}

// ReadVerifyingKey reads a verification_key.json. The pairing that snarkjs keeps in it is not used.
func ReadVerifyingKey(data []byte) (*groth16.VerifyingKey, error) {
	var d keyDocument
	if err := decode(data, &d); err != nil {
		return nil, err
	}
	r, err := newPointReader(d.Protocol, d.Curve)
	if err != nil {
		return nil, err
	}
	if len(d.IC) != d.NPublic+1 {
		return nil, fmt.Errorf("%w: %d IC points for %d public inputs", ErrMalformed, len(d.IC), d.NPublic)
	}
	key := &groth16.VerifyingKey{
		Curve: r.suite.Curve(), Alpha1: r.g1("vk_alpha_1", d.Alpha1), Beta2: r.g2("vk_beta_2", d.Beta2),
		Gamma2: r.g2("vk_gamma_2", d.Gamma2), Delta2: r.g2("vk_delta_2", d.Delta2),
	}
	for i, p := range d.IC {
		key.IC = append(key.IC, r.g1(fmt.Sprintf("IC[%d]", i), p))
	}
	if r.err != nil {
		return nil, r.err
	}
	return key, key.Check()
}

// WriteVerifyingKey writes a verification_key.json.
func WriteVerifyingKey(to io.Writer, k *groth16.VerifyingKey) error {
	w, err := newPointWriter(k.Curve)
	if err != nil {
		return err
	}
	d := keyDocument{
		Protocol: protocol, Curve: k.Curve.SnarkjsName(), NPublic: k.NPublic(), Alpha1: w.g1(k.Alpha1),
		Beta2: w.g2(k.Beta2), Gamma2: w.g2(k.Gamma2), Delta2: w.g2(k.Delta2),
	}
	if d.AlphaBeta, err = w.pairing(k.Alpha1, k.Beta2); err != nil {
		return err
	}
	for _, p := range k.IC {
		d.IC = append(d.IC, w.g1(p))
	}
	return encode(to, d)
}

// ReadPublic reads a public.json: a list of decimal numbers, strings or bare. Their range is Verify's to check.
func ReadPublic(data []byte) ([]*big.Int, error) {
	var list []json.RawMessage
	if err := decode(data, &list); err != nil {
		return nil, err
	}
	public := make([]*big.Int, len(list))
	for i, raw := range list {
		text := fq(bytes.Trim(raw, `"`))
		n, err := text.integer()
		if err != nil {
			return nil, fmt.Errorf("%w: public input %d: %w", ErrMalformed, i+1, err)
		}
		public[i] = n
	}
	return public, nil
}

// WritePublic writes a public.json.
func WritePublic(to io.Writer, public []*big.Int) error {
	list := make([]fq, len(public))
	for i, n := range public {
		list[i] = fq(n.String())
	}
	return encode(to, list)
}

// mostCommas is more than what separates the values of the largest document that is taken, a verification key: a point of IC
// has three coordinates. A document of more would take fifty times its size.
const mostCommas = 3*(groth16.MostPublic+1) + 100

func decode(data []byte, into any) error {
	if bytes.Count(data, []byte{','}) > mostCommas {
		return fmt.Errorf("%w: too many values: at most %d public inputs are taken", ErrMalformed, groth16.MostPublic)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("%w: something follows the document", ErrMalformed)
	}
	return nil
}

// encode writes with snarkjs's indentation of one space and no newline at the end.
func encode(to io.Writer, document any) error {
	data, err := json.MarshalIndent(document, "", " ")
	if err != nil {
		return err
	}
	_, err = to.Write(data)
	return err
}

func curveOf(proto, name string) (curve.ID, error) {
	if proto != protocol {
		return 0, fmt.Errorf("%w: protocol %q, and only groth16 is supported", ErrMalformed, proto)
	}
	id, err := curve.Parse(name)
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return id, nil
}
