package run_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/reugn/go-streams/extension"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/sched"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// The kinds of these tests: make fills a vector with the item's number, double works in place, sum adds a vector up,
// join adds two sums.
func kinds(t testing.TB, faults *faults) *stage.Registry {
	vector, number := stage.T("vector"), stage.T("number")
	size := func(port string) func(stage.Options, stage.Item) (stage.Footprint, error) {
		return func(_ stage.Options, item stage.Item) (stage.Footprint, error) {
			return stage.Footprint{Outputs: map[string]int64{port: item.Facts["bytes"]}}, nil
		}
	}
	of := func(body stage.BodyFunc) func(stage.Options) (stage.Body, error) {
		return func(stage.Options) (stage.Body, error) {
			return stage.BodyFunc(func(ctx context.Context, task *stage.Task) error {
				if err := faults.strike(ctx); err != nil {
					return err
				}
				return body(ctx, task)
			}), nil
		}
	}
	registry, err := stage.NewRegistry(
		&stage.Kind{
			Name: "test.make", Doc: "Makes a vector.", Footprint: size("out"),
			Outputs: []stage.Port{{Name: "out", Type: vector, Class: "vector"}},
			New: of(func(_ context.Context, task *stage.Task) error {
				for i := range task.OutBytes("out") {
					task.OutBytes("out")[i] = byte(task.Item.Payload.(int))
				}
				return nil
			}),
		},
		&stage.Kind{
			Name: "test.double", Doc: "Doubles a vector.", Footprint: size("out"),
			Inputs:  []stage.Port{{Name: "in", Type: vector}},
			Outputs: []stage.Port{{Name: "out", Type: vector, Class: "vector", Takes: "in"}},
			New: of(func(_ context.Context, task *stage.Task) error {
				for i := range task.InBytes("in") {
					task.InBytes("in")[i] *= 2
				}
				return nil
			}),
		},
		&stage.Kind{
			Name: "test.sum", Doc: "Adds a vector up.", Scratch: []string{"scratch"},
			Footprint: func(_ stage.Options, item stage.Item) (stage.Footprint, error) {
				return stage.Footprint{Scratch: map[string]int64{"scratch": 4096}}, nil
			},
			Inputs:  []stage.Port{{Name: "in", Type: vector}},
			Outputs: []stage.Port{{Name: "sum", Type: number}},
			New: of(func(_ context.Context, task *stage.Task) error {
				sum := 0
				for _, b := range task.InBytes("in") {
					sum += int(b)
				}
				if len(task.Scratch("scratch")) != 4096 {
					return errors.New("no scratch")
				}
				return task.Set("sum", sum)
			}),
		},
		&stage.Kind{
			Name: "test.join", Doc: "Adds two numbers.",
			Inputs:  []stage.Port{{Name: "left", Type: number}, {Name: "right", Type: number}},
			Outputs: []stage.Port{{Name: "total", Type: number}},
			New: of(func(_ context.Context, task *stage.Task) error {
				left, err := stage.In[int](task, "left")
				if err != nil {
					return err
				}
				right, err := stage.In[int](task, "right")
				if err != nil {
					return err
				}
				return task.Set("total", left+right)
			}),
		},
	)
	require.NoError(t, err)
	return registry
}

// faults makes the n-th body fail, panic or hang until it is cancelled.
type faults struct {
	count atomic.Int64
	at    int64
	how   func(ctx context.Context) error
	// always, where it is given, is what every body does instead.
	always func(ctx context.Context, n int64) error
}

func (f *faults) strike(ctx context.Context) error {
	if f == nil {
		return nil
	}
	n := f.count.Add(1)
	if f.always != nil {
		return f.always(ctx, n)
	}
	if n != f.at {
		return nil
	}
	return f.how(ctx)
}

const diamond = `
pipeline: diamond
pools: { host: { limit: 64KiB } }
buffers: { vector: { pool: host }, scratch: { pool: host } }
stages:
  make: { kind: test.make, workers: 2 }
  left: { kind: test.sum }
  right: { kind: test.sum, async: true, pending: 2 }
  join: { kind: test.join }
edges:
  - { from: make.out, to: left.in, capacity: 2, bytes: 16KiB }
  - { from: make.out, to: right.in, capacity: 1, bytes: 16KiB }
  - { from: left.sum, to: join.left, capacity: 1 }
  - { from: right.sum, to: join.right, capacity: 1 }
`

const inPlace = `
pipeline: in-place
pools: { host: { limit: 20KiB } }
buffers: { vector: { pool: host }, scratch: { pool: host } }
stages:
  make: { kind: test.make }
  double: { kind: test.double }
  sum: { kind: test.sum }
edges:
  - { from: make.out, to: double.in, capacity: 1, bytes: 16KiB }
  - { from: double.out, to: sum.in, capacity: 1, bytes: 16KiB }
`

// rig is a pipeline under test and its tracker.
type rig struct {
	*run.Pipeline
	tracker *budget.Tracker
}

func start(t testing.TB, ctx context.Context, yaml string, f *faults) rig {
	return startWith(t, ctx, yaml, f, run.Options{})
}

func startWith(t testing.TB, ctx context.Context, yaml string, f *faults, options run.Options) rig {
	p, err := spec.Load("test.yaml", []byte(yaml), kinds(t, f), nil)
	require.NoError(t, err)
	prog, err := program.New(p, nil)
	require.NoError(t, err)
	tracker, err := prog.Tracker()
	require.NoError(t, err)
	pipeline, err := run.New(ctx, prog, tracker, options)
	require.NoError(t, err)
	return rig{pipeline, tracker}
}

// feed sends n jobs of one item, of the given bytes, from a go-streams source and gives the results by job.
func (r rig) feed(n int, bytes int64) map[string]*run.Result {
	jobs := make(chan any)
	go func() {
		defer close(jobs)
		for i := range n {
			item := stage.Item{Job: fmt.Sprint(i), Facts: stage.Facts{"bytes": bytes}, Payload: i}
			jobs <- &run.Job{ID: fmt.Sprint(i), Items: []stage.Item{item}}
		}
	}()
	out := make(chan any)
	go extension.NewChanSource(jobs).Via(r.Pipeline).To(extension.NewChanSink(out))
	results := map[string]*run.Result{}
	for element := range out {
		result := element.(*run.Result)
		results[result.Job.ID] = result
	}
	return results
}

// end closes the pipeline and requires that every byte is back.
func (r rig) end(t testing.TB) {
	require.NoError(t, r.Close())
	require.Empty(t, r.tracker.Leaks())
	require.NoError(t, r.tracker.Close())
}

func TestPipelineIsAFlow(t *testing.T) {
	cases := []struct {
		name, yaml, value string
		want              func(i int) int
	}{
		{"fork, async and join", diamond, "join.total", func(i int) int { return 2 * 8192 * i }},
		{"in place", inPlace, "sum.sum", func(i int) int { return 8192 * (2 * i % 256) }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := start(t, context.Background(), c.yaml, nil)
			results := r.feed(100, 8192)
			require.Len(t, results, 100)
			for i := range 100 {
				result := results[fmt.Sprint(i)]
				require.NoError(t, result.Err)
				assert.Equal(t, c.want(i), result.Values[0][c.value])
			}
			for _, s := range r.Report().Stages {
				assert.Equal(t, int64(100), s.Finished, s.Name)
			}
			r.end(t)
		})
	}
}

func TestAFailedItemFailsItsJobAlone(t *testing.T) {
	failure := errors.New("no luck")
	hows := map[string]func(context.Context) error{
		"error": func(context.Context) error { return failure },
		"panic": func(context.Context) error { panic("dropped a bit") },
	}
	for name, how := range hows {
		for at := int64(1); at <= 12; at++ {
			t.Run(fmt.Sprintf("%s in body %d", name, at), func(t *testing.T) {
				r := start(t, context.Background(), diamond, &faults{at: at, how: how})
				failed := 0
				for _, result := range r.feed(5, 8192) {
					if result.Err != nil {
						failed++
						var where *run.StageError
						require.ErrorAs(t, result.Err, &where)
						assert.Nil(t, result.Values)
					}
				}
				assert.Equal(t, 1, failed)
				r.end(t)
			})
		}
	}
}

func TestCancellationAtAnyBodyReturnsEveryByte(t *testing.T) {
	for at := int64(1); at <= 12; at++ {
		t.Run(fmt.Sprintf("body %d", at), func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			hang := func(ctx context.Context) error {
				cancel()
				<-ctx.Done()
				return ctx.Err()
			}
			r := start(t, ctx, diamond, &faults{at: at, how: hang})
			results := r.feed(8, 8192)
			require.Len(t, results, 8, "every job is answered")
			cancelled := 0
			for _, result := range results {
				if errors.Is(result.Err, context.Canceled) {
					cancelled++
				}
			}
			assert.Positive(t, cancelled)
			r.end(t)
		})
	}
}

func TestWhatCanNeverFitIsRefused(t *testing.T) {
	r := start(t, context.Background(), inPlace, nil)
	results := r.feed(1, 16<<10+1)
	assert.ErrorContains(t, results["0"].Err, "the edge from make.out to double holds 16384 bytes and one item needs 16385")
	r.end(t)
}

func TestWrongElementIsAnsweredNotPanicked(t *testing.T) {
	r := start(t, context.Background(), inPlace, nil)
	jobs := make(chan any, 1)
	jobs <- "a string"
	close(jobs)
	out := make(chan any)
	go extension.NewChanSource(jobs).Via(r.Pipeline).To(extension.NewChanSink(out))
	assert.ErrorContains(t, (<-out).(*run.Result).Err, "not string")
	_, more := <-out
	assert.False(t, more)
	r.end(t)
}

func TestStalledBodyIsReported(t *testing.T) {
	hold := make(chan struct{})
	hang := func(context.Context) error { <-hold; return nil }
	r := startWith(t, context.Background(), inPlace, &faults{at: 2, how: hang}, run.Options{StallAfter: 50 * time.Millisecond})
	done := make(chan map[string]*run.Result)
	go func() { done <- r.feed(2, 8192) }()
	err := <-r.Stalled()
	require.ErrorIs(t, err, run.ErrStalled)
	assert.ErrorContains(t, err, "under way: ")
	assert.ErrorContains(t, err, " at ")
	close(hold)
	stalled := 0
	for _, result := range <-done {
		if errors.Is(result.Err, run.ErrStalled) {
			stalled++
		}
	}
	assert.Positive(t, stalled)
	r.end(t)
}

func TestDrainEndsWhatHasBegunAndNothingElse(t *testing.T) {
	begun, hold := make(chan struct{}), make(chan struct{})
	wait := func(context.Context) error { close(begun); <-hold; return nil }
	r := start(t, context.Background(), inPlace, &faults{at: 1, how: wait})
	stop := errors.New("closing time")
	done := make(chan map[string]*run.Result)
	go func() { done <- r.feed(20, 8192) }()
	<-begun
	require.Eventually(t, func() bool { return r.Report().Live == 20 }, 5*time.Second, time.Millisecond, "all are taken in")
	r.Drain(stop)
	close(hold)
	ended := 0
	for _, result := range <-done {
		if result.Err == nil {
			ended++
		} else {
			assert.ErrorIs(t, result.Err, stop)
			assert.Nil(t, result.Values)
		}
	}
	assert.Equal(t, 1, ended)
	r.end(t)
}

func TestTrackerKnowsWhoWaitsForMemory(t *testing.T) {
	hold := make(chan struct{})
	hang := func(context.Context) error { <-hold; return nil }
	twoAtOnce := strings.Replace(inPlace, "kind: test.make }", "kind: test.make, workers: 2 }", 1)
	r := start(t, context.Background(), twoAtOnce, &faults{at: 1, how: hang})
	done := make(chan map[string]*run.Result)
	go func() { done <- r.feed(2, 16<<10) }()
	require.Eventually(t, func() bool { return len(r.tracker.Snapshot().Waiters) > 0 }, 30*time.Second, time.Millisecond)
	waiter := r.tracker.Snapshot().Waiters[0]
	assert.Equal(t, "1[0] at admission", waiter.Holder)
	assert.Equal(t, int64(16<<10), waiter.Bytes)
	assert.WithinDuration(t, time.Now(), waiter.Since, time.Minute)
	close(hold)
	<-done
	r.end(t)
}

// A waiter has waited for as long as it has, however often somebody asks for a report meanwhile.
func TestReportsDoNotMakeWaitersYounger(t *testing.T) {
	hold := make(chan struct{})
	r := startOf(t, `
pipeline: narrow
pools: { host: { limit: 4KiB } }
buffers: { scratch: { pool: host } }
stages: { hold: { kind: t.hold, workers: 2 } }
`, &stage.Kind{
		Name: "t.hold", Scratch: []string{"scratch"},
		Footprint: func(stage.Options, stage.Item) (stage.Footprint, error) {
			return stage.Footprint{Scratch: map[string]int64{"scratch": 4096}}, nil
		},
		New: func(stage.Options) (stage.Body, error) {
			return stage.BodyFunc(func(context.Context, *stage.Task) error { <-hold; return nil }), nil
		},
	})
	done := make(chan map[string]*run.Result)
	go func() { done <- r.feedKeyed(numbered(2, strconv.Itoa)...) }()
	require.Eventually(t, func() bool { return len(r.tracker.Snapshot().Waiters) > 0 }, 30*time.Second, time.Millisecond)
	first := r.tracker.Snapshot().Waiters[0]
	assert.Equal(t, "1[0] at hold", first.Holder)
	waited := r.blocked("hold", sched.BlockedMemory)
	time.Sleep(2 * time.Millisecond)
	assert.Greater(t, r.blocked("hold", sched.BlockedMemory), waited, "the wait is counted on")
	assert.Equal(t, first, r.tracker.Snapshot().Waiters[0])
	close(hold)
	<-done
	r.end(t)
}

// blocked gives the time for which a stage could start no body for a reason, as a report has it.
func (r rig) blocked(stage string, kind sched.BlockKind) (total time.Duration) {
	for _, s := range r.Report().Stages {
		for _, b := range s.Blocked {
			if s.Name == stage && b.Kind == kind {
				total += b.Time
			}
		}
	}
	return total
}
