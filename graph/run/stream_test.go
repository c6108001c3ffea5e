package run_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/cache"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// Jobs with keys, sizes and early frees that can be their own, of which some fail.
const various = `
pipeline: various
pools: { host: { limit: 64KiB } }
buffers: { key: { pool: host, cached: true }, vector: { pool: host } }
stages:
  load: { kind: t.load, workers: 2 }
  make: { kind: t.make, workers: 2 }
  join: { kind: t.join, workers: 2 }
edges:
  - { from: load.key, to: join.key, capacity: 2, bytes: 100% }
  - { from: make.out, to: join.vector, capacity: 2, bytes: 100% }
`

func variousKinds(t *testing.T) *stage.Registry {
	of := func(body stage.BodyFunc) func(stage.Options) (stage.Body, error) {
		return func(stage.Options) (stage.Body, error) { return body, nil }
	}
	vector := stage.T("vector")
	registry, err := stage.NewRegistry(
		&stage.Kind{
			Name: "t.load", Outputs: []stage.Port{{Name: "key", Type: vector, Class: "key"}},
			Footprint: func(_ stage.Options, item stage.Item) (stage.Footprint, error) {
				return stage.Footprint{Outputs: map[string]int64{"key": 4096}, CacheKeys: map[string]string{"key": fmt.Sprint(item.Facts["key"])}}, nil
			},
			New: of(func(_ context.Context, t *stage.Task) error { return t.Set("key", t.Item.Job) }),
		},
		&stage.Kind{
			Name: "t.make", Outputs: []stage.Port{{Name: "out", Type: vector, Class: "vector"}},
			Footprint: func(_ stage.Options, item stage.Item) (stage.Footprint, error) {
				return stage.Footprint{Outputs: map[string]int64{"out": 8192 + item.Facts["size"]}}, nil
			},
			New: of(func(_ context.Context, t *stage.Task) error { return t.Shrink("out", 1+t.Item.Facts["left"]) }),
		},
		&stage.Kind{
			Name: "t.join", Inputs: []stage.Port{{Name: "key", Type: vector}, {Name: "vector", Type: vector}},
			New: of(func(_ context.Context, t *stage.Task) error {
				if t.Item.Facts["left"]%7 == 0 {
					return errors.New("no luck")
				}
				return nil
			}),
		},
	)
	require.NoError(t, err)
	return registry
}

// What a run keeps does not grow with the number of jobs that it has done.
func TestAStreamLeavesNothingBehind(t *testing.T) {
	const round = 1024 // shapes are forgotten after so many, and plans after a part of it
	for name, facts := range map[string]func(n int64) stage.Facts{
		"of jobs that differ":                 func(n int64) stage.Facts { return stage.Facts{"key": n, "size": n % round, "left": n % 8000} },
		"of jobs that differ in what is left": func(n int64) stage.Facts { return stage.Facts{"left": n % 8000} },
	} {
		t.Run(name, func(t *testing.T) {
			ranker, err := cache.NewFrequency(64)
			require.NoError(t, err)
			r := startVarious(t, run.Options{Ranker: ranker})
			n := int64(0)
			work := func(jobs int64) {
				for end := n + jobs; n < end; n++ {
					id := fmt.Sprint(n)
					r.In() <- &run.Job{ID: id, Items: []stage.Item{{Job: id, Facts: facts(n)}}}
					<-r.Out()
				}
			}
			work(2 * round)
			before := heap()
			work(6 * round)
			assert.Less(t, heap()-before, int64(6*round*32), "less than 32 bytes a job")
			close(r.In())
			r.end(t)
			require.NoError(t, ranker.Close())
		})
	}
}

func startVarious(t *testing.T, options run.Options) rig {
	p, err := spec.Load("various.yaml", []byte(various), variousKinds(t), nil)
	require.NoError(t, err)
	prog, err := program.New(p, nil)
	require.NoError(t, err)
	tracker, err := prog.Tracker()
	require.NoError(t, err)
	pipeline, err := run.New(context.Background(), prog, tracker, options)
	require.NoError(t, err)
	return rig{pipeline, tracker}
}

// heap gives the bytes that are in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
