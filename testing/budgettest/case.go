// Package budgettest holds pipelines to budgets by simulating them: tests written in YAML beside a pipeline
// (porep_test.yaml beside porep.yaml), and the same from Go.
//
// Reading order: File and Case (case.go) are what is written, Case.Run (check.go) simulates and compares, Run (run.go) is
// for Go tests and RunFile for the command line; excerpt.go shows the timeline around what was violated.
package budgettest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/proofgraph/proofgraph/graph/sim"
)

// A File is a file of budget tests. Profile and Arrivals hold for every test that names none of its own; paths are
// relative to the file.
type File struct {
	Profile  string        `yaml:"profile"`
	Arrivals *sim.Arrivals `yaml:"arrivals"`
	Tests    []Case        `yaml:"tests"`
}

// A Case is one budget test.
type Case struct {
	Name     string              `yaml:"name"`
	Pipeline string              `yaml:"pipeline"` // by default the one beside which the file stands
	Profile  string              `yaml:"profile"`
	Set      map[string]string   `yaml:"set"`    // parameters
	Limits   map[string]sim.Size `yaml:"limits"` // of pools; by default what the profile's machine has
	Arrivals *sim.Arrivals       `yaml:"arrivals"`
	Seed     uint64              `yaml:"seed"`
	Expect   Expect              `yaml:"expect"`
}

// Expect is what a result must keep to. What is zero or absent is not looked at, but the outcome, which is "completed"
// unless another is written: a stall, a refusal or memory that runs out fails every test that does not ask for it.
type Expect struct {
	Outcome sim.Outcome `yaml:"outcome"`
	// Pools and Classes are the most resident bytes.
	Pools   map[string]sim.Size `yaml:"pools"`
	Classes map[string]sim.Size `yaml:"classes"`
	// ItemsHeld is the greatest number of items with carried bytes.
	ItemsHeld int `yaml:"items_held"`
	// Seconds, at most.
	SecondsPerJob float64 `yaml:"seconds_per_job"`
	Steady        float64 `yaml:"steady_seconds_per_job"`
	LatencyP99    float64 `yaml:"latency_p99"`
	// Utilisation is the least that stages must be busy, from 0 to 1.
	Utilisation map[string]float64 `yaml:"utilisation"`
	// Reason is a part of the verdict's reason, for a refusal that must name a number.
	Reason string `yaml:"reason"`
}

// maxFile bounds what is read of a file of tests.
const maxFile = 1 << 20

// Load reads a file of budget tests.
func Load(path string) ([]Case, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read budget tests: %w", err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxFile))
	if err != nil {
		return nil, fmt.Errorf("read budget tests: %w", err)
	}
	return Read(path, text)
}

// Read reads budget tests from the text of the file at path.
func Read(path string, text []byte) ([]Case, error) {
	var f File
	if err := sim.Decode(text, "file of budget tests, which is called NAME_test.yaml", &f); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(f.Tests) == 0 {
		return nil, fmt.Errorf("%s: there are no tests", path)
	}
	for i := range f.Tests {
		if err := f.complete(&f.Tests[i], path); err != nil {
			return nil, fmt.Errorf("%s: test %d (%q): %w", path, i+1, f.Tests[i].Name, err)
		}
	}
	return f.Tests, nil
}

// complete fills in what a test leaves to its file.
func (f *File) complete(c *Case, path string) error {
	beside := func(name string) string {
		if name == "" || filepath.IsAbs(name) {
			return name
		}
		return filepath.Join(filepath.Dir(path), name)
	}
	if c.Pipeline == "" {
		c.Pipeline = strings.TrimSuffix(filepath.Base(path), "_test.yaml") + ".yaml"
	}
	if c.Profile == "" {
		c.Profile = f.Profile
	}
	if c.Arrivals == nil {
		c.Arrivals = f.Arrivals
	}
	c.Pipeline, c.Profile = beside(c.Pipeline), beside(c.Profile)
	switch {
	case c.Name == "":
		return errors.New("it needs a name")
	case c.Arrivals == nil:
		return errors.New("it needs arrivals: { jobs: 1, items: 1 }")
	}
	if c.Arrivals.Items == 0 {
		of := *c.Arrivals
		of.Items, c.Arrivals = 1, &of
	}
	if c.Expect.Outcome == "" {
		c.Expect.Outcome = sim.Completed
	}
	return c.Expect.check()
}

func (e *Expect) check() error {
	switch e.Outcome {
	case sim.Completed, sim.OutOfMemory, sim.Refused, sim.Stalled:
		return nil
	}
	return fmt.Errorf("outcome is completed, out of memory, refused or stalled, not %q", e.Outcome)
}
