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
