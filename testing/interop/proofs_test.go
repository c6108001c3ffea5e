//go:build interop

package interop

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/pipelines"
)

func TestOthersAcceptOurProofs(t *testing.T) {
	onCircuits(t, keyed, func(t *testing.T, c circuit) {
		ours := proveWitness(t, c.zkey(), c.witnesses(t)[0])
		acceptedBySnarkjs(t, c.vkey(), ours)
		acceptedByGnark(t, c.vkey(), ours)
	})
}

func TestWeAcceptProofsOfSnarkjs(t *testing.T) {
	onCircuits(t, keyed, func(t *testing.T, c circuit) {
		theirs := snarkjsProof(t, c.zkey(), c.witnesses(t)[0])
		got := verifyProof(t, c.vkey(), theirs)
		assert.Equal(t, exitDone, got.code, got.stderr)
	})
}

func TestPublicSignalsAreThoseOfSnarkjs(t *testing.T) {
	onCircuits(t, []string{"nested", "outputs"}, func(t *testing.T, c circuit) {
		theirs := snarkjsProof(t, c.zkey(), c.witnesses(t)[0])
		ours := proveInput(t, c.zkey(), c.wasm(), c.inputs(t)[0])
		assert.Equal(t, readJSON(t, theirs.public), readJSON(t, ours.public))
	})
}

// Every pipeline that is shipped proves a batch, on either curve.
func TestEveryPipeline(t *testing.T) {
	onCurves(t, func(t *testing.T, curve string) {
		c := circuitOf(t, curve, "poseidon")
		for _, pipeline := range pipelines.Names() {
			file := filepath.Join("..", "..", "pipelines", pipeline+".yaml")
			t.Run(pipeline, func(t *testing.T) { provesBatch(t, c, file) })
		}
	})
}

func provesBatch(t *testing.T, c circuit, pipeline string) {
	out := t.TempDir()
	args := []string{"prove", "--pipeline", pipeline, "--zkey", c.zkey(), "--out", out}
	witnesses := c.witnesses(t)
	require.Greater(t, len(witnesses), 1)
	for _, w := range witnesses {
		args = append(args, "--wtns", w)
	}
	succeed(t, proofgraph(t, args...)...)
	for _, w := range witnesses {
		proof := ofWitness(out, strings.TrimSuffix(filepath.Base(w), ".wtns"))
		acceptedByGnark(t, c.vkey(), proof)
	}
	acceptedBySnarkjs(t, c.vkey(), ofWitness(out, "1"))
}

// A proof must not tell that two were made of one witness.
func TestProofsAreBlinded(t *testing.T) {
	onCircuits(t, []string{"multiplier"}, func(t *testing.T, c circuit) {
		first := proveWitness(t, c.zkey(), c.witnesses(t)[0])
		second := proveWitness(t, c.zkey(), c.witnesses(t)[0])
		assert.Equal(t, readJSON(t, first.public), readJSON(t, second.public))
		assert.NotEqual(t, readJSON(t, first.proof), readJSON(t, second.proof))
	})
}

func TestCalldataIsThatOfSnarkjs(t *testing.T) {
	for _, name := range []string{"multiplier", "outputs"} {
		t.Run(name, func(t *testing.T) {
			c := circuitOf(t, "bn128", name)
			p, ours := proveWithCalldata(t, c.zkey(), c.witnesses(t)[0])
			theirs := snarkjs(t, "zkey", "export", "soliditycalldata", p.public, p.proof)
			assert.Equal(t, strings.TrimSpace(theirs), strings.TrimSpace(ours))
		})
	}
}
