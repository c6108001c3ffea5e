package run_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/reugn/go-streams/extension"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// A pipeline whose first stage loads a cached key, and a stage beside it that fails for jobs named "doomed".
const keyed = `
pipeline: keyed
pools: { host: { limit: 20KiB } }
buffers: { key: { pool: host, cached: true } }
stages:
  load: { kind: t.load, workers: 4 }
  beside: { kind: t.beside, workers: 4 }
  use: { kind: t.use, workers: 4 }
edges:
  - { from: load.key, to: use.key, capacity: 4, bytes: 64KiB }
  - { from: beside.done, to: use.done, capacity: 4 }
`

// loads counts the loads of keys and says how each goes.
type loads struct {
	count atomic.Int64
	how   func(ctx context.Context, n int64) error
}

func (l *loads) body(ctx context.Context, t *stage.Task) error {
	n := l.count.Add(1)
	if l.how != nil {
		if err := l.how(ctx, n); err != nil {
			return err
		}
	}
	copy(t.OutBytes("key"), t.Item.Payload.(string))
	return t.Set("key", t.Item.Payload)
}

func startKeyed(t *testing.T, l *loads) rig {
	key, token := stage.T("key"), stage.T("token")
	of := func(body stage.BodyFunc) func(stage.Options) (stage.Body, error) {
		return func(stage.Options) (stage.Body, error) { return body, nil }
	}
	return startOf(t, keyed,
		&stage.Kind{
			Name: "t.load", New: of(l.body), Outputs: []stage.Port{{Name: "key", Type: key, Class: "key"}},
			Footprint: func(_ stage.Options, item stage.Item) (stage.Footprint, error) {
				return stage.Footprint{
					Outputs: map[string]int64{"key": 12 << 10}, CacheKeys: map[string]string{"key": item.Payload.(string)},
				}, nil
			},
		},
		&stage.Kind{Name: "t.beside", Outputs: []stage.Port{{Name: "done", Type: token}}, New: of(func(_ context.Context, t *stage.Task) error {
			if t.Item.Job == "doomed" {
				return errors.New("no luck")
			}
			return nil
		})},
		&stage.Kind{
			Name: "t.use", Inputs: []stage.Port{{Name: "key", Type: key}, {Name: "done", Type: token}},
			Outputs: []stage.Port{{Name: "used", Type: stage.T("name")}},
			New: of(func(_ context.Context, t *stage.Task) error {
				name, err := stage.In[string](t, "key")
				if err != nil {
					return err
				}
				if got := string(t.InBytes("key")[:len(name)]); got != name || name != t.Item.Payload {
					return fmt.Errorf("the key of %v says %q and holds %q", t.Item.Payload, name, got)
				}
				return t.Set("used", name)
			}),
		},
	)
}

// feedKeyed runs one job per pair of an id and a key.
func (r rig) feedKeyed(pairs ...[2]string) map[string]*run.Result {
	jobs, out := make(chan any, len(pairs)), make(chan any)
	for _, p := range pairs {
		jobs <- &run.Job{ID: p[0], Items: []stage.Item{{Job: p[0], Payload: p[1]}}}
	}
	close(jobs)
	go extension.NewChanSource(jobs).Via(r.Pipeline).To(extension.NewChanSink(out))
	results := map[string]*run.Result{}
	for element := range out {
		results[element.(*run.Result).Job.ID] = element.(*run.Result)
	}
	return results
}

// numbered gives n jobs that want a key.
func numbered(n int, key func(i int) string) [][2]string {
	pairs := make([][2]string, n)
	for i := range pairs {
		pairs[i] = [2]string{fmt.Sprint(i), key(i)}
	}
	return pairs
}

func TestKeysAreLoadedOnceAndGivenUpForOthers(t *testing.T) {
	before := ours()
	l := &loads{}
	r := startKeyed(t, l)
	results := r.feedKeyed(numbered(40, func(i int) string { return fmt.Sprintf("key-%d", i/10) })...)
	for id, result := range results {
		require.NoError(t, result.Err, id)
	}
	assert.Equal(t, int64(4), l.count.Load(), "one load a key, though only one has room")
	r.end(t)
	requireNoGoroutines(t, before)
}

func TestALoadThatFailsFailsWhoWaitsAndIsTriedAgain(t *testing.T) {
	hows := map[string]func() error{
		"error": func() error { return errors.New("no luck") }, "panic": func() error { panic("no luck") },
	}
	for name, how := range hows {
		t.Run(name, func(t *testing.T) {
			before := ours()
			l := &loads{how: func(_ context.Context, n int64) error {
				if n > 1 {
					return nil
				}
				time.Sleep(10 * time.Millisecond) // others join
				return how()
			}}
			r := startKeyed(t, l)
			failed := 0
			for _, result := range r.feedKeyed(numbered(30, func(int) string { return "key" })...) {
				if result.Err != nil {
					failed++
					assert.ErrorContains(t, result.Err, "no luck")
				}
			}
			assert.Positive(t, failed)
			assert.Less(t, failed, 30, "later jobs load it again")
			r.end(t)
			requireNoGoroutines(t, before)
		})
	}
}

// What a load has set before it fails ends with it, as an output of any other body does.
func TestTheValueOfALoadThatFailsIsClosed(t *testing.T) {
	var closed atomic.Int64
	r := startOf(t, `
pipeline: failing
pools: { host: { limit: 20KiB } }
buffers: { key: { pool: host, cached: true } }
stages: { load: { kind: t.load } }
`, &stage.Kind{
		Name: "t.load", Outputs: []stage.Port{{Name: "key", Type: stage.T("key"), Class: "key"}},
		Footprint: func(stage.Options, stage.Item) (stage.Footprint, error) {
			return stage.Footprint{Outputs: map[string]int64{"key": 4096}, CacheKeys: map[string]string{"key": "k"}}, nil
		},
		New: func(stage.Options) (stage.Body, error) {
			return stage.BodyFunc(func(_ context.Context, t *stage.Task) error {
				return errors.Join(t.Set("key", closing{closed: &closed}), errors.New("no luck"))
			}), nil
		},
	})
	assert.ErrorContains(t, r.feedKeyed([2]string{"a", "k"})["a"].Err, "no luck")
	assert.Equal(t, int64(1), closed.Load())
	r.end(t)
}

func TestALoadOutlivesWhoBeganIt(t *testing.T) {
	before := ours()
	release := make(chan struct{})
	l := &loads{how: func(ctx context.Context, _ int64) error {
		select {
		case <-release:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}}
	r := startKeyed(t, l)
	go func() {
		time.Sleep(20 * time.Millisecond)
		close(release)
	}()
	results := r.feedKeyed([2]string{"doomed", "key"}, [2]string{"a", "key"}, [2]string{"b", "key"})
	assert.ErrorContains(t, results["doomed"].Err, "no luck")
	require.NoError(t, results["a"].Err)
	require.NoError(t, results["b"].Err)
	r.end(t)
	requireNoGoroutines(t, before)
}

func TestALoadIsCancelledWithAllWhoWait(t *testing.T) {
	before := ours()
	begun := make(chan struct{})
	l := &loads{how: func(ctx context.Context, _ int64) error { close(begun); <-ctx.Done(); return ctx.Err() }}
	r := startKeyed(t, l)
	stop := errors.New("enough")
	go func() { <-begun; r.Cancel(stop) }()
	results := r.feedKeyed(numbered(10, func(int) string { return "key" })...)
	require.Len(t, results, 10)
	for _, result := range results {
		assert.ErrorIs(t, result.Err, stop)
	}
	assert.Equal(t, int64(1), l.count.Load())
	r.end(t)
	requireNoGoroutines(t, before)
}

// Jobs that fail, keys that do not load and keys that have to go, all at once: the books balance.
func TestKeysUnderFire(t *testing.T) {
	before := ours()
	l := &loads{how: func(_ context.Context, n int64) error {
		switch n % 5 {
		case 0:
			return errors.New("no luck")
		case 1:
			panic("no luck")
		}
		return nil
	}}
	r := startKeyed(t, l)
	var pairs [][2]string
	for i := range 300 {
		id := fmt.Sprint(i)
		pairs = append(pairs, [2]string{id, fmt.Sprintf("key-%d", i%7)})
	}
	results := r.feedKeyed(pairs...)
	assert.Len(t, results, 300)
	r.end(t)
	requireNoGoroutines(t, before)
}
