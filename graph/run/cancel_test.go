package run_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/proofgraph/proofgraph/graph/run"
)

// However a run is told to stop, and whenever: every job is answered, the reason is the one given, every byte is back and
// every goroutine has ended, which the bubble sees to.
func TestCancellationAtRandomMoments(t *testing.T) {
	stop := errors.New("enough")
	ways := map[string]func(cancel context.CancelCauseFunc, r rig){
		"context": func(cancel context.CancelCauseFunc, _ rig) { cancel(stop) },
		"cancel":  func(_ context.CancelCauseFunc, r rig) { r.Cancel(stop) },
		"drain":   func(_ context.CancelCauseFunc, r rig) { r.Drain(stop) },
		"drain, then cancel": func(_ context.CancelCauseFunc, r rig) {
			r.Drain(stop)
			time.Sleep(time.Millisecond)
			r.Cancel(stop)
		},
	}
	names := slices.Sorted(maps.Keys(ways))
	for name, yaml := range map[string]string{"diamond": diamond, "in place": inPlace} {
		t.Run(name, rapid.MakeCheck(func(draw *rapid.T) {
			way := ways[rapid.SampledFrom(names).Draw(draw, "way")]
			after := time.Duration(rapid.IntRange(0, 40_000).Draw(draw, "µs until it stops")) * time.Microsecond
			body := rapid.SliceOfN(rapid.IntRange(0, 3000), 1, 8).Draw(draw, "µs of bodies")
			synctest.Test(t, func(t *testing.T) { stopAfter(t, yaml, after, body, way, stop) })
		}))
	}
}

func stopAfter(t *testing.T, yaml string, after time.Duration, body []int, way func(context.CancelCauseFunc, rig), stop error) {
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	r := startWith(t, ctx, yaml, sleeping(body), run.Options{})
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		time.Sleep(after)
		way(cancel, r)
	}()
	results := r.feed(20, 8192)
	<-stopped
	require.Len(t, results, 20)
	for _, result := range results {
		if result.Err != nil {
			assert.ErrorIs(t, result.Err, stop)
			assert.Nil(t, result.Values)
		}
	}
	r.end(t)
}

// sleeping makes every body sleep, each for the next of some times in µs.
func sleeping(times []int) *faults {
	return &faults{always: func(ctx context.Context, n int64) error {
		select {
		case <-time.After(time.Duration(times[int(n)%len(times)]) * time.Microsecond):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}}
}
