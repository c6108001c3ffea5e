// Package run drives a pipeline in real time: goroutines, memory, errors and cancellation around the scheduling core.
//
// A Pipeline is a go-streams Flow: any Source feeds it *Job values and any Sink takes its *Result values. Inside, the
// bodies of each stage run in a flow of their own width (workers.go); which body runs when is the core's decision
// (driver.go), and what a body gets and gives back is in memory.go.
//
// Reading order: Pipeline and New, Job and Result (job.go), body.go, memory.go, driver.go, device.go, intake.go, how it ends
// (end.go), Report (report.go).
package run

import (
	"context"
	"errors"
	"fmt"
	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/cache"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/sched"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/reugn/go-streams"
	"github.com/reugn/go-streams/extension"
	"github.com/reugn/go-streams/flow"
	"sync"
	"time"
)

// Options are what a run may be told beside its program.
type Options struct {
	// Backlog is how many jobs may wait or be under way before the pipeline takes no more from its source; 0 is 256.
	Backlog int
	// Observe is told of every body's start and end, from the worker's goroutine; it must be quick.
	Observe func(Event)
	// DeviceFailed is told, from a worker's goroutine, of every item that its device has failed, of all when Close returns.
	DeviceFailed func(DeviceFailure)
	// StallAfter, if positive, is how long no body may end while some are under way (see Stalled).
	StallAfter time.Duration
	// Ranker says which idle cache entry to give up first; nil is least recently used.
	Ranker sched.Ranker
}

// A Pipeline is a program that runs, from New until its Out is closed.
type Pipeline struct {
	program   *program.Program
	tracker   *budget.Tracker
	cache     *cache.Table
	options   Options
	stages    []stageRun
	failAll   bool
	start     time.Time
	ctx       context.Context
	cancel    context.CancelCauseFunc
	in, out   chan any
	mu        sync.Mutex
	progress  sync.Cond // something ended
	core      *sched.Core
	flights   map[sched.ItemID]*flight
	jobs      map[sched.JobID]*jobRun
	nextItem  sched.ItemID
	nextJob   sched.JobID
	results   []*Result
	draining  error // why no job may begin any more, or nil
	emitted   bool  // the intake has ended and all its jobs with it
	queue     []sched.Decision
	times     []stageTimes
	admission stageTimes     // of items that are not admitted; it has no bodies
	underWay  []*task        // bodies that have been started and have not ended
	lastEnd   time.Duration  // when a body last ended, or an item was submitted
	faults    []deviceFaults // by device
	stalled   chan error
	closing   chan struct{} // closed by Close: nothing is taken in and nothing given out any more
	closed    sync.Once
	closeErr  error
	running   sync.WaitGroup // the pipeline's own goroutines and the workers
}

var _ streams.Flow = (*Pipeline)(nil)

// stageRun is what the driver keeps of a stage.
type stageRun struct {
	body            stage.Body
	flow            *workers
	threads         int
	inputs, outputs []portBuffer
	charged         []bool // per output: its bytes are counted and not handed over
}

type portBuffer struct {
	name   string
	buffer int
}

// New starts a pipeline. When ctx ends, all that is under way is cancelled and what still comes in is refused; Out is
// closed once In is closed and every job has ended. The tracker's leases are all returned by then but those of idle cache
// entries, which Close returns.
func New(ctx context.Context, prog *program.Program, tracker *budget.Tracker, options Options) (*Pipeline, error) {
	core, err := sched.New(prog.Graph, options.Ranker)
	if err != nil {
		return nil, err
	}
	p := &Pipeline{
		program: prog, tracker: tracker, options: options, core: core, start: time.Now(),
		cache: cache.New(&cache.LRU{}), failAll: prog.Spec.Fail == spec.FailPipeline,
		in: make(chan any), out: make(chan any),
		flights: map[sched.ItemID]*flight{}, jobs: map[sched.JobID]*jobRun{},
		times: make([]stageTimes, len(prog.Graph.Stages)), stalled: make(chan error, 1),
		faults:  make([]deviceFaults, prog.Devices),
		closing: make(chan struct{}),
	}
	p.progress.L = &p.mu
	if p.options.Backlog <= 0 {
		p.options.Backlog = 256
	}
	p.ctx, p.cancel = context.WithCancelCause(ctx)
	if err := p.makeStages(); err != nil {
		p.cancel(err)
		return nil, err
	}
	tracker.SetWaiters(p.waiters)
	p.startFlows()
	p.running.Go(p.takeJobs)
	p.running.Go(p.giveResults)
	context.AfterFunc(p.ctx, p.cancelAll)
	if options.StallAfter > 0 {
		p.running.Go(p.watch)
	}
	return p, nil
}

func (p *Pipeline) makeStages() error {
	for s := range p.program.Spec.Stages {
		st := &p.program.Spec.Stages[s]
		var body stage.Body
		err := guard(func() (err error) {
			body, err = st.Kind.New(p.program.Options(s))
			return err
		})
		if err != nil {
			return errors.Join(fmt.Errorf("stage %q: %w", st.Name, err), p.closeBodies())
		}
		run := stageRun{body: body, threads: p.program.Threads(s)}
		for _, in := range st.Inputs {
			if in.Edge >= 0 {
				run.inputs = append(run.inputs, portBuffer{in.Port.Name, p.program.Graph.Edges[in.Edge].Buffer})
			}
		}
		for o, out := range st.Outputs {
			run.outputs = append(run.outputs, portBuffer{out.Port.Name, p.program.BufferAt[s][o]})
			run.charged = append(run.charged, out.Port.Charged)
		}
		p.stages = append(p.stages, run)
	}
	return nil
}

// startFlows starts the workers of each stage; those of an async stage pass launched work on to a second flow, which
// waits for it.
func (p *Pipeline) startFlows() {
	for s := range p.stages {
		st := &p.program.Graph.Stages[s]
		if st.Async {
			launch, wait := newWorkers(st.Workers, p.launchBody), newWorkers(st.Pending, p.awaitBody)
			p.stages[s].flow = launch
			p.running.Go(launch.wait)
			p.running.Go(wait.wait)
			go launch.Via(wait).To(extension.NewIgnoreSink())
			continue
		}
		p.stages[s].flow = newWorkers(st.Workers, p.runBody)
		p.running.Go(p.stages[s].flow.wait)
	}
}

// In gives the channel of jobs (*Job). Closing it lets the pipeline drain.
func (p *Pipeline) In() chan<- any { return p.in }

// Out gives the channel of results (*Result), closed after the last.
func (p *Pipeline) Out() <-chan any { return p.out }

// Via passes results on to another flow and gives that flow.
func (p *Pipeline) Via(next streams.Flow) streams.Flow {
	flow.DoStream(p, next)
	return next
}

// To passes results on to a sink and waits until it has taken them all.
func (p *Pipeline) To(sink streams.Sink) {
	flow.DoStream(p, sink)
	sink.AwaitCompletion()
}

func (p *Pipeline) clock() time.Duration { return time.Since(p.start) }
