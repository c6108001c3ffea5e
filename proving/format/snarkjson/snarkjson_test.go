package snarkjson_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/format/snarkjson"
	"github.com/proofgraph/proofgraph/proving/groth16"
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

func TestProofsThatAreNoneAreRefused(t *testing.T) {
	eachCurve(t, func(t *testing.T, read func(string) []byte) {
		good := string(read("proof.json"))
		first := strings.Split(good, `"`)[3] // the first coordinate of pi_a
		for _, test := range []struct{ name, from, to, says string }{
			{"another protocol", "groth16", "plonk", "only groth16"},
			{"another curve", `"curve": "b`, `"curve": "x`, "unknown curve"},
			{"a coordinate moved", first, "1" + first[1:len(first)-1] + "9", "pi_a"},
			{"a negative coordinate", first, "-1", "no decimal number"},
			{"a hexadecimal coordinate", first, "0x1", "no decimal number"},
			{"an empty coordinate", first, "", "0 digits"},
			{"a coordinate beyond the modulus", first, strings.Repeat("9", 119), "not less than the modulus"},
			{"a very long coordinate", first, strings.Repeat("9", 10000), "10000 digits"},
			{"a third coordinate of two", "\"1\"\n ],\n \"pi_b\"", "\"2\"\n ],\n \"pi_b\"", "third coordinate"},
			{"a number for a string", `"` + first + `"`, "12", "cannot unmarshal"},
			{"pi_c missing", "pi_c", "pi_d", "pi_c"},
			{"a second document", "\n}", "\n} {}", "follows"},
			{"cut short", "\n}", "", "unexpected EOF"},
		} {
			t.Run(test.name, func(t *testing.T) {
				require.Contains(t, good, test.from)
				_, err := snarkjson.ReadProof([]byte(strings.Replace(good, test.from, test.to, 1)))
				require.ErrorIs(t, err, snarkjson.ErrMalformed)
				require.ErrorContains(t, err, test.says)
			})
		}
	})
}

// The affine coordinates 0, 0 stand for infinity in memory, and must not be a way to write it.
func TestTheOriginIsNoPoint(t *testing.T) {
	document := `{"pi_a":["0","0","1"],"pi_b":[["0","0"],["1","0"],["0","0"]],"pi_c":["0","1","0"],"protocol":"groth16","curve":"bn128"}`
	_, err := snarkjson.ReadProof([]byte(document))
	require.ErrorContains(t, err, "pi_a")
	p, err := snarkjson.ReadProof([]byte(strings.Replace(document, `"0","0","1"`, `"0","1","0"`, 1)))
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, snarkjson.WriteProof(&out, p))
	back, err := snarkjson.ReadProof(out.Bytes())
	require.NoError(t, err)
	require.Equal(t, p, back)
}

func TestVerifyingKeysThatAreNoneAreRefused(t *testing.T) {
	eachCurve(t, func(t *testing.T, read func(string) []byte) {
		good := string(read("verification_key.json"))
		for _, test := range []struct{ name, from, to, says string }{
			{"more public inputs", `"nPublic": 3`, `"nPublic": 4`, "4 IC points for 4"},
			{"fewer public inputs", `"nPublic": 3`, `"nPublic": -1`, "for -1"},
			{"no alpha", "vk_alpha_1", "vk_alpha", "vk_alpha_1"},
			{"delta at infinity", `"vk_delta_2": [`, `"vk_delta_2": [["0","0"],["1","0"],["0","0"]], "old": [`, "delta"},
		} {
			t.Run(test.name, func(t *testing.T) {
				_, err := snarkjson.ReadVerifyingKey([]byte(strings.Replace(good, test.from, test.to, 1)))
				require.ErrorContains(t, err, test.says)
			})
		}
	})
}

func TestPublicInputs(t *testing.T) {
	public, err := snarkjson.ReadPublic([]byte(`["1", 22, "0"]`))
	require.NoError(t, err)
	require.Equal(t, "[1 22 0]", fmt.Sprint(public))
	for _, bad := range []string{``, `{}`, `["-1"]`, `["1.5"]`, `[1e3]`, `[null]`, `[["1"]]`, `["1"] x`, `["` + strings.Repeat("1", 500) + `"]`} {
		_, err := snarkjson.ReadPublic([]byte(bad))
		require.ErrorIs(t, err, snarkjson.ErrMalformed, bad)
	}
	var out bytes.Buffer
	require.NoError(t, snarkjson.WritePublic(&out, nil))
	require.Equal(t, "[]", out.String())
}

func addGolden(f *testing.F, name string) {
	for _, id := range curve.All() {
		data, err := os.ReadFile(filepath.Join("..", "..", "testdata", id.String(), name))
		require.NoError(f, err)
		f.Add(data)
	}
}

func FuzzReadProof(f *testing.F) {
	addGolden(f, "proof.json")
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := snarkjson.ReadProof(data); err == nil {
			require.NoError(t, p.Check())
		}
	})
}

func FuzzReadVerifyingKey(f *testing.F) {
	addGolden(f, "verification_key.json")
	f.Fuzz(func(t *testing.T, data []byte) {
		if k, err := snarkjson.ReadVerifyingKey(data); err == nil {
			require.NoError(t, k.Check())
		}
	})
}

func FuzzReadPublic(f *testing.F) {
	addGolden(f, "public.json")
	f.Fuzz(func(t *testing.T, data []byte) {
		if public, err := snarkjson.ReadPublic(data); err == nil {
			var out bytes.Buffer
			require.NoError(t, snarkjson.WritePublic(&out, public))
			back, err := snarkjson.ReadPublic(out.Bytes())
			require.NoError(t, err)
			require.Equal(t, public, back)
		}
	})
}

// Many small values would take many times the document's size.
func TestDocumentsOfTooManyValues(t *testing.T) {
	many := strings.Repeat("1,", 300_000) + "1"
	_, err := snarkjson.ReadPublic([]byte("[" + many + "]"))
	require.ErrorIs(t, err, snarkjson.ErrMalformed)
	require.ErrorContains(t, err, "at most 65536 public inputs")
	_, err = snarkjson.ReadVerifyingKey([]byte(`{"IC": [` + many + `]}`))
	require.ErrorContains(t, err, "at most 65536 public inputs")
	most, err := snarkjson.ReadPublic([]byte("[" + strings.Repeat("1,", groth16.MostPublic-1) + "1]"))
	require.NoError(t, err)
	require.Len(t, most, groth16.MostPublic)
}
