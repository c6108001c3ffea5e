package cli_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/pipelines"
)

// eachCurve runs a test over the golden data of every curve; file names one of its files.
func eachCurve(t *testing.T, test func(t *testing.T, file func(string) string)) {
	for _, curve := range curves {
		t.Run(curve, func(t *testing.T) {
			test(t, func(name string) string { return golden(curve, name) })
		})
	}
}

func TestProveOneWitness(t *testing.T) {
	eachCurve(t, func(t *testing.T, file func(string) string) {
		out := filepath.Join(t.TempDir(), "made", "for it")
		got := proofgraph(t, "prove", "--zkey", file("cells.zkey"), "--wtns", file("cells.wtns"), "--out", out)
		got.requireEnds(t, done, "1 proof in ", "msm_b_g2", "scratch")
		assert.Empty(t, got.stdout)
		assert.Equal(t, []string{"proof.json", "public.json"}, namesIn(t, out))
		assert.JSONEq(t, string(read(t, file("public.json"))), string(read(t, filepath.Join(out, "public.json"))))
		requireVerifies(t, file("verification_key.json"), filepath.Join(out, "proof.json"), filepath.Join(out, "public.json"))
	})
}

func TestProveSeveralWitnesses(t *testing.T) {
	eachCurve(t, func(t *testing.T, file func(string) string) {
		dir := t.TempDir()
		out := filepath.Join(dir, "out")
		a, b := copyOf(t, file("cells.wtns"), dir, "a.wtns"), copyOf(t, file("cells.wtns"), dir, "b.wtns")
		got := proofgraph(t, "prove", "-q", "--zkey", file("cells.zkey"), "--wtns", a, b, "--calldata", "--out", out)
		got.requireEnds(t, done)
		assert.Empty(t, got.stderr, "quiet")
		assert.Equal(t, []string{
			"a.calldata.txt", "a.proof.json", "a.public.json", "b.calldata.txt", "b.proof.json", "b.public.json",
		}, namesIn(t, out))
		for _, name := range []string{"a", "b"} {
			requireVerifies(t, file("verification_key.json"), filepath.Join(out, name+".proof.json"), filepath.Join(out, name+".public.json"))
		}
		printed := proofgraph(t, "calldata", "--proof", filepath.Join(out, "a.proof.json"), "--public", filepath.Join(out, "a.public.json"))
		assert.Equal(t, printed.stdout, string(read(t, filepath.Join(out, "a.calldata.txt"))))
	})
}

func TestProveFromInputs(t *testing.T) {
	eachCurve(t, func(t *testing.T, file func(string) string) {
		out := t.TempDir()
		proofgraph(t, "prove", "-q", "--zkey", file("cells.zkey"), "--wasm", file("cells.wasm"), "--input", golden("input.json"),
			"--r1cs", file("cells.r1cs"), "--out", out).requireEnds(t, done)
		requireVerifies(t, file("verification_key.json"), filepath.Join(out, "proof.json"), filepath.Join(out, "public.json"))
	})
}

func TestProveJSON(t *testing.T) {
	dir := t.TempDir()
	good, bad := copyOf(t, golden("bn254", "cells.wtns"), dir, "good.wtns"), flipped(t, golden("bn254", "cells.wtns"), dir, "bad.wtns")
	out := filepath.Join(dir, "out")
	got := proofgraph(t, "prove", "--json", "--zkey", golden("bn254", "cells.zkey"), "--out", out, "--wtns", good, bad)
	got.requireEnds(t, notVerified)
	document := decode[struct {
		Results []struct {
			ID, Proof, Public, Error string
			OK                       bool
			ExitCode                 int `json:"exit_code"`
		}
		Wall   float64
		Stages []struct {
			Name             string
			Finished, Failed int
		}
		Edges []struct{ From, To string }
		Pools []struct{ Name string }
	}](t, got.stdout)
	require.Len(t, document.Results, 2)
	for _, r := range document.Results {
		assert.Equal(t, r.ID == good, r.OK)
		if r.OK {
			assert.Equal(t, filepath.Join(out, "good.proof.json"), r.Proof)
			assert.Zero(t, r.ExitCode)
		} else {
			assert.Contains(t, r.Error, "the pairing equation does not hold")
			assert.Equal(t, notVerified, r.ExitCode)
		}
	}
	assert.Positive(t, document.Wall)
	assert.Len(t, document.Stages, 12)
	assert.NotEmpty(t, document.Edges)
	assert.Len(t, document.Pools, 2)
}

// What is wrong with an input is said in words that name the file, and nothing is written.
func TestProveRefusesWrongInputs(t *testing.T) {
	dir := t.TempDir()
	bn, bls := func(name string) string { return golden("bn254", name) }, func(name string) string { return golden("bls12-381", name) }
	shortKey := write(t, dir, "short.zkey", read(t, bn("cells.zkey"))[:3000])
	shortWitness := write(t, dir, "short.wtns", read(t, bn("cells.wtns"))[:300])
	empty := write(t, dir, "empty", nil)
	badInput := write(t, dir, "bad.json", []byte(`{"colour": 1}`))
	noJSON := write(t, dir, "no.json", []byte(`{"a":`))
	cases := []struct {
		name string
		args []string
		says string
	}{
		{"key of another curve", []string{"--zkey", bls("cells.zkey"), "--wtns", bn("cells.wtns")}, "the witness is over bn254 and the key over bls12-381"},
		{"witness of another curve", []string{"--zkey", bn("cells.zkey"), "--wtns", bls("cells.wtns")}, "the witness is over bls12-381 and the key over bn254"},
		{"generator of another curve", []string{"--zkey", bn("cells.zkey"), "--wasm", bls("cells.wasm"), "--input", golden("input.json")}, "the files are not of one circuit"},
		{"circuit of another curve", []string{"--zkey", bn("cells.zkey"), "--wtns", bn("cells.wtns"), "--r1cs", bls("cells.r1cs")}, "the files are not of one circuit"},
		{"truncated key", []string{"--zkey", shortKey, "--wtns", bn("cells.wtns")}, "short.zkey: malformed file"},
		{"truncated witness", []string{"--zkey", bn("cells.zkey"), "--wtns", shortWitness}, "short.wtns: malformed file"},
		{"empty key", []string{"--zkey", empty, "--wtns", bn("cells.wtns")}, "malformed file"},
		{"empty witness", []string{"--zkey", bn("cells.zkey"), "--wtns", empty}, "malformed file"},
		{"witness for a key", []string{"--zkey", bn("cells.wtns"), "--wtns", bn("cells.wtns")}, `a zkey file begins with "zkey", this with "wtns"`},
		{"key for a witness", []string{"--zkey", bn("cells.zkey"), "--wtns", bn("cells.zkey")}, `a wtns file begins with "wtns", this with "zkey"`},
		{"no such key", []string{"--zkey", "nowhere.zkey", "--wtns", bn("cells.wtns")}, "there is no file"},
		{"no such witness", []string{"--zkey", bn("cells.zkey"), "--wtns", "nowhere.wtns"}, "there is no file nowhere.wtns"},
		{"no such circuit", []string{"--zkey", bn("cells.zkey"), "--wtns", bn("cells.wtns"), "--r1cs", "nowhere.r1cs"}, "there is no file nowhere.r1cs"},
		{"no such input", []string{"--zkey", bn("cells.zkey"), "--wasm", bn("cells.wasm"), "--input", "nowhere.json"}, "there is no file nowhere.json"},
		{"no generator", []string{"--zkey", bn("cells.zkey"), "--wasm", bn("cells.wtns"), "--input", golden("input.json")}, "not a witness generator"},
		{"input that the circuit lacks", []string{"--zkey", bn("cells.zkey"), "--wasm", bn("cells.wasm"), "--input", badInput}, `the circuit has no input "colour"`},
		{"input that is no JSON", []string{"--zkey", bn("cells.zkey"), "--wasm", bn("cells.wasm"), "--input", noJSON}, "no.json"},
		{"no such pipeline", []string{"--zkey", bn("cells.zkey"), "--wtns", bn("cells.wtns"), "--pipeline", "nothing"}, "those that come with the program: batch, groth16"},
		{"no such parameter", []string{"--zkey", bn("cells.zkey"), "--wtns", bn("cells.wtns"), "--set", "lane=2"}, `the pipeline has no parameter "lane"`},
		{"parameter out of range", []string{"--zkey", bn("cells.zkey"), "--wtns", bn("cells.wtns"), "--set", "lanes=900"}, "lanes is 900"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			got := proofgraph(t, append([]string{"prove", "--out", out}, c.args...)...)
			got.requireEnds(t, invalid, c.says)
			assert.NotContains(t, got.stderr, "most for", "no tables where nothing was proved")
			assert.Empty(t, namesIn(t, out))
		})
	}
}

func TestProveUsage(t *testing.T) {
	key, witness := golden("bn254", "cells.zkey"), golden("bn254", "cells.wtns")
	wasm, input := golden("bn254", "cells.wasm"), golden("input.json")
	out := filepath.Join(t.TempDir(), "out")
	cases := map[string]struct {
		args []string
		says string
	}{
		"no key":                 {[]string{"--wtns", witness, "--out", out}, "prove wants --zkey"},
		"no output":              {[]string{"--zkey", key, "--wtns", witness}, "prove wants --out"},
		"no witness":             {[]string{"--zkey", key, "--out", out}, "prove wants witnesses"},
		"both ways":              {[]string{"--zkey", key, "--out", out, "--wtns", witness, "--wasm", wasm, "--input", input}, "not both"},
		"inputs and no wasm":     {[]string{"--zkey", key, "--out", out, "--input", input}, "--input wants --wasm"},
		"wasm and no inputs":     {[]string{"--zkey", key, "--out", out, "--wasm", wasm}, "at least one --input"},
		"two of one name":        {[]string{"--zkey", key, "--out", out, "--wtns", witness, golden("bls12-381", "cells.wtns")}, "would write to the same cells.proof.json"},
		"no size":                {[]string{"--zkey", key, "--out", out, "--wtns", witness, "--memory", "lots"}, "write a size such as 512MiB"},
		"no memory":              {[]string{"--zkey", key, "--out", out, "--wtns", witness, "--memory", "0"}, "write a size such as 512MiB"},
		"unknown flag":           {[]string{"--colour"}, "unknown flag: --colour"},
		"metrics for everyone":   {[]string{"--zkey", key, "--out", out, "--wtns", witness, "--metrics", "0.0.0.0:9090"}, "loopback"},
		"metrics on all of them": {[]string{"--zkey", key, "--out", out, "--wtns", witness, "--metrics", ":9090"}, "loopback"},
		"metrics on a name":      {[]string{"--zkey", key, "--out", out, "--wtns", witness, "--metrics", "example.org:9090"}, "loopback"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := proofgraph(t, append([]string{"prove"}, c.args...)...)
			assert.Equal(t, usage, got.code, got.stderr)
			assert.Contains(t, got.stderr, c.says)
			assert.NoDirExists(t, out)
		})
	}
	for _, args := range [][]string{{"prov"}, {"key"}, {"key", "polish"}, {"run", "groth16"}, {"run"}, {"check"}, {"graph"}, {"explain"},
		{"verify"}, {"calldata"}, {"setup"}, {"witness"}, {"doctor", "me"}, {"graph", "groth16", "--format", "gif"}, {"demo", "--batch", "0"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			got := proofgraph(t, args...)
			assert.Equal(t, usage, got.code, got.stderr)
			assert.NotEmpty(t, got.stderr)
		})
	}
}

// A witness that does not satisfy its circuit makes no proof; the circuit, where it is given, tells why.
func TestUnsatisfiedWitness(t *testing.T) {
	eachCurve(t, func(t *testing.T, file func(string) string) {
		dir := t.TempDir()
		out := filepath.Join(dir, "out")
		args := []string{"prove", "--zkey", file("cells.zkey"), "--wtns", flipped(t, file("cells.wtns"), dir, "bad.wtns"), "--out", out}
		proofgraph(t, args...).requireEnds(t, notVerified, "bad.wtns: proof is not valid", "hint: ", ".r1cs")
		assert.Empty(t, namesIn(t, out))
		got := proofgraph(t, append(args, "--r1cs", file("cells.r1cs"))...)
		got.requireEnds(t, notVerified, "the witness does not satisfy the circuit", "constraint 11 is not satisfied", "-1·w29")
		assert.Empty(t, namesIn(t, out))
	})
}

var leastMemory = regexp.MustCompile(`--memory (\d+)KiB`)

// A budget that is too small is refused before any work, with the least that would do; and that does.
func TestTooLittleMemory(t *testing.T) {
	for _, pipeline := range pipelines.Names() {
		for _, memory := range []string{"1KiB", "100KiB"} {
			t.Run(pipeline+"/"+memory, func(t *testing.T) {
				out := filepath.Join(t.TempDir(), "out")
				args := []string{"prove", "--zkey", golden("bn254", "cells.zkey"), "--wtns", golden("bn254", "cells.wtns"), "--out", out, "--pipeline", pipeline, "--devices", "none"}
				got := proofgraph(t, append(args, "--memory", memory)...)
				got.requireEnds(t, tooLarge, "cannot fit", "the least that would do")
				assert.NoDirExists(t, out)
				least := leastMemory.FindStringSubmatch(got.stderr)
				require.NotNil(t, least, got.stderr)
				proofgraph(t, append(args, "--memory", least[1]+"KiB")...).requireEnds(t, done)
				less := fmt.Sprintf("%sKiB", decrement(t, least[1]))
				proofgraph(t, append(args, "--memory", less)...).requireEnds(t, tooLarge)
			})
		}
	}
}

func decrement(t *testing.T, number string) string {
	var n int
	_, err := fmt.Sscan(number, &n)
	require.NoError(t, err)
	return fmt.Sprint(n - 1)
}

func TestOutputThatCannotBeWritten(t *testing.T) {
	file := write(t, t.TempDir(), "file", nil)
	args := []string{"prove", "--zkey", golden("bn254", "cells.zkey"), "--wtns", golden("bn254", "cells.wtns"), "--out", filepath.Join(file, "out")}
	proofgraph(t, args...).requireEnds(t, failed, "cannot be written: not a directory")
}
