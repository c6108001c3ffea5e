package run_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// BenchmarkNoOp measures what scheduling costs: items through a chain of stages that do nothing.
func BenchmarkNoOp(b *testing.B) {
	for _, stages := range []int{1, 5} {
		for _, workers := range []int{1, 4} {
			b.Run(fmt.Sprintf("stages=%d/workers=%d", stages, workers), func(b *testing.B) {
				benchmarkChain(b, chainOf(stages, workers))
			})
		}
	}
}

func chainOf(stages, workers int) string {
	var yaml strings.Builder
	yaml.WriteString("pipeline: chain\npools: { host: { limit: 1MiB } }\nstages:\n")
	for s := range stages {
		kind := "test.pass"
		if s == 0 {
			kind = "test.begin"
		}
		fmt.Fprintf(&yaml, "  s%d: { kind: %s, workers: %d }\n", s, kind, workers)
	}
	yaml.WriteString("edges:\n")
	for s := range stages - 1 {
		fmt.Fprintf(&yaml, "  - { from: s%d.out, to: s%d.in, capacity: 16 }\n", s, s+1)
	}
	if stages == 1 {
		return strings.TrimSuffix(yaml.String(), "edges:\n")
	}
	return yaml.String()
}

func noOpKinds(b *testing.B) *stage.Registry {
	token := stage.T("token")
	nothing := func(stage.Options) (stage.Body, error) {
		return stage.BodyFunc(func(context.Context, *stage.Task) error { return nil }), nil
	}
	registry, err := stage.NewRegistry(
		&stage.Kind{Name: "test.begin", Doc: "Begins.", New: nothing, Outputs: []stage.Port{{Name: "out", Type: token}}},
		&stage.Kind{
			Name: "test.pass", Doc: "Passes on.", New: nothing,
			Inputs: []stage.Port{{Name: "in", Type: token}}, Outputs: []stage.Port{{Name: "out", Type: token}},
		},
	)
	require.NoError(b, err)
	return registry
}

func benchmarkChain(b *testing.B, yaml string) {
	p, err := spec.Load("chain.yaml", []byte(yaml), noOpKinds(b), nil)
	require.NoError(b, err)
	prog, err := program.New(p, nil)
	require.NoError(b, err)
	tracker, err := prog.Tracker()
	require.NoError(b, err)
	pipeline, err := run.New(context.Background(), prog, tracker, run.Options{})
	require.NoError(b, err)
	b.ResetTimer()
	go func() {
		job := &run.Job{ID: "j", Items: make([]stage.Item, 1)}
		for range b.N {
			pipeline.In() <- job
		}
		close(pipeline.In())
	}()
	for range pipeline.Out() {
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "items/s")
	require.NoError(b, pipeline.Close())
}
