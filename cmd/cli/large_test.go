package cli_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/circuits"
)

// large makes, once for all tests, a circuit whose proofs take long enough to be interrupted, and its key.
var large = sync.OnceValues(makeLarge)

// largeMade says that large has been asked for, so that there is something to remove.
var largeMade string

type largeCircuit struct{ dir, zkey, vkey, wtns string }

func makeLarge() (largeCircuit, error) {
	dir, err := os.MkdirTemp("", "proofgraph-test-")
	if err != nil {
		return largeCircuit{}, err
	}
	largeMade = dir
	spec := circuits.Spec{Kind: circuits.Poseidon, Curve: ecc.BN254, Constraints: 1 << 12}
	c := largeCircuit{dir: dir, zkey: filepath.Join(dir, "large.insecure.zkey"), vkey: filepath.Join(dir, "large.insecure.vkey.json")}
	c.wtns = filepath.Join(dir, "large.wtns")
	circuit := filepath.Join(dir, "large.r1cs")
	if err := create(circuit, spec.WriteR1CS); err != nil {
		return c, err
	}
	if err := create(c.wtns, func(to io.Writer) error { return spec.WriteWitness(to, 1) }); err != nil {
		return c, err
	}
	if got := carryOut("", "setup", "--r1cs", circuit, "--out", dir); got.code != done {
		return c, fmt.Errorf("setup: %s", got.stderr)
	}
	return c, nil
}

func create(name string, write func(io.Writer) error) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer file.Close()
	return write(file)
}

// witnesses makes n names for the large circuit's witness.
func (c largeCircuit) witnesses(t *testing.T, n int) []string {
	dir := t.TempDir()
	names := make([]string, n)
	for i := range names {
		names[i] = filepath.Join(dir, fmt.Sprintf("%03d.wtns", i))
		require.NoError(t, os.Symlink(c.wtns, names[i]))
	}
	return names
}

func theLarge(t *testing.T) largeCircuit {
	c, err := large()
	require.NoError(t, err)
	return c
}

func removeLarge() {
	if largeMade != "" {
		os.RemoveAll(largeMade)
	}
}
