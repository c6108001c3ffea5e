package stages

import (
	"fmt"

	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
	"github.com/proofgraph/proofgraph/proving/witness"
)

// A Payload is what an item of a proving pipeline is: which key, which witness, and where the proof goes. It names files
// and holds no buffer.
type Payload struct {
	Key KeyFile
	// Wtns is a witness file; otherwise Wasm and Input say how to compute the witness.
	Wtns        string
	Wasm, Input string
	// Generator is what the generator of Wasm takes (StatModule).
	Generator witness.Need
	// R1CS, if given, is the circuit that the witness is checked against before it is proved.
	R1CS string
	// Proof and Public are the files to write; empty writes none.
	Proof, Public string
	// Calldata, if given, is the file for the arguments of the Solidity verifier.
	Calldata string
}

// The facts of an item, from which every stage computes the bytes that it needs.
const (
	FactCurve     = "curve"           // a curve.ID
	FactWires     = "wires"           // values of the witness
	FactPublic    = "public"          // public wires beside the constant one
	FactDomain    = "domain"          // rows of the evaluation domain, a power of two
	FactKey       = "key_bytes"       // size of the key file
	FactRecords   = "records"         // coefficients of A and B in the key
	FactInFile    = "wtns"            // 1 where the witness lies in a file that can be mapped
	FactGenerator = "generator_bytes" // memory that the witness generator takes, which is leased

	FactGeneratorHeap = "generator_heap" // what compiling it, its code and its stack take
)

// Facts gives the facts of an item.
func (p *Payload) Facts() stage.Facts {
	f := HeaderFacts(p.Key.Header)
	f[FactKey], f[FactRecords] = p.Key.Size, int64(p.Key.Records)
	f[FactGenerator], f[FactGeneratorHeap] = p.Generator.Memory, p.Generator.Heap
	if p.Wtns != "" {
		f[FactInFile] = 1
	}
	return f
}

// HeaderFacts gives the facts of a key.
func HeaderFacts(h zkey.Header) stage.Facts {
	return stage.Facts{
		FactCurve: int64(h.Curve), FactWires: int64(h.NVars), FactPublic: int64(h.NPublic), FactDomain: int64(h.DomainSize),
	}
}

// header is the inverse of HeaderFacts.
func header(f stage.Facts) (zkey.Header, error) {
	h := zkey.Header{
		Curve: curve.ID(f[FactCurve]), NVars: int(f[FactWires]), NPublic: int(f[FactPublic]), DomainSize: int(f[FactDomain]),
	}
	if h.Curve == 0 || h.NVars <= h.NPublic || h.DomainSize < 1 {
		return h, fmt.Errorf("an item needs the facts %s, %s, %s and %s, which a recorded profile has; --zkey gives those of a key",
			FactCurve, FactWires, FactPublic, FactDomain)
	}
	return h, nil
}

// payload gives the payload of a task.
func payload(t *stage.Task) (*Payload, error) {
	p, ok := t.Item.Payload.(*Payload)
	if !ok {
		return nil, fmt.Errorf("the item carries a %T, not a proof to make", t.Item.Payload)
	}
	return p, nil
}

// keyDigest names the state of an item's key file; of an item that is only imagined, some key.
func keyDigest(item stage.Item) string {
	if p, ok := item.Payload.(*Payload); ok {
		return p.Key.Digest
	}
	return "key"
}

// vectorBytes is the size of n vectors over the domain.
func vectorBytes(f stage.Facts, n int64) int64 { return n * f[FactDomain] * curve.ScalarSize }
