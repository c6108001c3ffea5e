package graph_test

import (
	"context"
	"fmt"
	"log"

	"github.com/reugn/go-streams"
	"github.com/reugn/go-streams/extension"
	"github.com/reugn/go-streams/flow"

	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// This file is the guide to the framework: a stage kind of one's own, a pipeline that names it, and a run of it.
//
// The kind sieves primes. It has one output, a vector with a byte for every number below the item's limit. The vector
// may be large, so the kind allocates none: its footprint says how many bytes an item will need, the pipeline waits until
// its pool has room for them, and the body writes where it is told.

// sieve is a stage kind. `proofgraph explain` prints such a value, and a pipeline is checked against it.
var sieve = &stage.Kind{
	Name:      "primes.sieve",
	Doc:       "Marks the primes below the item's limit.",
	Options:   []stage.Option{{Name: "keep", Type: stage.String, Default: "all", Enum: []string{"all", "twins"}, Doc: "which primes"}},
	Outputs:   []stage.Port{{Name: "marks", Type: marks, Class: "marks", Doc: "a byte for each number: 1 is a prime"}},
	Footprint: sieveFootprint,
	New:       newSieve,
}

// marks is the type that both kinds agree on: an edge between ports of different types is an error with its place.
var marks = stage.T("marks", "of=primes")

// sieveFootprint says what one item will need, before anything is allocated for it. A source puts the facts that it is
// computed from into the item.
func sieveFootprint(_ stage.Options, item stage.Item) (stage.Footprint, error) {
	return stage.Footprint{Outputs: map[string]int64{"marks": item.Facts["limit"]}}, nil
}

// newSieve reads the options, which are checked by now, and makes the body that all workers of the stage share.
func newSieve(options stage.Options) (stage.Body, error) {
	twinsAlone := options.String("keep") == "twins"
	return stage.BodyFunc(func(ctx context.Context, task *stage.Task) error {
		isPrime := task.OutBytes("marks") // zeros, exactly as many as the footprint said
		for n := 2; n < len(isPrime); n++ {
			isPrime[n] = 1
		}
		for n := 2; n*n < len(isPrime); n++ {
			for multiple := n * n; isPrime[n] == 1 && multiple < len(isPrime); multiple += n {
				isPrime[multiple] = 0
			}
		}
		if twinsAlone {
			keepTwins(isPrime)
		}
		return ctx.Err() // of a job that was cancelled meanwhile
	}), nil
}

// The second kind takes the vector and gives a small value, which needs no lease.
var count = &stage.Kind{
	Name:    "primes.count",
	Doc:     "Counts marks.",
	Inputs:  []stage.Port{{Name: "marks", Type: marks, Doc: "what to count"}},
	Outputs: []stage.Port{{Name: "count", Type: stage.T("number"), Doc: "how many, an int"}},
	New: func(stage.Options) (stage.Body, error) {
		return stage.BodyFunc(func(_ context.Context, task *stage.Task) error {
			total := 0
			for _, mark := range task.InBytes("marks") {
				total += int(mark)
			}
			return task.Set("count", total)
		}), nil
	},
}

// The pipeline. At most 3 MB are ever marked at once, whatever comes in: further items wait.
const primes = `
pipeline: primes
doc: counts twin primes
pools:   { host: { limit: 3MB } }
buffers: { marks: { pool: host } }
stages:
  sieve: { kind: primes.sieve, keep: twins, workers: 2 }
  count: { kind: primes.count }
edges:
  - { from: sieve.marks, to: count.marks, capacity: 2, bytes: 2MB }
`

func Example() {
	registry, err := stage.NewRegistry(sieve, count)
	if err != nil {
		log.Fatal(err)
	}
	pipeline, err := start(registry, primes)
	if err != nil {
		log.Fatal(err)
	}
	// A pipeline is a go-streams Flow: jobs come from any Source, results go to any Sink.
	limits(10, 1_000, 1_000_000, 5_000_000).
		Via(pipeline).
		Via(flow.NewMap(describe, 1)).
		To(extension.NewStdoutSink())
	if err := pipeline.Close(); err != nil {
		log.Fatal(err) // some bytes were not given back
	}
	// Unordered output:
	// 3 of the primes below 10 have a twin
	// 69 of the primes below 1000 have a twin
	// 16337 of the primes below 1000000 have a twin
	// job 5000000: the edge from sieve.marks to count holds 2000000 bytes and one item needs 5000000
}

// start loads a pipeline, which finds its mistakes, binds it to the memory it may have, and runs it.
func start(registry *stage.Registry, source string) (*run.Pipeline, error) {
	pipeline, err := spec.Load("primes.yaml", []byte(source), registry, nil)
	if err != nil {
		return nil, err
	}
	bound, err := program.New(pipeline, nil)
	if err != nil {
		return nil, err
	}
	memory, err := bound.Tracker()
	if err != nil {
		return nil, err
	}
	return run.New(context.Background(), bound, memory, run.Options{})
}

// limits is a source of jobs, one for each limit.
func limits(limits ...int64) streams.Source {
	jobs := make(chan any, len(limits))
	for _, limit := range limits {
		id := fmt.Sprint(limit)
		jobs <- &run.Job{ID: id, Items: []stage.Item{{Job: id, Facts: stage.Facts{"limit": limit}}}}
	}
	close(jobs)
	return extension.NewChanSource(jobs)
}

// describe tells a result: the outputs that no edge takes, by stage and port, or what went wrong with that job alone.
func describe(result *run.Result) string {
	if result.Err != nil {
		return result.Err.Error()
	}
	return fmt.Sprintf("%d of the primes below %s have a twin", result.Values[0]["count.count"], result.Job.ID)
}

// keepTwins unmarks the primes that no other is two away from.
func keepTwins(isPrime []byte) {
	marked := func(n int) bool { return 0 <= n && n < len(isPrime) && isPrime[n] != 0 }
	below := false // whether n-2 was marked, before it was perhaps unmarked
	for n := 3; n < len(isPrime); n += 2 {
		was := marked(n)
		if was && !below && !marked(n+2) {
			isPrime[n] = 0
		}
		below = was
	}
	if len(isPrime) > 2 {
		isPrime[2] = 0
	}
}
