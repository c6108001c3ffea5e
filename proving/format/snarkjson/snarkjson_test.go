package snarkjson_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/format/snarkjson"
)

func eachCurve(t *testing.T, test func(t *testing.T, read func(name string) []byte)) {
	for _, id := range curve.All() {
		t.Run(id.String(), func(t *testing.T) {
			test(t, func(name string) []byte {
				data, err := os.ReadFile(filepath.Join("..", "..", "testdata", id.String(), name))
				require.NoError(t, err)
				return data
			})
		})
	}
}

func TestDocumentsAreByteForByteThoseOfSnarkjs(t *testing.T) {
	eachCurve(t, func(t *testing.T, read func(string) []byte) {
		var out bytes.Buffer
		proof, err := snarkjson.ReadProof(read("proof.json"))
		require.NoError(t, err)
		require.NoError(t, snarkjson.WriteProof(&out, proof))
		require.Equal(t, string(read("proof.json")), out.String())

		out.Reset()
		public, err := snarkjson.ReadPublic(read("public.json"))
		require.NoError(t, err)
		require.NoError(t, snarkjson.WritePublic(&out, public))
		require.Equal(t, string(read("public.json")), out.String())

		out.Reset()
		key, err := snarkjson.ReadVerifyingKey(read("verification_key.json"))
		require.NoError(t, err)
		require.NoError(t, snarkjson.WriteVerifyingKey(&out, key))
		require.Equal(t, string(read("verification_key.json")), out.String())

		calldata, err := snarkjson.SolidityCalldata(proof, public)
		require.NoError(t, err)
		require.Equal(t, strings.TrimSpace(string(read("calldata.txt"))), calldata)
	})
}
