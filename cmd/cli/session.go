package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/reugn/go-streams"
	"github.com/reugn/go-streams/extension"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/cache"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// stallPatience is how long a stalled run may take to answer what it has begun.
const stallPatience = 10 * time.Second

// cachedKeys is how many keys the ranking of idle keys is made for.
const cachedKeys = 64

// A session is one run of a pipeline: a source of jobs, the pipeline, and a sink of results.
type session struct {
	app      *App
	bench    *workbench
	program  *program.Program
	tracker  *budget.Tracker
	pipeline *run.Pipeline
	ranker   *cache.Frequency
	progress *progress
	monitor  *monitor

	recording *recording
}

// newSession starts a pipeline that is to get so many jobs; 0 says that nobody knows.
func (a *App) newSession(ctx context.Context, bench *workbench, prog *program.Program, f *runFlags, expected int) (*session, error) {
	if err := f.placed(); err != nil {
		return nil, err
	}
	recording := newRecording(prog, f)
	memory, err := bench.engines.PoolMemory(prog)
	if err != nil {
		return nil, err
	}
	tracker, err := prog.Tracker(append(memory, recording.memory()...)...)
	if err != nil {
		return nil, err
	}
	ranker, err := cache.NewFrequency(cachedKeys)
	if err != nil {
		return nil, err
	}
	s := &session{app: a, bench: bench, program: prog, tracker: tracker, ranker: ranker, recording: recording}
	s.pipeline, err = run.New(ctx, prog, tracker, run.Options{
		Ranker: ranker, StallAfter: f.stall, Observe: recording.bodies(), DeviceFailed: s.tellDevice,
	})
	if err != nil {
		return nil, err
	}
	if err := s.openMonitor(f); err != nil {
		return nil, errors.Join(err, s.abandon())
	}
	heedInterrupts(ctx)
	if a.Terminal && !f.quiet {
		s.progress = newProgress(a, s.pipeline, expected)
	}
	return s, nil
}

// openMonitor serves metrics, if they are asked for.
func (s *session) openMonitor(f *runFlags) (err error) {
	if f.metrics == "" {
		return nil
	}
	if s.monitor, err = newMonitor(f.metrics, s.pipeline.Report); err == nil && !f.quiet {
		fmt.Fprintf(s.app.Stderr, "proofgraph: metrics at %s\n", s.monitor.url())
	}
	return err
}

// each feeds the pipeline from a source and calls f with every result, in the order in which jobs end. The report is
// that of the finished run, whose books must balance. When a run stalls, which cancels it, the rest of its results is
// waited for only for a while: what stalls may heed nothing.
func (s *session) each(ctx context.Context, source streams.Source, f func(*run.Result)) (run.Report, error) {
	results := make(chan any)
	go source.Via(s.pipeline).To(extension.NewChanSink(results))
	defer s.progress.stop()
	drain := draining(ctx)
	var stalled error
	var patience <-chan time.Time
	for {
		select {
		case <-drain:
			fmt.Fprintln(s.messages(), "proofgraph: finishing what has begun; interrupt again to abort")
			s.pipeline.Drain(errInterrupted)
			drain = nil
		case stalled = <-s.pipeline.Stalled():
			patience = time.After(stallPatience)
		case <-patience:
			return run.Report{}, stalled
		case element, more := <-results:
			if !more {
				report, err := s.close()
				return report, errors.Join(stalled, err)
			}
			result, ok := element.(*run.Result)
			if !ok {
				return run.Report{}, fmt.Errorf("the pipeline gave a %T", element)
			}
			s.progress.ended(result)
			f(result)
		}
	}
}

// messages is where to write what the user should read while the run goes on.
func (s *session) messages() io.Writer { return s.progress.above(s.app.Stderr) }

func (s *session) close() (run.Report, error) {
	report := s.pipeline.Report()
	err := errors.Join(s.monitor.close(), s.pipeline.Close(), s.ranker.Close())
	err = errors.Join(err, s.recording.write(s.app, report, s.busRates))
	return report, errors.Join(err, withoutLost(s.app.Stderr, report, s.tracker.Close()))
}

// busRates measures what the buses carry now that nothing runs. A profile can do without, so what prevents it is no error
// of the run.
func (s *session) busRates() map[stage.Bus]float64 {
	rates, err := s.bench.engines.BusRates(s.program, s.tracker)
	if err != nil {
		fmt.Fprintln(s.app.Stderr, complain(fmt.Errorf("the profile does not tell of all buses: %w", err)))
	}
	return rates
}

// abandon ends a session that was given nothing to do.
func (s *session) abandon() error {
	close(s.pipeline.In())
	for range s.pipeline.Out() {
	}
	_, err := s.close()
	return err
}
