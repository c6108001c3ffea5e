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
	return &cobra.Command{
		Use:   "test FILE...",
		Short: "Run budget tests written in YAML beside a pipeline",
		Long: "test simulates what budget tests describe and holds the results to what they expect: peaks per pool and class,\n" +
			"items held, throughput, a refusal. What fails is shown with the timeline around it.",
		Example: "  proofgraph test pipelines/porep_test.yaml",
		Args:    someArgs(1, 1<<20, "files of budget tests"),
		RunE: func(_ *cobra.Command, args []string) error {
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
}
