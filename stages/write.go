package stages

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/format/snarkjson"
)

// Written names the files of a proof; a name is empty where the payload asked for none.
type Written struct {
	Proof, Public, Calldata string
}

// write is groth16.write: the sink.
func write() *stage.Kind {
	return &stage.Kind{
		Name: "groth16.write",
		Doc: "Writes the proof and its public inputs as snarkjs does, each to a temporary file that is then renamed: " +
			"a file that is there is whole.",
		Inputs:  []stage.Port{{Name: "proven", Type: typeProven, Doc: "a verified proof"}},
		Outputs: []stage.Port{{Name: "files", Type: typeFiles, Doc: "the files written"}},
		New:     func(stage.Options) (stage.Body, error) { return stage.BodyFunc(runWrite), nil },
	}
}

func runWrite(_ context.Context, t *stage.Task) error {
	p, err := payload(t)
	if err != nil {
		return err
	}
	proven, err := stage.In[*Proven](t, "proven")
	if err != nil {
		return err
	}
	if err := writeTogether(outputsOf(p, proven)...); err != nil {
		return err
	}
	return t.Set("files", &Written{p.Proof, p.Public, p.Calldata})
}

// outputsOf gives the files that a payload names. The proof comes last: where it is, the rest is.
func outputsOf(p *Payload, proven *Proven) []output {
	all := []output{
		{p.Public, func(to io.Writer) error { return snarkjson.WritePublic(to, proven.Public) }},
		{p.Calldata, func(to io.Writer) error { return writeCalldata(to, proven) }},
		{p.Proof, func(to io.Writer) error { return snarkjson.WriteProof(to, proven.Proof) }},
	}
	return slices.DeleteFunc(all, func(o output) bool { return o.name == "" })
}

func writeCalldata(to io.Writer, proven *Proven) error {
	line, err := snarkjson.SolidityCalldata(proven.Proof, proven.Public)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(to, line)
	return err
}
