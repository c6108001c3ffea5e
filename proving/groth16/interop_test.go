package groth16_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine/gnark"
	"github.com/proofgraph/proofgraph/proving/format/r1cs"
	"github.com/proofgraph/proofgraph/proving/format/snarkjson"
	"github.com/proofgraph/proofgraph/proving/format/wtns"
	"github.com/proofgraph/proofgraph/proving/groth16"
	"github.com/proofgraph/proofgraph/proving/internal/view"
)

// snarkjs runs the snarkjs that the environment names. Without one, tests that need it are skipped.
func snarkjs(t *testing.T, dir string, args ...string) {
	command := os.Getenv("PROOFGRAPH_SNARKJS")
	if command == "" {
		t.Skip("PROOFGRAPH_SNARKJS names no snarkjs")
	}
	c := exec.Command(command, args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	require.NoError(t, err, "snarkjs %v: %s", args, out)
}

func TestSnarkjsAcceptsKeysAndProofsMadeHere(t *testing.T) {
	if os.Getenv("PROOFGRAPH_SNARKJS") == "" {
		t.Skip("PROOFGRAPH_SNARKJS names no snarkjs")
	}
	for _, id := range curve.All() {
		t.Run(id.String(), func(t *testing.T) {
			dir := t.TempDir()
			write := func(name string, content []byte) {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), content, 0o600))
			}
			system, witness := chain(t, id, 300)
			s, err := r1cs.Parse(ctx, system)
			require.NoError(t, err)
			h, err := groth16.SetupHeader(s)
			require.NoError(t, err)
			var zkeyFile, wtnsFile, proofFile, publicFile bytes.Buffer
			require.NoError(t, groth16.Setup(ctx, s, &zkeyFile, view.Allocate(groth16.SetupNeed(h, 2).Scratch), 2, nil))
			require.NoError(t, wtns.Write(&wtnsFile, id, witness))
			write("key.zkey", zkeyFile.Bytes())
			write("witness.wtns", wtnsFile.Bytes())

			snarkjs(t, dir, "zkey", "export", "verificationkey", "key.zkey", "vk.json")
			snarkjs(t, dir, "groth16", "prove", "key.zkey", "witness.wtns", "theirs.json", "public.json")
			snarkjs(t, dir, "groth16", "verify", "vk.json", "public.json", "theirs.json")

			e, err := gnark.New(id)
			require.NoError(t, err)
			key := developmentKeyOf(t, zkeyFile.Bytes())
			public, err := groth16.PublicInputs(key.Header, witness)
			require.NoError(t, err)
			require.NoError(t, snarkjson.WriteProof(&proofFile, prove(t, e, key, witness)))
			require.NoError(t, snarkjson.WritePublic(&publicFile, public))
			write("ours.json", proofFile.Bytes())
			write("ours.public.json", publicFile.Bytes())
			snarkjs(t, dir, "groth16", "verify", "vk.json", "ours.public.json", "ours.json")

			vk, err := os.ReadFile(filepath.Join(dir, "vk.json"))
			require.NoError(t, err)
			theirs, err := os.ReadFile(filepath.Join(dir, "theirs.json"))
			require.NoError(t, err)
			verifyingKey, err := snarkjson.ReadVerifyingKey(vk)
			require.NoError(t, err)
			proof, err := snarkjson.ReadProof(theirs)
			require.NoError(t, err)
			require.NoError(t, groth16.Verify(verifyingKey, proof, public))
		})
	}
}
