package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var porep = []string{"porep", "--profile", "threadripper-7995wx", "--jobs", "6", "--items", "10", "--at-once", "3"}

func TestSimulateSaysWhetherAPipelineGetsThrough(t *testing.T) {
	page, trace := filepath.Join(t.TempDir(), "page.html"), filepath.Join(t.TempDir(), "trace.json")
	got := proofgraph(t, append([]string{"simulate", "--json", "--memory", "256GiB", "--html", page, "--trace", trace}, porep...)...)
	got.requireEnds(t, done)
	results := decode[[]struct {
		Seconds float64 `json:"seconds_per_job"`
		Verdict struct{ Outcome string }
	}](t, got.stdout)
	require.Len(t, results, 1)
	assert.Equal(t, "completed", results[0].Verdict.Outcome)
	assert.Positive(t, results[0].Seconds)
	assert.FileExists(t, page)
	events, err := os.ReadFile(trace)
	require.NoError(t, err)
	assert.True(t, json.Valid(events))

	proofgraph(t, append([]string{"simulate", "--memory", "32GiB"}, porep...)...).requireEnds(t, tooLarge)
	proofgraph(t, "simulate", "porep").requireEnds(t, usage, "--profile")
	proofgraph(t, "simulate", "porep", "--profile", "nowhere.yaml").requireEnds(t, invalid)
}

// What an operator gets wrong is told by the flags' own names, with what would be right.
func TestQuestionsThatMakeNoSense(t *testing.T) {
	porep := func(flags ...string) []string {
		return append([]string{"simulate", "porep", "--profile", "threadripper-7995wx"}, flags...)
	}
	for name, c := range map[string]struct {
		args []string
		code int
		says []string
	}{
		"no profile":        {[]string{"simulate", "porep"}, usage, []string{"threadripper-7995wx; prove and run make one of this machine: --record-profile"}},
		"unknown profile":   {[]string{"simulate", "porep", "--profile", "nope"}, invalid, []string{"there is no profile nope; ", "threadripper-7995wx"}},
		"no jobs":           {porep("--jobs", "0"), usage, []string{"--jobs and --items are at least 1"}},
		"below zero":        {porep("--at-once", "-1"), usage, []string{"cannot be below zero"}},
		"clock and at once": {porep("--at-once", "3", "--every", "5s"), usage, []string{"--every, or as others end, --at-once, and not both"}},
		"random without":    {porep("--random"), usage, []string{"--random wants the mean time between jobs: --every 30s"}},
		"another pipeline's": {[]string{"simulate", "groth16", "--profile", "threadripper-7995wx"}, invalid,
			[]string{"pipeline groth16: ", "hint: profile threadripper-7995wx has costs of ", "prove_and_wait"}},
		"the same, planned": {[]string{"plan", "groth16", "--profile", "h200-dense"}, invalid,
			[]string{`no cost of stage "synthesize"`, "hint: profile h200-dense has costs of "}},
		"traces of two": {append(porep("--trace", "x.json"), "porep"), usage, []string{"--trace is of one pipeline; --html shows several"}},
		"nothing fits": {[]string{"plan", "porep", "--profile", "threadripper-7995wx", "--memory", "20GiB", "--jobs", "1"}, tooLarge,
			[]string{"pool host would do with 89.2 GiB"}},
	} {
		t.Run(name, func(t *testing.T) { proofgraph(t, c.args...).requireEnds(t, c.code, c.says...) })
	}
}

func TestSimulateShowsPipelinesSideBySide(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.html")
	got := proofgraph(t, "simulate", "porep", "../../pipelines/cuzk/phase11.yaml", "--profile", "threadripper-7995wx", "--jobs", "3", "--items", "10",
		"--memory", "80GiB", "--html", page)
	got.requireEnds(t, tooLarge)
	assert.Contains(t, got.stdout, "porep: refused: the pool \"host\" has 80 GiB", "the page of a refused pipeline is written all the same")
	for _, want := range []string{"porep, cuzk-phase11, simulated", "refused: ", "<h2>cuzk-phase11</h2>"} {
		assert.Contains(t, string(read(t, page)), want)
	}
}

func TestPlanFindsASettingUnderALimit(t *testing.T) {
	got := proofgraph(t, append([]string{"plan", "--json", "--memory", "200GiB"}, porep...)...)
	got.requireEnds(t, done)
	found := decode[struct {
		Front []struct{ Bytes int64 }
	}](t, got.stdout)
	require.NotEmpty(t, found.Front)
	for _, point := range found.Front {
		assert.LessOrEqual(t, point.Bytes, int64(200)<<30)
	}
	proofgraph(t, append([]string{"plan", "--objective", "beauty"}, porep...)...).requireEnds(t, usage)
}

func TestBudgetTestsFromTheCommandLine(t *testing.T) {
	proofgraph(t, "test", "../../pipelines/porep_test.yaml").requireEnds(t, done)
	proofgraph(t, "test", "../../pipelines/porep.yaml").requireEnds(t, invalid,
		"porep.yaml: this is a pipeline, and no file of budget tests, which is called NAME_test.yaml")
	failing := filepath.Join(t.TempDir(), "tight_test.yaml")
	tight := "profile: " + absolute(t, "../../pipelines/profiles/threadripper-7995wx.yaml") + `
arrivals: { jobs: 4, items: 10 }
tests:
  - name: too good to be true
    pipeline: ` + absolute(t, "../../pipelines/porep.yaml") + `
    expect: { seconds_per_job: 1 }
`
	require.NoError(t, os.WriteFile(failing, []byte(tight), 0o644))
	got := proofgraph(t, "test", failing)
	got.requireEnds(t, failed)
	assert.Contains(t, got.stdout, "FAIL too good to be true")
	got = proofgraph(t, "test", "--json", "../../pipelines/porep_test.yaml", failing)
	got.requireEnds(t, failed)
	results := decode[[]struct {
		Name     string
		OK       bool
		Failures []string
	}](t, got.stdout)
	last := results[len(results)-1]
	assert.True(t, results[0].OK)
	assert.False(t, last.OK)
	require.Len(t, last.Failures, 1)
	assert.Contains(t, last.Failures[0], "seconds per job: wanted at most 1, got ")
}

// A profile recorded from a run is one that simulations take.
func TestRecordedProfileSimulates(t *testing.T) {
	profile := filepath.Join(t.TempDir(), "here.yaml")
	proofgraph(t, "prove", "--zkey", goldenCells+".zkey", "--wtns", goldenCells+".wtns", "--out", t.TempDir(), "--memory", "64MiB", "--record-profile", profile).requireEnds(t, done)
	proofgraph(t, "simulate", "groth16", "serial", "--profile", profile, "--jobs", "3", "--memory", "64MiB").requireEnds(t, done)
}

func absolute(t *testing.T, path string) string {
	full, err := filepath.Abs(path)
	require.NoError(t, err)
	return full
}
