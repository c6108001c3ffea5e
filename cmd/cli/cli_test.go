package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cmd/cli"
)

// The exit codes, as users know them.
const (
	done        = 0
	failed      = 1
	usage       = 2
	invalid     = 3
	tooLarge    = 4
	stalled     = 5
	notVerified = 6
	interrupted = 130
)

// beTheProgram makes this test binary be proofgraph itself: tests that send signals run it as a child.
const beTheProgram = "PROOFGRAPH_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(beTheProgram) != "" {
		os.Exit(cli.System().Run(os.Args[1:]))
	}
	os.Setenv("PG_STANDIN_DEVICES", "0") // of the stand-in of the CUDA kernels, for tests that do not ask for devices
	code := m.Run()
	removeLarge()
	os.Exit(code)
}

// curves are the folders of golden data.
var curves = []string{"bn254", "bls12-381"}

// golden names a file of the golden data.
func golden(parts ...string) string {
	return filepath.Join(append([]string{"..", "..", "proving", "testdata"}, parts...)...)
}

// outcome is what a command line came to.
type outcome struct {
	code           int
	stdout, stderr string
}

// proofgraph carries out a command line.
func proofgraph(t *testing.T, args ...string) outcome {
	return proofgraphWith(t, "", args...)
}

func proofgraphWith(t *testing.T, stdin string, args ...string) outcome {
	t.Helper()
	return carryOut(stdin, args...)
}

func carryOut(stdin string, args ...string) outcome { return carryOutOn(nil, stdin, args...) }

// carryOutOn carries out a command line on a machine whose /proc and /sys are given.
func carryOutOn(root fs.FS, stdin string, args ...string) outcome {
	var stdout, stderr bytes.Buffer
	app := &cli.App{
		Stdin: strings.NewReader(stdin), Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" }, Root: root,
	}
	code := app.RunContext(context.Background(), args)
	return outcome{code, stdout.String(), stderr.String()}
}

// requireEnds requires an exit code and words on stderr.
func (o outcome) requireEnds(t *testing.T, code int, words ...string) {
	t.Helper()
	require.Equal(t, code, o.code, o.stderr)
	for _, w := range words {
		require.Contains(t, o.stderr, w)
	}
	require.NotContains(t, o.stderr, "panic")
}

// decode reads what a command printed as JSON.
func decode[T any](t *testing.T, text string) T {
	t.Helper()
	var document T
	require.NoError(t, json.Unmarshal([]byte(text), &document), text)
	return document
}

// What comes to no result is told in JSON too, where JSON is asked for.
func TestFailuresInJSON(t *testing.T) {
	prove := []string{"prove", "--out", t.TempDir(), "--wtns", golden("bn254", "cells.wtns"), "--zkey"}
	cases := map[string][]string{
		"cannot fit":          append(prove, golden("bn254", "cells.zkey"), "--memory", "10KiB"),
		"there is no file":    append(prove, "nowhere.zkey"),
		"malformed file":      {"key", "check", golden("bn254", "cells.wtns")},
		"see proofgraph run":  {"run"},
		"no stage kind":       {"explain", "nothing"},
		"there is no profile": {"simulate", "groth16", "--profile", "nowhere"},
	}
	for says, args := range cases {
		got := proofgraph(t, append(args, "--json")...)
		failure := decode[struct {
			Error string
			Code  int `json:"exit_code"`
		}](t, got.stdout)
		require.Equal(t, got.code, failure.Code)
		require.NotZero(t, failure.Code)
		require.Contains(t, failure.Error, says)
		got.requireEnds(t, failure.Code, says)
	}
}

// requireVerifies requires that `verify` accepts files of a proof.
func requireVerifies(t *testing.T, vkey, proof, public string) {
	t.Helper()
	proofgraph(t, "verify", "--vkey", vkey, "--proof", proof, "--public", public).requireEnds(t, done)
}

// write writes a file into a folder and gives its name.
func write(t *testing.T, dir, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(path, data, 0o644))
	return path
}

// read reads a file.
func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return data
}

// copyOf copies a file into a folder under another name.
func copyOf(t *testing.T, from, dir, name string) string { return write(t, dir, name, read(t, from)) }

// flipped writes a copy of a witness in which the lowest bit of its last value is another.
func flipped(t *testing.T, witness, dir, name string) string {
	data := read(t, witness)
	data[len(data)-32] ^= 1
	return write(t, dir, name, data)
}

// namesIn lists the files of a folder; none where it does not exist.
func namesIn(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if !os.IsNotExist(err) {
		require.NoError(t, err)
	}
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
