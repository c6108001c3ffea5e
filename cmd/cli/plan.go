package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/proofgraph/proofgraph/graph/plan"
)

func (a *App) plan() *cobra.Command {
	f := &simFlags{}
	var objective string
	var trials int
	cmd := &cobra.Command{
		Use:   "plan PIPELINE --profile F --memory 256GiB",
		Short: "Find the best parameters of a pipeline under a memory limit",
		Long: "plan simulates settings over the ranges that a pipeline declares, and prints those that no other beats both in\n" +
			"memory and in time: a Pareto table, its knee, and the --set line of the best. The same seed finds the same plan.",
		Example: "  proofgraph plan porep --profile threadripper-7995wx --memory 256GiB --jobs 12 --items 10 --at-once 6",
		Args:    someArgs(1, 1, "a pipeline file, or the name of one that comes with the program"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := f.search(cmd.Context(), args[0], plan.Objective(objective), trials)
			if err != nil {
				return err
			}
			if f.json {
				return printJSON(a.Stdout, p)
			}
			return p.Text(a.Stdout)
		},
	}
	f.add(cmd.Flags())
	cmd.Flags().StringVar(&objective, "objective", string(plan.Throughput), "throughput, latency or memory")
	cmd.Flags().IntVar(&trials, "trials", 0, "how many settings to simulate at most (default 320)")
	return cmd
}

func (f *simFlags) search(ctx context.Context, name string, objective plan.Objective, trials int) (*plan.Plan, error) {
	switch objective {
	case plan.Throughput, plan.Latency, plan.Memory:
	default:
		return nil, usageError{fmt.Errorf("--objective is throughput, latency or memory, not %q", objective)}
	}
	s, err := f.scene()
	if err != nil {
		return nil, err
	}
	source, file, err := readPipeline(name)
	if err != nil {
		return nil, err
	}
	limits, err := s.limits(f, file, source)
	if err != nil {
		return nil, err
	}
	found, err := plan.Search{
		Name: file, Source: source, Registry: s.bench.registry, Profile: s.profile, Arrivals: s.arrivals, Limits: limits,
		Sets: f.set, Objective: objective, Seed: f.seed, Trials: trials,
	}.Run(ctx)
	var nothing *plan.NothingFits
	if err != nil && !errors.As(err, &nothing) && ctx.Err() == nil {
		err = unlike(err, name, s.profile)
	}
	return found, err
}
