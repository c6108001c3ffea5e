package cli_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSetupNamesItsFilesInsecure(t *testing.T) {
	eachCurve(t, func(t *testing.T, file func(string) string) {
		dir := filepath.Join(t.TempDir(), "keys")
		got := proofgraph(t, "setup", "--r1cs", file("cells.r1cs"), "--out", dir)
		got.requireEnds(t, done, "This is a development key")
		zkey, vkey := filepath.Join(dir, "cells.insecure.zkey"), filepath.Join(dir, "cells.insecure.vkey.json")
		assert.Equal(t, zkey+"\n"+vkey+"\n", got.stdout)
		assert.Equal(t, []string{"cells.insecure.vkey.json", "cells.insecure.zkey"}, namesIn(t, dir))

		out := t.TempDir()
		proofgraph(t, "prove", "-q", "--zkey", zkey, "--wtns", file("cells.wtns"), "--out", out).requireEnds(t, done)
		requireVerifies(t, vkey, filepath.Join(out, "proof.json"), filepath.Join(out, "public.json"))
		proof := []string{"--proof", filepath.Join(out, "proof.json"), "--public", filepath.Join(out, "public.json")}
		proofgraph(t, append(proof, "verify", "--vkey", file("verification_key.json"))...).requireEnds(t, notVerified)

		exported := proofgraph(t, "key", "export", zkey)
		exported.requireEnds(t, done)
		assert.Equal(t, string(read(t, vkey)), exported.stdout)
	})
}

func TestSetupRefusals(t *testing.T) {
	dir := t.TempDir()
	circuit := golden("bn254", "cells.r1cs")
	proofgraph(t, "setup", "--r1cs", circuit, "--out", dir, "--zkey", filepath.Join(dir, "secure.zkey")).
		requireEnds(t, usage, "the name of a development key must say that it is insecure")
	proofgraph(t, "setup", "--r1cs", circuit).requireEnds(t, usage, "--out")
	proofgraph(t, "setup", "--r1cs", "nowhere.r1cs", "--out", dir).requireEnds(t, invalid, "there is no file nowhere.r1cs")
	short := write(t, dir, "short.r1cs", read(t, circuit)[:200])
	keys := filepath.Join(dir, "keys")
	proofgraph(t, "setup", "--r1cs", short, "--out", keys).requireEnds(t, invalid, "short.r1cs: malformed file")
	assert.Empty(t, namesIn(t, keys))
}

// A key that has passed is remembered by its content, under the user's cache directory.
func TestKeyCheckRemembers(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	key := golden("bn254", "cells.zkey")
	check := func(args ...string) outcome { return proofgraph(t, append([]string{"key", "check"}, args...)...) }
	first := check(key)
	first.requireEnds(t, done)
	assert.Contains(t, first.stdout, "every point is on its curve")
	copied := copyOf(t, key, t.TempDir(), "copy.zkey")
	second := check(copied)
	second.requireEnds(t, done)
	assert.Contains(t, second.stdout, "copy.zkey has passed before")
	again := check(key, "--again")
	again.requireEnds(t, done)
	assert.Contains(t, again.stdout, "every point is on its curve")

	verdict := decode[map[string]any](t, check(key, "--json").stdout)
	assert.Equal(t, []any{true, true}, []any{verdict["sound"], verdict["passed_before"]})

	data := read(t, key)
	data[len(data)-1000] ^= 4
	broken := check(write(t, t.TempDir(), "broken.zkey", data))
	broken.requireEnds(t, invalid, "broken.zkey")
	assert.Empty(t, broken.stdout)
	assert.Equal(t, invalid, check(write(t, t.TempDir(), "broken.zkey", data)).code, "what failed is not remembered")
	check("nowhere.zkey").requireEnds(t, invalid, "there is no file nowhere.zkey")
}

func TestWitness(t *testing.T) {
	eachCurve(t, func(t *testing.T, file func(string) string) {
		dir := t.TempDir()
		out := filepath.Join(dir, "made.wtns")
		proofgraph(t, "witness", "--wasm", file("cells.wasm"), "--input", golden("input.json"), "--out", out).requireEnds(t, done)
		assert.Equal(t, read(t, file("cells.wtns")), read(t, out), "as circom's own program computes it")
		bad := write(t, dir, "bad.json", []byte(`{"colour": "1"}`))
		proofgraph(t, "witness", "--wasm", file("cells.wasm"), "--input", bad, "--out", filepath.Join(dir, "none.wtns")).
			requireEnds(t, invalid, "bad.json")
		assert.NoFileExists(t, filepath.Join(dir, "none.wtns"))
		proofgraph(t, "witness", "--wasm", file("cells.wasm"), "--input", golden("input.json"), "--out", filepath.Join(dir, "no", "w.wtns")).
			requireEnds(t, failed, "cannot be written")
	})
}

func TestDoctor(t *testing.T) {
	got := proofgraph(t, "doctor")
	got.requireEnds(t, done)
	for _, words := range []string{"cores", "memory", "bn254", "bls12-381", "works, and backend: auto takes it"} {
		assert.Contains(t, got.stdout, words)
	}
	machine := decode[struct {
		Cores   int
		Engines []struct {
			Name, Curve     string
			Available, Auto bool
		}
	}](t, proofgraph(t, "doctor", "--json").stdout)
	assert.Positive(t, machine.Cores)
	autos := map[string]int{}
	for _, e := range machine.Engines {
		if e.Auto {
			assert.True(t, e.Available)
			autos[e.Curve]++
		}
	}
	assert.Equal(t, map[string]int{"bn254": 1, "bls12-381": 1}, autos, "auto takes one engine a curve")
}

func TestVersionHelpAndCompletion(t *testing.T) {
	assert.Contains(t, proofgraph(t, "version").stdout, "proofgraph ")
	help := proofgraph(t, "--help")
	help.requireEnds(t, done)
	assert.Contains(t, help.stdout, "6 a proof did not verify")
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		got := proofgraph(t, "completion", shell)
		got.requireEnds(t, done)
		assert.Contains(t, got.stdout, "proofgraph")
	}
	completed := proofgraph(t, "__complete", "pro")
	assert.Contains(t, completed.stdout, "prove\t")
}

// demo makes what it needs, proves it, and uses its key again.
func TestDemo(t *testing.T) {
	dir := t.TempDir()
	args := []string{"demo", "--circuit", "mul", "--constraints", "500", "--batch", "3", "--memory", "16MiB", "--dir", dir}
	for _, pipeline := range []string{"groth16", "batch"} {
		got := proofgraph(t, append(args, "--pipeline", pipeline)...)
		got.requireEnds(t, done, "a mul circuit over bn254", "proving 3 witnesses through "+pipeline+" within 16MiB", "3 proofs in ",
			"all 3 proofs verify, read back from their files")
	}
	key := read(t, filepath.Join(dir, "mul-bn254-500.insecure.zkey"))
	proofgraph(t, args...).requireEnds(t, done)
	assert.Equal(t, key, read(t, filepath.Join(dir, "mul-bn254-500.insecure.zkey")), "the key is made once")
	assert.Len(t, namesIn(t, filepath.Join(dir, "proofs")), 6)
	for flag, value := range map[string]string{"--circuit": "maze", "--curve": "p256", "--constraints": "0", "--batch": "0", "--pipeline": "nothing"} {
		got := proofgraph(t, "demo", flag, value)
		assert.Contains(t, []int{usage, invalid}, got.code, got.stderr)
		assert.Contains(t, got.stderr, value)
	}
}
