package budgettest

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/sim"
	"github.com/proofgraph/proofgraph/graph/sim/timeline"
)

// An Assertion is something more that a result must keep to.
type Assertion func(r *sim.Result) []Failure

// Run runs the budget tests that stand beside a pipeline of costed stages, each as a subtest, and holds every result that
// completed to further assertions. The path is relative to the module: "pipelines/porep.yaml".
func Run(t *testing.T, pipeline string, more ...Assertion) {
	t.Helper()
	RunKinds(t, pipeline, Costed, more...)
}

// RunKinds is Run for a pipeline of other kinds.
func RunKinds(t *testing.T, pipeline string, kinds Kinds, more ...Assertion) {
	t.Helper()
	cases, err := Load(strings.TrimSuffix(inModule(t, pipeline), ".yaml") + "_test.yaml")
	require.NoError(t, err)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			for _, failure := range runCase(t, c, kinds, more) {
				t.Error(failure)
			}
		})
	}
}

func runCase(t *testing.T, c Case, kinds Kinds, more []Assertion) []Failure {
	r, err := c.Simulate(kinds)
	require.NoError(t, err)
	failures := c.Check(r)
	for _, assert := range more {
		if r.Verdict.Outcome == sim.Completed {
			failures = append(failures, assert(r)...)
		}
	}
	return failures
}

// inModule finds a path from the folder that has go.mod.
func inModule(t *testing.T, path string) string {
	t.Helper()
	dir, err := os.Getwd()
	require.NoError(t, err)
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, path)
		}
	}
	require.FailNow(t, "there is no go.mod above the test")
	return ""
}

// Always asserts on every moment of a timeline: holds gets the bytes of each class by name.
func Always(what string, holds func(at time.Duration, bytes map[string]int64) bool) Assertion {
	return func(r *sim.Result) []Failure {
		for _, s := range r.Timeline.Samples {
			if !holds(s.At, byName(r.Timeline, s)) {
				return []Failure{{What: what, Wanted: "always", Got: fmt.Sprintf("not at %s", s.At), Excerpt: Excerpt(r.Timeline, s.At)}}
			}
		}
		return nil
	}
}

func byName(t *timeline.Timeline, s timeline.Sample) map[string]int64 {
	bytes := make(map[string]int64, len(t.Classes))
	for c, class := range t.Classes {
		bytes[class.Name] = s.Bytes[c]
	}
	return bytes
}

// RunFile runs a file of budget tests and writes a line for each, and what failed with its timeline. An error says that
// the file, a pipeline or a profile could not be read or that they do not go together.
func RunFile(w io.Writer, path string, kinds Kinds) (passed, failed int, err error) {
	cases, err := Load(path)
	if err != nil {
		return 0, 0, err
	}
	for _, c := range cases {
		r, err := c.Simulate(kinds)
		if err != nil {
			return passed, failed, fmt.Errorf("%s: test %q: %w", path, c.Name, err)
		}
		failures := c.Check(r)
		if len(failures) > 0 {
			failed++
		} else {
			passed++
		}
		if err := report(w, c, r, failures); err != nil {
			return passed, failed, err
		}
	}
	return passed, failed, nil
}

func report(w io.Writer, c Case, r *sim.Result, failures []Failure) error {
	word := "ok  "
	if len(failures) > 0 {
		word = "FAIL"
	}
	came := string(r.Verdict.Outcome)
	if r.PerJob > 0 {
		came = fmt.Sprintf("%s, %.4g s a job", came, r.PerJob)
	}
	_, err := fmt.Fprintf(w, "%s %s (%s)\n", word, c.Name, came)
	for _, f := range failures {
		if err == nil {
			_, err = fmt.Fprintf(w, "     %s\n", strings.ReplaceAll(strings.TrimRight(f.String(), "\n"), "\n", "\n     "))
		}
	}
	return err
}
