package stages

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

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
	err = writeFile(p.Public, func(to io.Writer) error { return snarkjson.WritePublic(to, proven.Public) })
	if err != nil {
		return err
	}
	err = writeFile(p.Calldata, func(to io.Writer) error {
		line, err := snarkjson.SolidityCalldata(proven.Proof, proven.Public)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(to, line)
		return err
	})
	if err != nil {
		return err
	}
	// The proof comes last: where it is, the rest is.
	err = writeFile(p.Proof, func(to io.Writer) error { return snarkjson.WriteProof(to, proven.Proof) })
	if err != nil {
		return err
	}
	return t.Set("files", &Written{p.Proof, p.Public, p.Calldata})
}

// writeFile writes a file whole or not at all; without a name it does nothing.
func writeFile(name string, write func(io.Writer) error) (err error) {
	if name == "" {
		return nil
	}
	file, err := os.CreateTemp(filepath.Dir(name), ".proofgraph-*")
	if err != nil {
		return fmt.Errorf("%s cannot be written: %v", name, errors.Unwrap(err)) // without the temporary name
	}
	defer func() {
		if err != nil {
			os.Remove(file.Name())
		}
	}()
	if err := write(file); err != nil {
		file.Close()
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := file.Chmod(0o644); err != nil {
		file.Close()
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(file.Name(), name)
}
