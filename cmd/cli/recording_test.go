package cli_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The page and the trace of a real run are those that a simulation of it gives: the same parts, the same tracks, the same
// counters, and a body for every stage and witness.
func TestARunAndItsSimulationGiveTheSamePageAndTrace(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	prove := []string{"prove", "--zkey", golden("bn254", "cells.zkey"), "--out", file("out"), "--memory", "64MiB", "--record-profile", file("here.yaml")}
	for _, name := range []string{"a.wtns", "b.wtns", "c.wtns"} {
		prove = append(prove, "--wtns", copyOf(t, golden("bn254", "cells.wtns"), dir, name))
	}
	proofgraph(t, append(prove, "--html", file("nowhere/run.html"))...).requireEnds(t, failed, "there is no directory "+file("nowhere"))
	assert.Empty(t, namesIn(t, file("out")), "and nothing was proved")
	proofgraph(t, append(prove, "--html", file("run.html"), "--trace", file("run.json"))...).requireEnds(t, done)
	proofgraph(t, "simulate", "groth16", "--profile", file("here.yaml"), "--jobs", "3", "--memory", "64MiB",
		"--html", file("sim.html"), "--trace", file("sim.json")).requireEnds(t, done)

	real, simulated := traceOf(t, read(t, file("run.json"))), traceOf(t, read(t, file("sim.json")))
	assert.Equal(t, simulated.tracks, real.tracks)
	assert.Equal(t, simulated.counters, real.counters)
	assert.Equal(t, simulated.bodies, real.bodies)
	require.Len(t, real.bodies, 12, "every stage has bodies")
	assert.Equal(t, 3, real.bodies["msm_a"])
	assert.Equal(t, 2*3, real.bodies["msm_b_g2"], "a launch and what goes on beside")
	realPage, simulatedPage := headings(read(t, file("run.html"))), headings(read(t, file("sim.html")))
	assert.NotEmpty(t, realPage)
	assert.Subset(t, simulatedPage, realPage)
	for _, words := range []string{"<svg", "msm_b_g2", "scratch", "measured, not simulated", "<dt>jobs</dt><dd>3</dd>", "<th class=\"words\">stage</th>"} {
		assert.Contains(t, string(read(t, file("run.html"))), words)
	}
}

// A report that could not be written at the end is refused at the beginning, and one in the folder of the proofs is not.
func TestReportsThatCannotBeWrittenAreRefusedBeforeAnyWork(t *testing.T) {
	dir := t.TempDir()
	prove := func(out string, flags ...string) outcome {
		return proofgraph(t, append([]string{"prove", "--zkey", goldenCells + ".zkey", "--wtns", goldenCells + ".wtns", "--out", out}, flags...)...)
	}
	for _, flag := range []string{"--html", "--trace", "--record-profile"} {
		out := filepath.Join(dir, flag)
		missing := filepath.Join(dir, "nowhere", "x")
		prove(out, flag, missing).requireEnds(t, failed, missing+" cannot be written: there is no directory "+filepath.Dir(missing))
		prove(out, flag, dir).requireEnds(t, failed, dir+" cannot be written: is a directory")
		assert.Empty(t, namesIn(t, out), "nothing was proved")
		prove(out, flag, filepath.Join(out, "report")).requireEnds(t, done)
		assert.Len(t, namesIn(t, out), 3)
	}
	device := prove(dir, "--trace", "/dev/null")
	device.requireEnds(t, done)
}

// trace is what a Perfetto trace tells of.
type trace struct {
	tracks, counters []string
	bodies           map[string]int
}

func traceOf(t *testing.T, text []byte) trace {
	events := decode[[]struct {
		Name, Ph, Cat string
		Args          map[string]any
	}](t, string(text))
	found := trace{bodies: map[string]int{}}
	for _, e := range events {
		switch e.Ph {
		case "M":
			found.tracks = append(found.tracks, fmt.Sprint(e.Name, ": ", e.Args))
		case "C":
			found.counters = append(found.counters, slices.Sorted(maps.Keys(e.Args))...)
		case "X":
			found.bodies[e.Cat]++
		}
	}
	slices.Sort(found.tracks)
	slices.Sort(found.counters)
	found.counters = slices.Compact(found.counters)
	return found
}

var heading = regexp.MustCompile(`<h3>([^<]*)</h3>`)

func headings(page []byte) (all []string) {
	for _, match := range heading.FindAllSubmatch(page, -1) {
		all = append(all, strings.TrimSpace(string(match[1])))
	}
	return all
}

// Profiles of two circuits are merged: the curves have both sizes.
func TestSimulateMergesProfiles(t *testing.T) {
	dir := t.TempDir()
	c := theLarge(t)
	small, large := filepath.Join(dir, "small.yaml"), filepath.Join(dir, "large.yaml")
	proofgraph(t, "prove", "--zkey", goldenCells+".zkey", "--wtns", goldenCells+".wtns", "--out", dir, "--memory", "64MiB", "--record-profile", small).requireEnds(t, done)
	proofgraph(t, "prove", "--zkey", c.zkey, "--wtns", c.wtns, "--out", dir, "--memory", "256MiB", "--record-profile", large).requireEnds(t, done)
	simulate := func(profiles ...string) float64 {
		args := []string{"simulate", "groth16", "--jobs", "2", "--json", "--zkey", c.zkey, "--memory", "64MiB"}
		for _, p := range profiles {
			args = append(args, "--profile", p)
		}
		got := proofgraph(t, args...)
		got.requireEnds(t, done)
		return decode[[]struct {
			Seconds float64 `json:"seconds_per_job"`
		}](t, got.stdout)[0].Seconds
	}
	one, both := simulate(large), simulate(small, large)
	assert.InEpsilon(t, one, both, 0.25, "the size that the second profile knows") // the two draw other luck
	assert.Greater(t, simulate(small), 3*both, "in proportion, a small circuit's fixed costs grow too")
	proofgraph(t, "simulate", "porep", "--profile", small, "--profile", "threadripper-7995wx").requireEnds(t, invalid, "of different machines")
}

// A run in which nothing ran has its own exit code, and leaves no profile that knows nothing.
func TestNoProfileOfNothing(t *testing.T) {
	profile := filepath.Join(t.TempDir(), "none.yaml")
	proofgraphWith(t, "{}\n", "run", "groth16", "--jobs", "-", "--memory", "64MiB", "--record-profile", profile).
		requireEnds(t, invalid, "no profile was written to "+profile+": no body came to its end")
	assert.NoFileExists(t, profile)
}
