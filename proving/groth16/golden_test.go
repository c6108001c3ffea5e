package groth16_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/engine/gnark"
	"github.com/proofgraph/proofgraph/proving/format/snarkjson"
	"github.com/proofgraph/proofgraph/proving/format/wtns"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
	"github.com/proofgraph/proofgraph/proving/groth16"
	"github.com/proofgraph/proofgraph/proving/internal/view"
)

var ctx = context.Background()

// golden is what snarkjs made for one curve.
type golden struct {
	t       *testing.T
	id      curve.ID
	engine  engine.Engine
	key     *zkey.Key
	witness *wtns.Witness
}

func eachGolden(t *testing.T, test func(t *testing.T, g *golden)) {
	for _, id := range curve.All() {
		t.Run(id.String(), func(t *testing.T) {
			g := &golden{t: t, id: id}
			var err error
			g.engine, err = gnark.New(id)
			require.NoError(t, err)
			g.key, err = zkey.Open(ctx, g.path("cells.zkey"), 2)
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, g.key.Close()) })
			g.witness, err = wtns.Open(g.path("cells.wtns"))
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, g.witness.Close()) })
			test(t, g)
		})
	}
}

func (g *golden) path(name string) string {
	return filepath.Join("..", "testdata", g.id.String(), name)
}

func (g *golden) read(name string) []byte {
	data, err := os.ReadFile(g.path(name))
	require.NoError(g.t, err)
	return data
}

func (g *golden) verifyingKey() *groth16.VerifyingKey {
	vk, err := snarkjson.ReadVerifyingKey(g.read("verification_key.json"))
	require.NoError(g.t, err)
	return vk
}

func (g *golden) prove() *groth16.Proof {
	need := groth16.ProveNeed(g.engine, g.key.Header, 2)
	proof, err := groth16.Prove(ctx, g.engine, g.key, g.witness.Values, view.Allocate(need.Scratch), 2)
	require.NoError(g.t, err)
	return proof
}

func TestProofOfSnarkjsKeyVerifiesUnderSnarkjsVerifyingKey(t *testing.T) {
	eachGolden(t, func(t *testing.T, g *golden) {
		public, err := snarkjson.ReadPublic(g.read("public.json"))
		require.NoError(t, err)
		mine, err := groth16.PublicInputs(g.key.Header, g.witness.Values)
		require.NoError(t, err)
		require.Equal(t, public, mine)
		require.NoError(t, groth16.Verify(g.verifyingKey(), g.prove(), public))
	})
}

func TestProofOfSnarkjsVerifies(t *testing.T) {
	eachGolden(t, func(t *testing.T, g *golden) {
		proof, err := snarkjson.ReadProof(g.read("proof.json"))
		require.NoError(t, err)
		public, err := snarkjson.ReadPublic(g.read("public.json"))
		require.NoError(t, err)
		require.NoError(t, groth16.Verify(g.verifyingKey(), proof, public))
	})
}

func TestExportedVerifyingKeyIsThatOfSnarkjs(t *testing.T) {
	eachGolden(t, func(t *testing.T, g *golden) {
		vk, err := groth16.ExportVerifyingKey(g.key)
		require.NoError(t, err)
		require.Equal(t, g.verifyingKey(), vk)
	})
}
