package run_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// What a careless or hostile user of the package does: each time every goroutine ends, and every byte is back.

// ours counts the goroutines that run this project's or go-streams' code, but for the tests' own.
func ours() int {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	count := 0
	for _, g := range strings.Split(string(stacks), "\n\n") {
		if strings.Contains(g, "graph/run.") || strings.Contains(g, "graph/cache.") || strings.Contains(g, "go-streams") {
			count++
		}
	}
	return count
}

// requireNoGoroutines waits for the goroutines of a closed pipeline to end.
func requireNoGoroutines(t *testing.T, before int) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for ours() > before {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("goroutines are left:\n%s", stacks[:runtime.Stack(stacks, true)])
		}
		time.Sleep(time.Millisecond)
	}
}

func TestGoroutinesEndWithThePipeline(t *testing.T) {
	for name, yaml := range map[string]string{"diamond": diamond, "in place": inPlace} {
		t.Run(name, func(t *testing.T) {
			before := ours()
			r := startWith(t, context.Background(), yaml, nil, run.Options{StallAfter: time.Hour})
			r.feed(20, 8192)
			r.end(t)
			requireNoGoroutines(t, before)
		})
	}
}

// vectorJob is a job of one item of 8 KiB.
func vectorJob(i int) *run.Job {
	item := stage.Item{Job: fmt.Sprint(i), Facts: stage.Facts{"bytes": 8192}, Payload: i}
	return &run.Job{ID: fmt.Sprint(i), Items: []stage.Item{item}}
}

func TestClosedAndNeverUsed(t *testing.T) {
	before := ours()
	r := start(t, context.Background(), diamond, nil)
	r.end(t)
	requireNoGoroutines(t, before)
}

func TestClosedWhileNobodyReadsAndInIsOpen(t *testing.T) {
	for _, taken := range []int{0, 1} {
		t.Run(fmt.Sprintf("%d results taken", taken), func(t *testing.T) {
			before := ours()
			r := start(t, context.Background(), diamond, nil)
			for i := range 10 {
				r.In() <- vectorJob(i)
			}
			for range taken {
				<-r.Out()
			}
			r.end(t)
			requireNoGoroutines(t, before)
		})
	}
}

func TestClosedWhileBodiesRun(t *testing.T) {
	before := ours()
	begun := make(chan struct{})
	hang := func(ctx context.Context) error { close(begun); <-ctx.Done(); return ctx.Err() }
	r := start(t, context.Background(), diamond, &faults{at: 3, how: hang})
	for i := range 10 {
		r.In() <- vectorJob(i)
	}
	<-begun
	r.end(t)
	requireNoGoroutines(t, before)
}

func TestInClosedAtOnce(t *testing.T) {
	before := ours()
	r := start(t, context.Background(), diamond, nil)
	close(r.In())
	_, more := <-r.Out()
	assert.False(t, more)
	r.end(t)
	requireNoGoroutines(t, before)
}

func TestContextThatHasEnded(t *testing.T) {
	before := ours()
	ctx, cancel := context.WithCancelCause(context.Background())
	cause := errors.New("too late")
	cancel(cause)
	r := start(t, ctx, diamond, nil)
	results := r.feed(5, 8192)
	require.Len(t, results, 5)
	for _, result := range results {
		assert.ErrorIs(t, result.Err, cause)
	}
	r.end(t)
	requireNoGoroutines(t, before)
}

func TestResultsThatNobodyReadsHoldBackTheSource(t *testing.T) {
	for name, element := range map[string]func(i int) any{
		"jobs": func(i int) any { return vectorJob(i) }, "what is no job": func(i int) any { return i },
	} {
		t.Run(name, func(t *testing.T) {
			r := startWith(t, context.Background(), inPlace, nil, run.Options{Backlog: 2})
			sent := make(chan int)
			go func() {
				defer close(sent)
				defer close(r.In())
				for i := range 10 {
					r.In() <- element(i)
					sent <- i
				}
			}()
			count := 0
			for waiting := true; waiting; {
				select {
				case <-sent:
					count++
				case <-time.After(100 * time.Millisecond):
					waiting = false
				}
			}
			assert.LessOrEqual(t, count, 3, "two in the backlog, and one that waits to be")
			go func() {
				for range sent {
				}
			}()
			results := 0
			for range r.Out() {
				results++
			}
			assert.Equal(t, 10, results)
			r.end(t)
		})
	}
}

func TestJobsOfManyItemsAndOfNone(t *testing.T) {
	r := start(t, context.Background(), diamond, nil)
	many := &run.Job{ID: "many"}
	for i := range 30 {
		many.Items = append(many.Items, stage.Item{Job: "many", Index: i, Facts: stage.Facts{"bytes": 4096}, Payload: i})
	}
	go func() {
		defer close(r.In())
		r.In() <- &run.Job{ID: "none"}
		r.In() <- many
		r.In() <- (*run.Job)(nil)
	}()
	var results []*run.Result
	for element := range r.Out() {
		results = append(results, element.(*run.Result))
	}
	require.Len(t, results, 3)
	for _, result := range results {
		switch {
		case result.Job == nil || result.Job.ID == "":
			assert.Error(t, result.Err)
		case result.Job.ID == "none":
			assert.NoError(t, result.Err)
			assert.Empty(t, result.Values)
		default:
			require.NoError(t, result.Err)
			for i, values := range result.Values {
				assert.Equal(t, 2*4096*i, values["join.total"])
			}
		}
	}
	r.end(t)
}

// launcher is an async body that fails or panics where it is told to.
type launcher struct{ launch, wait func() error }

func (l launcher) Run(context.Context, *stage.Task) error {
	return errors.New("an async stage launches")
}

func (l launcher) Launch(_ context.Context, t *stage.Task) (func(context.Context) error, error) {
	if err := l.launch(); err != nil {
		return nil, err
	}
	return func(context.Context) error {
		if err := l.wait(); err != nil {
			return err
		}
		return t.Set("out", 1)
	}, nil
}

func TestLaunchersThatFail(t *testing.T) {
	fine := func() error { return nil }
	fails := func() error { return errors.New("no luck") }
	panics := func() error { panic("no luck") }
	cases := map[string]launcher{
		"fine": {fine, fine}, "launch fails": {fails, fine}, "launch panics": {panics, fine},
		"wait fails": {fine, fails}, "wait panics": {fine, panics},
	}
	for name, body := range cases {
		t.Run(name, func(t *testing.T) {
			before := ours()
			kind := &stage.Kind{
				Name: "t.launch", Outputs: []stage.Port{{Name: "out", Type: stage.T("number")}},
				New: func(stage.Options) (stage.Body, error) { return body, nil },
			}
			r := startOf(t, "pipeline: p\nstages: { launch: { kind: t.launch, async: true, pending: 2 } }\n", kind)
			for _, result := range r.feed(10, 0) {
				if name == "fine" {
					require.NoError(t, result.Err)
					assert.Equal(t, 1, result.Values[0]["launch.out"])
					continue
				}
				assert.ErrorContains(t, result.Err, "no luck")
			}
			r.end(t)
			requireNoGoroutines(t, before)
		})
	}
}

// startOf runs a pipeline of the given kinds.
func startOf(t *testing.T, yaml string, kinds ...*stage.Kind) rig {
	registry, err := stage.NewRegistry(kinds...)
	require.NoError(t, err)
	p, err := spec.Load("test.yaml", []byte(yaml), registry, nil)
	require.NoError(t, err)
	prog, err := program.New(p, nil)
	require.NoError(t, err)
	tracker, err := prog.Tracker()
	require.NoError(t, err)
	pipeline, err := run.New(context.Background(), prog, tracker, run.Options{})
	require.NoError(t, err)
	return rig{pipeline, tracker}
}

// closing is a body that counts how often it is closed.
type closing struct {
	stage.BodyFunc
	closed *atomic.Int64
}

func (c closing) Close() error { c.closed.Add(1); return nil }

func TestAKindThatCannotBeMadeClosesTheOthers(t *testing.T) {
	for name, fail := range map[string]func() error{
		"error": func() error { return errors.New("no engine") }, "panic": func() error { panic("no engine") },
	} {
		t.Run(name, func(t *testing.T) {
			before := ours()
			var closed atomic.Int64
			good := &stage.Kind{Name: "t.good", New: func(stage.Options) (stage.Body, error) {
				return closing{func(context.Context, *stage.Task) error { return nil }, &closed}, nil
			}}
			bad := &stage.Kind{Name: "t.bad", New: func(stage.Options) (stage.Body, error) { return nil, fail() }}
			registry, err := stage.NewRegistry(good, bad)
			require.NoError(t, err)
			p, err := spec.Load("test.yaml", []byte("pipeline: p\nstages: { a: { kind: t.good }, b: { kind: t.bad } }\n"), registry, nil)
			require.NoError(t, err)
			prog, err := program.New(p, nil)
			require.NoError(t, err)
			tracker, err := prog.Tracker()
			require.NoError(t, err)
			_, err = run.New(context.Background(), prog, tracker, run.Options{})
			require.ErrorContains(t, err, `stage "b": `)
			require.ErrorContains(t, err, "no engine")
			assert.Equal(t, int64(1), closed.Load())
			requireNoGoroutines(t, before)
		})
	}
}

// Under `fail: pipeline` the first failure ends every job, with that failure as the reason.
func TestOneFailureEndsThePipelineThatSaysSo(t *testing.T) {
	before := ours()
	failure := errors.New("no luck")
	hold := make(chan struct{})
	var count atomic.Int64
	strike := func(ctx context.Context) error {
		if count.Add(1) == 1 {
			<-hold
			return failure
		}
		return nil
	}
	r := start(t, context.Background(), "fail: pipeline\n"+strings.TrimPrefix(inPlace, "\n"), &faults{at: 1, how: strike})
	done := make(chan map[string]*run.Result)
	go func() { done <- r.feed(20, 8192) }()
	require.Eventually(t, func() bool { return r.Report().Live == 20 }, 5*time.Second, time.Millisecond)
	close(hold)
	results := <-done
	require.Len(t, results, 20)
	for _, result := range results {
		assert.ErrorIs(t, result.Err, failure)
	}
	r.end(t)
	requireNoGoroutines(t, before)
}

// A footprint, a value's Close and a body's Close are a kind's code too.
func TestPanicsOutsideOfBodies(t *testing.T) {
	out := []stage.Port{{Name: "out", Type: stage.T("thing")}}
	in := []stage.Port{{Name: "in", Type: stage.T("thing")}}
	bodyOf := func(f stage.BodyFunc) func(stage.Options) (stage.Body, error) {
		return func(stage.Options) (stage.Body, error) { return f, nil }
	}
	nothing := bodyOf(func(context.Context, *stage.Task) error { return nil })
	t.Run("footprint", func(t *testing.T) {
		r := startOf(t, "pipeline: p\nstages: { a: { kind: t.a } }\n", &stage.Kind{
			Name: "t.a", Outputs: out, New: nothing,
			Footprint: func(stage.Options, stage.Item) (stage.Footprint, error) { panic("no luck") },
		})
		for _, result := range r.feed(3, 0) {
			assert.ErrorContains(t, result.Err, "no luck")
		}
		r.end(t)
	})
	t.Run("value", func(t *testing.T) {
		r := startOf(t, "pipeline: p\nstages: { a: { kind: t.a }, b: { kind: t.b } }\nedges:\n  - { from: a.out, to: b.in, capacity: 1 }\n",
			&stage.Kind{Name: "t.a", Outputs: out, New: bodyOf(func(_ context.Context, t *stage.Task) error { return t.Set("out", fragile{}) })},
			&stage.Kind{Name: "t.b", Inputs: in, New: nothing})
		for _, result := range r.feed(3, 0) {
			assert.ErrorContains(t, result.Err, "no luck")
		}
		r.end(t)
	})
	t.Run("body", func(t *testing.T) {
		r := startOf(t, "pipeline: p\nstages: { a: { kind: t.a } }\n", &stage.Kind{
			Name: "t.a", Outputs: out, New: func(stage.Options) (stage.Body, error) { return fragile{}, nil },
		})
		for _, result := range r.feed(3, 0) {
			assert.NoError(t, result.Err)
		}
		assert.ErrorContains(t, r.Close(), "no luck")
		assert.ErrorContains(t, r.Close(), "no luck", "Close says the same again")
	})
}

// fragile breaks when it is closed.
type fragile struct{}

func (fragile) Close() error { panic("no luck") }

func (fragile) Run(context.Context, *stage.Task) error { return nil }
