package cli_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestVerify(t *testing.T) {
	eachCurve(t, func(t *testing.T, file func(string) string) {
		dir := t.TempDir()
		vkey, proof, public := file("verification_key.json"), file("proof.json"), file("public.json")
		good := proofgraph(t, "verify", "--vkey", vkey, "--proof", proof, "--public", public)
		good.requireEnds(t, done)
		assert.Equal(t, "the proof is valid\n", good.stdout)

		signals := decode[[]string](t, string(read(t, public)))
		other := write(t, dir, "public.json", bytes.Replace(read(t, public), []byte(signals[0]), []byte("7"), 1))
		short := write(t, dir, "short.json", []byte(`["1"]`))
		broken := write(t, dir, "broken.json", read(t, proof)[:100])
		cases := []struct {
			name                string
			vkey, proof, public string
			code                int
			says                string
		}{
			{"another signal", vkey, proof, other, notVerified, "proof is not valid"},
			{"too few signals", vkey, proof, short, invalid, "public"},
			{"truncated proof", vkey, broken, public, invalid, "broken.json: malformed JSON"},
			{"a proof for a key", proof, proof, public, invalid, "malformed JSON"},
			{"a key for a proof", vkey, vkey, public, invalid, "malformed JSON"},
			{"no such key", "nowhere.json", proof, public, invalid, "there is no file nowhere.json"},
			{"no such proof", vkey, "nowhere.json", public, invalid, "there is no file nowhere.json"},
			{"no such signals", vkey, proof, "nowhere.json", invalid, "there is no file nowhere.json"},
		}
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				args := []string{"verify", "--vkey", c.vkey, "--proof", c.proof, "--public", c.public}
				got := proofgraph(t, args...)
				got.requireEnds(t, c.code, c.says)
				assert.Empty(t, got.stdout)
				verdict := decode[map[string]any](t, proofgraph(t, append(args, "--json")...).stdout)
				assert.Equal(t, false, verdict["valid"])
				assert.Contains(t, verdict["error"], c.says)
			})
		}
		verdict := proofgraph(t, "verify", "--json", "--vkey", vkey, "--proof", proof, "--public", public)
		require.Equal(t, map[string]any{"valid": true}, decode[map[string]any](t, verdict.stdout))
	})
}

func TestVerifyRefusesAProofOfAnotherCurve(t *testing.T) {
	proofgraph(t, "verify", "--vkey", golden("bn254", "verification_key.json"), "--proof", golden("bls12-381", "proof.json"),
		"--public", golden("bn254", "public.json")).requireEnds(t, invalid, "is over bls12-381 and", "over bn254")
}

func TestCalldata(t *testing.T) {
	eachCurve(t, func(t *testing.T, file func(string) string) {
		got := proofgraph(t, "calldata", "--proof", file("proof.json"), "--public", file("public.json"))
		got.requireEnds(t, done)
		assert.Equal(t, string(bytes.TrimSpace(read(t, file("calldata.txt")))), string(bytes.TrimSpace([]byte(got.stdout))), "as snarkjs prints it")
	})
}
