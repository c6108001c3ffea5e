package stages_test

import (
	"context"
	"errors"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind/standin"
	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/stages"
)

var errStop = errors.New("stopped by the test")

// A run that is cancelled while devices copy, build tables and sum waits for their streams: the stand-in refuses to free
// what queued work uses, and Close would tell of that.
func TestCancelledProofsWaitForTheirStreams(t *testing.T) {
	for _, c := range []struct {
		pipeline string
		sets     []string
	}{{"gpu-resident", []string{"multiples=3"}}, {"gpu-split", nil}, {"groth16", []string{"slice=7"}}} {
		for _, after := range []time.Duration{1, 10, 30, 60, 100, 150, 250} {
			t.Run(c.pipeline+"/"+strconv.Itoa(int(after)), func(t *testing.T) {
				w := onGPUs(t, 2, standin.Delay(5*time.Millisecond))
				w.sets = c.sets
				w.cancelled(bundledSource(t, c.pipeline), after*time.Millisecond)
			})
		}
	}
}

// cancelled begins eight proofs and cancels them after a while. Each is done, or ends with the reason.
func (w *workshop) cancelled(source string, after time.Duration) {
	before := runtime.NumGoroutine()
	prog := w.program(source)
	memory, err := w.engines.PoolMemory(prog)
	require.NoError(w.t, err)
	tracker, err := prog.Tracker(memory...)
	require.NoError(w.t, err)
	ctx, cancel := context.WithCancelCause(w.t.Context())
	r, err := run.New(ctx, prog, tracker, run.Options{})
	require.NoError(w.t, err)
	first, second := payload(w.t, curves[0], "first"), payload(w.t, curves[1], "second")
	time.AfterFunc(after, func() { cancel(errStop) })
	go func() {
		defer close(r.In())
		for i := range 4 {
			for _, p := range []*stages.Payload{first, second} {
				id := p.Key.Path + strconv.Itoa(i)
				r.In() <- &run.Job{ID: id, Items: []stage.Item{{Job: id, Facts: p.Facts(), Payload: p}}}
			}
		}
	}()
	for out := range r.Out() {
		if result := out.(*run.Result); result.Err != nil {
			require.ErrorIs(w.t, result.Err, errStop)
		}
	}
	require.NoError(w.t, r.Close())
	require.NoError(w.t, tracker.Close())
	// One more is the one that asks.
	require.Eventually(w.t, func() bool { return runtime.NumGoroutine() <= before+1 }, 5*time.Second, time.Millisecond, "goroutines go on")
}
