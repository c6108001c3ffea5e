package truth

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/circuits"
	"github.com/proofgraph/proofgraph/proving/format/r1cs"
	"github.com/proofgraph/proofgraph/proving/groth16"
	"github.com/proofgraph/proofgraph/stages"
)

// circuit is a circuit's development key and witnesses, as files.
type circuit struct {
	key       stages.KeyFile
	witnesses []string
}

// makeCircuit makes a circuit of about that many constraints, its key, and n witnesses.
func makeCircuit(t *testing.T, constraints, n int) circuit {
	dir := t.TempDir()
	spec := circuits.Spec{Kind: circuits.Poseidon, Curve: ecc.BN254, Constraints: constraints}
	rows, zkey := filepath.Join(dir, "c.r1cs"), filepath.Join(dir, "c.insecure.zkey")
	create(t, rows, spec.WriteR1CS)
	create(t, zkey, func(to io.Writer) error { return developmentKey(rows, to) })
	key, err := stages.StatKey(zkey)
	require.NoError(t, err)
	c := circuit{key: key}
	for i := range n {
		name := filepath.Join(dir, fmt.Sprintf("%d.wtns", i))
		create(t, name, func(to io.Writer) error { return spec.WriteWitness(to, uint64(i)) })
		c.witnesses = append(c.witnesses, name)
	}
	return c
}

func create(t *testing.T, name string, write func(io.Writer) error) {
	file, err := os.Create(name)
	require.NoError(t, err)
	w := bufio.NewWriterSize(file, 1<<20)
	require.NoError(t, errors.Join(write(w), w.Flush(), file.Close()), name)
}

func developmentKey(rows string, to io.Writer) error {
	system, err := r1cs.Open(context.Background(), rows)
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
	return groth16.Setup(context.Background(), system, to, scratch, threads, nil)
}

// payloads gives the work of proving every witness; the proofs go nowhere, verified as they are.
func (c circuit) payloads() []*stages.Payload {
	var payloads []*stages.Payload
	for _, w := range c.witnesses {
		payloads = append(payloads, &stages.Payload{Key: c.key, Wtns: w})
	}
	return payloads
}
