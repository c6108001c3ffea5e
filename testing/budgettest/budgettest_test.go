package budgettest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/sim"
)

const pipeline = `
pipeline: small
params: { workers: { default: 2, range: [1, 8] } }
pools: { host: { limit: auto, margin: 4 } }
buffers: { v: { pool: host } }
stages:
  make: { kind: model.stage, out: "q:v=10", workers: "${workers}", time: 3s, release: on_complete }
  use: { kind: model.stage, in: q, time: 1s }
edges: [{ from: make.q, to: use.q, capacity: 1, bytes: 100% }]
`

const tests = `
profile: machine.yaml
arrivals: { jobs: 6 }
tests:
  - name: holds
    expect: { pools: { host: 40 }, classes: { v: 40 }, items_held: 4, seconds_per_job: 2, utilisation: { make: 0.8 } }
  - name: limited by the test
    limits: { host: 10 }
    expect: { pools: { host: 10 }, items_held: 1, seconds_per_job: 4 }
  - name: refused
    limits: { host: 9 }
    expect: { outcome: refused, reason: needs 10 }
  - name: too much
    set: { workers: 8 }
    arrivals: { jobs: 3, items: 2 }
    expect: { pools: { host: 25 }, items_held: 1, seconds_per_job: 0.5, latency_p99: 1, utilisation: { use: 0.99, none: 0 } }
  - name: not refused
    limits: { host: 9 }
`

// write puts the pipeline, its machine and tests into a folder and gives the path of the tests.
func write(t *testing.T, tests string) string {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"small.yaml": pipeline, "machine.yaml": "profile: m\nmachine: { memory: { host: { total: 104 } } }", "small_test.yaml": tests,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return filepath.Join(dir, "small_test.yaml")
}

func TestWhatIsExpectedAndWhatComes(t *testing.T) {
	var out strings.Builder
	passed, failed, err := RunFile(&out, write(t, tests), Costed)
	require.NoError(t, err)
	assert.Equal(t, 3, passed, out.String())
	assert.Equal(t, 2, failed)
	for _, want := range []string{
		"ok   holds (completed", "ok   refused (refused)",
		"peak of pool host: wanted at most 25 B, got 60 B", "→    0s  60 B", "make: job 0 item 0 since 0s; job 0 item 1 since 0s",
		"items held: wanted at most 1, got 6", "seconds per job: wanted at most 0.5", "latency p99: wanted at most 1", "utilisation of use: wanted at least 0.99",
		"it waited most for workers, 5s", "stage none: wanted to be there",
		"outcome: wanted completed, got refused: the edge from make.q to use has 9 B and one item needs 10 B; pool host would do with 10 B (10 bytes)",
	} {
		assert.Contains(t, out.String(), want)
	}
}

func TestMemoryThatRunsOutIsShownWithItsHolders(t *testing.T) {
	path := write(t, "profile: machine.yaml\narrivals: { jobs: 20, items: 1 }\ntests: [{ name: dies, set: { workers: 8 }, limits: { host: 1000 } }]")
	var out strings.Builder
	_, failed, err := RunFile(&out, path, Costed)
	require.NoError(t, err)
	assert.Equal(t, 1, failed)
	for _, want := range []string{"got out of memory at 3 s: 110 B are resident and the machine has 104 B", "holder 1: job 0, item 0 has 10 B", "under way at 3s"} {
		assert.Contains(t, out.String(), want)
	}
}

func TestAlways(t *testing.T) {
	cases, err := Load(write(t, tests))
	require.NoError(t, err)
	r, err := cases[0].Simulate(Costed)
	require.NoError(t, err)
	below := func(most int64) Assertion {
		return Always("few vectors", func(_ time.Duration, bytes map[string]int64) bool { return bytes["v"] <= most })
	}
	assert.Empty(t, below(40)(r))
	failures := below(30)(r)
	require.Len(t, failures, 1)
	assert.Contains(t, failures[0].String(), "few vectors: wanted always, got not at 3s")
	assert.Contains(t, failures[0].String(), "→    3s  40 B")
}

func TestWrongFiles(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"empty", "", "there are no tests"},
		{"unknown key", "tests: [{ name: a, expcet: {} }]", "line 1: unknown key \"expcet\"; there are name, pipeline, profile, set"},
		{"a pipeline", "pipeline: p\nstages: {}", "this is a pipeline, and no file of budget tests"},
		{"no name", "arrivals: { jobs: 1, items: 1 }\ntests: [{}]", "it needs a name"},
		{"no arrivals", "tests: [{ name: a }]", "it needs arrivals"},
		{"no such outcome", "arrivals: { jobs: 1, items: 1 }\ntests: [{ name: a, expect: { outcome: fine } }]", `not "fine"`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read("x_test.yaml", []byte(c.text))
			assert.ErrorContains(t, err, c.want)
			assert.ErrorContains(t, err, "x_test.yaml: ")
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(tests))
	f.Add([]byte("tests: [{ name: a, arrivals: { jobs: 1, items: 1, every: 3s }, expect: { pools: { host: 1GiB } } }]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		cases, err := Read("x_test.yaml", text)
		if err == nil {
			assert.NotEmpty(t, cases)
			assert.Contains(t, []sim.Outcome{sim.Completed, sim.OutOfMemory, sim.Refused, sim.Stalled}, cases[0].Expect.Outcome)
		}
	})
}
