package cli_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// answer is a line that run prints for a job.
type answer struct {
	ID, Proof, Public, Error string
	OK                       bool
	ExitCode                 int `json:"exit_code"`
}

// answers reads the lines that run printed, by job.
func answers(t *testing.T, stdout string) map[string]answer {
	byID := map[string]answer{}
	for line := range strings.Lines(stdout) {
		a := decode[answer](t, line)
		assert.NotContains(t, byID, a.ID, "two answers for one job")
		byID[a.ID] = a
	}
	return byID
}

// jobLine makes a line of jobs.
func jobLine(t *testing.T, fields map[string]any) string {
	line, err := json.Marshal(fields)
	require.NoError(t, err)
	return string(line) + "\n"
}

// job is a job over golden data that writes its proof to a folder.
func job(t *testing.T, id, curve, out string) string {
	return jobLine(t, map[string]any{
		"id": id, "zkey": golden(curve, "cells.zkey"), "wtns": golden(curve, "cells.wtns"),
		"proof": filepath.Join(out, id+".proof.json"), "public": filepath.Join(out, id+".public.json"),
	})
}

// Every line is answered, good or bad, and a bad one disturbs no other.
func TestRunAnswersEveryLine(t *testing.T) {
	out := t.TempDir()
	bad := flipped(t, golden("bn254", "cells.wtns"), t.TempDir(), "bad.wtns")
	lines := job(t, "first", "bn254", out) +
		"this is no JSON\n" +
		"\n" +
		`{"id": "empty"}` + "\n" +
		`{"id": "colour", "colour": "blue"}` + "\n" +
		`{"id": "urgent", "priority": "high"}` + "\n" +
		`{"id": "half", "zkey": "k", "wasm": "c.wasm"}` + "\n" +
		`{"id": "one"} {"id": "two"}` + "\n" +
		`{"id": "red\u001b[31m", "zkey": "k", "wtns": "w"}` + "\n" +
		`{"id": "` + strings.Repeat("long", 1000) + `"}` + "\n" +
		jobLine(t, map[string]any{"id": "missing", "zkey": "nowhere.zkey", "wtns": "w"}) +
		jobLine(t, map[string]any{"id": "unsatisfied", "zkey": golden("bn254", "cells.zkey"), "wtns": bad}) +
		jobLine(t, map[string]any{"id": "inputs", "zkey": golden("bn254", "cells.zkey"), "wasm": golden("bn254", "cells.wasm"), "input": golden("input.json"), "priority": 3}) +
		job(t, "unwritable", "bn254", filepath.Join(out, "nowhere")) +
		job(t, "last", "bls12-381", out)
	got := proofgraphWith(t, lines, "run", "groth16", "--jobs", "-", "--memory", "64MiB")
	got.requireEnds(t, notVerified, "3 proofs in ", "11 failed")
	by := answers(t, got.stdout)
	want := map[string]struct {
		code int
		says string
	}{
		"first": {done, ""}, "last": {done, ""}, "inputs": {done, ""},
		"line 2":      {invalid, "line 2: this is no job: it is not JSON ("},
		"empty":       {invalid, `line 4: a job wants "zkey"`},
		"colour":      {invalid, `line 5: this is no job: unknown field "colour"`},
		"urgent":      {invalid, `line 6: this is no job: "priority" is a whole number, and not of the kind string`},
		"half":        {invalid, `"wasm" and "input" go together`},
		"one":         {invalid, "more than one job in the line"},
		"line 9":      {invalid, "characters that can be printed"},
		"line 10":     {invalid, "an id has at most 256 bytes"},
		"missing":     {invalid, "there is no file"},
		"unsatisfied": {notVerified, "the pairing equation does not hold"},
		"unwritable":  {failed, "cannot be written"},
	}
	assert.Len(t, by, len(want))
	for id, w := range want {
		assert.Equal(t, w.code, by[id].ExitCode, id)
		assert.Equal(t, w.code == done, by[id].OK, id)
		assert.Contains(t, by[id].Error, w.says, id)
		if w.says != "" {
			assert.Contains(t, got.stderr, w.says)
		}
	}
	requireVerifies(t, golden("bn254", "verification_key.json"), by["first"].Proof, by["first"].Public)
	requireVerifies(t, golden("bls12-381", "verification_key.json"), by["last"].Proof, by["last"].Public)
	assert.Equal(t, []string{"first.proof.json", "first.public.json", "last.proof.json", "last.public.json"}, namesIn(t, out))
}

func TestRunClosesWithItsReportInJSON(t *testing.T) {
	dir := t.TempDir()
	got := proofgraphWith(t, job(t, "a", "bn254", dir), "run", "groth16", "--jobs", "-", "--json")
	got.requireEnds(t, done)
	assert.Empty(t, got.stderr)
	lines := strings.Split(strings.TrimSpace(got.stdout), "\n")
	require.Len(t, lines, 2)
	report := decode[struct {
		Stages []struct{ Name string }
		Wall   float64
	}](t, lines[1])
	assert.Len(t, report.Stages, 12)
	assert.Positive(t, report.Wall)
}

func TestRunReadsAFile(t *testing.T) {
	dir := t.TempDir()
	jobs := write(t, dir, "jobs.jsonl", []byte(job(t, "a", "bn254", dir)+job(t, "b", "bn254", dir)))
	got := proofgraph(t, "run", "serial", "-q", "--jobs", jobs)
	got.requireEnds(t, done)
	assert.Len(t, answers(t, got.stdout), 2)
	assert.Empty(t, got.stderr)
	proofgraph(t, "run", "serial", "--jobs", filepath.Join(dir, "nowhere")).requireEnds(t, invalid, "there is no file")
	proofgraph(t, "run", filepath.Join(dir, "nowhere.yaml"), "--jobs", jobs).requireEnds(t, invalid, "there is no file")
}

func TestRunWithoutJobsSaysSo(t *testing.T) {
	got := proofgraphWith(t, "\n", "run", "groth16", "--jobs", "-")
	got.requireEnds(t, done, "there were no jobs")
	assert.Empty(t, got.stdout)
}

func TestRunAnswersALineThatIsTooLong(t *testing.T) {
	long := job(t, "good", "bn254", t.TempDir()) + `{"id": "` + strings.Repeat("x", 2<<20) + `"}`
	got := proofgraphWith(t, long, "run", "groth16", "-q", "--jobs", "-")
	got.requireEnds(t, invalid, "line 2", "too long")
	by := answers(t, got.stdout)
	assert.True(t, by["good"].OK)
	assert.Len(t, by, 2)
}

func TestRunRefusesAJobThatCannotFitAndGoesOn(t *testing.T) {
	out := t.TempDir()
	jobs := ""
	for i := range 3 {
		jobs += job(t, fmt.Sprint(i), "bn254", out)
	}
	got := proofgraphWith(t, jobs, "run", "groth16", "-q", "--jobs", "-", "--memory", "100KiB")
	got.requireEnds(t, tooLarge, "jobs, line 2: 1 cannot fit", "the least that would do")
	assert.Len(t, answers(t, got.stdout), 3)
	assert.Empty(t, namesIn(t, out))
}
