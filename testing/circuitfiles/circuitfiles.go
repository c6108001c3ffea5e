// Package circuitfiles makes circuits for tests that prove: a development key and witnesses, as files.
package circuitfiles

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/circuits"
	"github.com/proofgraph/proofgraph/proving/format/r1cs"
	"github.com/proofgraph/proofgraph/proving/groth16"
	"github.com/proofgraph/proofgraph/stages"
)

// A Circuit is a circuit's key and witnesses in files that end with the test.
type Circuit struct {
	Key       stages.KeyFile
	Witnesses []string
}

// Make makes a circuit, a key that is no secret to anybody, and n witnesses.
func Make(t *testing.T, spec circuits.Spec, n int) Circuit {
	t.Helper()
	dir := t.TempDir()
	rows, zkey := filepath.Join(dir, "c.r1cs"), filepath.Join(dir, "c.insecure.zkey")
	create(t, rows, spec.WriteR1CS)
	create(t, zkey, func(to io.Writer) error { return developmentKey(t, rows, to) })
	key, err := stages.StatKey(zkey)
	require.NoError(t, err)
	c := Circuit{Key: key}
	for seed := range n {
		name := filepath.Join(dir, fmt.Sprintf("%d.wtns", seed))
		create(t, name, func(to io.Writer) error { return spec.WriteWitness(to, uint64(seed)) })
		c.Witnesses = append(c.Witnesses, name)
	}
	return c
}

func create(t *testing.T, name string, write func(io.Writer) error) {
	t.Helper()
	file, err := os.Create(name)
	require.NoError(t, err)
	w := bufio.NewWriterSize(file, 1<<20)
	require.NoError(t, errors.Join(write(w), w.Flush(), file.Close()), name)
}

func developmentKey(t *testing.T, rows string, to io.Writer) error {
	system, err := r1cs.Open(t.Context(), rows)
	if err != nil {
		return err
	}
	defer system.Close()
	header, err := groth16.SetupHeader(system)
	if err != nil {
		return err
	}
	threads := runtime.GOMAXPROCS(0)
	scratch := make([]byte, groth16.SetupNeed(header, threads).Scratch)
	return groth16.Setup(t.Context(), system, to, scratch, threads, nil)
}

// Payload is the work of proving one of the witnesses. The proof goes nowhere, verified as it is.
func (c Circuit) Payload(witness int) *stages.Payload {
	return &stages.Payload{Key: c.Key, Wtns: c.Witnesses[witness]}
}

// Payloads is the work of proving all of them.
func (c Circuit) Payloads() []*stages.Payload {
	payloads := make([]*stages.Payload, len(c.Witnesses))
	for i := range payloads {
		payloads[i] = c.Payload(i)
	}
	return payloads
}
