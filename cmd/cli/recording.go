package cli

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/sim"
	"github.com/proofgraph/proofgraph/graph/sim/timeline"
)

// A recording is the timeline of a real run, for the page and the trace that a simulation gives too. A nil recording
// records nothing.
type recording struct {
	recorder    *timeline.Recorder
	began       time.Time
	page, trace string
	async       []bool // per stage
}

func newRecording(prog *program.Program, f *runFlags) *recording {
	if f.page == "" && f.trace == "" {
		return nil
	}
	r := &recording{
		recorder: timeline.NewRecorder(sim.Outline(prog)), began: time.Now(), page: f.page, trace: f.trace,
	}
	for _, s := range prog.Spec.Stages {
		r.async = append(r.async, s.Async)
	}
	return r
}

// bodies gives the observer of bodies, nil where nothing is recorded.
func (r *recording) bodies() func(run.Event) {
	if r == nil {
		return nil
	}
	return func(e run.Event) {
		if e.Kind == run.BodyStarted {
			r.recorder.Started(e.At, e.Stage, e.Worker, e.Item.Job, e.Item.Index, r.async[e.Stage])
			return
		}
		r.recorder.Ended(e.At, e.Stage, e.Item.Job, e.Item.Index, e.Err != nil)
	}
}

// memory gives the tracker's options: an observer of bytes where they are recorded.
func (r *recording) memory() []budget.Option {
	options := []budget.Option{budget.WithHugePages()}
	if r != nil {
		options = append(options, budget.WithObserver(func(e budget.Event) {
			r.recorder.Holds(time.Since(r.began), e.Class, e.ClassInUse)
		}))
	}
	return options
}

// write writes the page and the trace that were asked for.
func (r *recording) write(a *App, report run.Report) error {
	if r == nil {
		return nil
	}
	t := r.recorder.Timeline(report.Wall)
	facts := []timeline.Fact{{Name: "seconds", Value: fmt.Sprintf("%.2f", report.Wall.Seconds())}}
	var err error
	if r.page != "" {
		err = a.writeTo(r.page, func(to io.Writer) error { return t.HTML(to, facts) })
	}
	if r.trace != "" {
		err = errors.Join(err, a.writeTo(r.trace, t.WriteTrace))
	}
	return err
}
