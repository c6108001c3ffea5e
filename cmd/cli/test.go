package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/proofgraph/proofgraph/stages"
	"github.com/proofgraph/proofgraph/testing/budgettest"
)

// errTestsFailed says that budget tests failed; their lines have told which.
var errTestsFailed = errors.New("budget tests failed")

func (a *App) test() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "test FILE...",
		Short: "Run budget tests written in YAML beside a pipeline",
		Long: "test simulates what budget tests describe and holds the results to what they expect: peaks per pool and class,\n" +
			"items held, throughput, a refusal. What fails is shown with the timeline around it.",
		Example: "  proofgraph test pipelines/porep_test.yaml",
		Args:    someArgs(1, 1<<20, "files of budget tests"),
		RunE: func(_ *cobra.Command, args []string) error {
			if asJSON {
				return a.testsInJSON(args)
			}
			passed, failed := 0, 0
			for _, file := range args {
				p, f, err := budgettest.RunFile(a.Stdout, file, stages.KindsOn)
				if err != nil {
					return invalidInput{err}
				}
				passed, failed = passed+p, failed+f
			}
			fmt.Fprintf(a.Stdout, "%d passed, %d failed\n", passed, failed)
			if failed > 0 {
				return alreadySaid{errTestsFailed}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the results as JSON")
	return cmd
}

// testDocument is what a budget test came to; what failed is in words.
type testDocument struct {
	File       string   `json:"file"`
	Name       string   `json:"name"`
	OK         bool     `json:"ok"`
	Outcome    string   `json:"outcome"`
	SecondsJob float64  `json:"seconds_per_job"`
	Failures   []string `json:"failures,omitempty"`
}

// testsInJSON runs all files and prints one list of results.
func (a *App) testsInJSON(files []string) error {
	documents := []testDocument{}
	var failed error
	for _, file := range files {
		cases, err := budgettest.Load(file)
		if err != nil {
			return invalidInput{err}
		}
		for _, c := range cases {
			d, err := testInJSON(file, &c)
			if err != nil {
				return invalidInput{err}
			}
			if !d.OK {
				failed = alreadySaid{errTestsFailed}
			}
			documents = append(documents, d)
		}
	}
	return errors.Join(printJSON(a.Stdout, documents), failed)
}

func testInJSON(file string, c *budgettest.Case) (testDocument, error) {
	r, err := c.Simulate(stages.KindsOn)
	if err != nil {
		return testDocument{}, fmt.Errorf("%s: test %q: %w", file, c.Name, err)
	}
	d := testDocument{File: file, Name: c.Name, Outcome: string(r.Verdict.Outcome), SecondsJob: r.PerJob}
	for _, f := range c.Check(r) {
		d.Failures = append(d.Failures, fmt.Sprintf("%s: wanted %s, got %s", f.What, f.Wanted, f.Got))
	}
	d.OK = d.Failures == nil
	return d, nil
}
