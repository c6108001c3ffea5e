package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
	"gopkg.in/yaml.v3"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/sim"
	"github.com/proofgraph/proofgraph/graph/sim/timeline"
	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/stages"
)

// A recording is the timeline of a real run, for the page and the trace that a simulation gives too, and for the profile
// that a simulation is fed with. A nil recording records nothing.
type recording struct {
	recorder             *timeline.Recorder
	program              *program.Program
	began                time.Time
	usage                time.Duration // processor time of the process when the run began
	page, trace, profile string

	mu    sync.Mutex
	facts map[string]stage.Facts // by job; its items have the same
	first stage.Facts            // of the item whose body began first
	used  []sim.Used
}

func newRecording(prog *program.Program, f *runFlags) *recording {
	if f.page == "" && f.trace == "" && f.profile == "" {
		return nil
	}
	r := &recording{
		recorder: timeline.NewRecorder(sim.Outline(prog)), program: prog, began: time.Now(), usage: processorTime(),
		page: f.page, trace: f.trace, profile: f.profile, facts: map[string]stage.Facts{}, used: []sim.Used{{}},
	}
	return r
}

// bodies gives the observer of bodies, nil where nothing is recorded.
func (r *recording) bodies() func(run.Event) {
	if r == nil {
		return nil
	}
	return func(e run.Event) {
		r.note(e)
		switch e.Kind {
		case run.BodyStarted:
			r.recorder.Started(e.At, e.Stage, e.Worker, e.Device, e.Item.Job, e.Item.Index)
		case run.BodyLaunched:
			r.recorder.Launched(e.At, e.Stage, e.Item.Job, e.Item.Index)
		case run.BodyEnded:
			r.recorder.Ended(e.At, e.Stage, e.Item.Job, e.Item.Index, e.Err != nil)
		}
	}
}

// note keeps an item's facts, and the processor time that was used until now.
func (r *recording) note(e run.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.facts[e.Item.Job] = e.Item.Facts
	if r.first == nil {
		r.first = e.Item.Facts
	}
	r.use(e.At)
}

// use takes a sample of the processor time. Moments that come late count as the latest one.
func (r *recording) use(at time.Duration) {
	last := r.used[len(r.used)-1]
	r.used = append(r.used, sim.Used{At: max(at, last.At), CPU: processorTime() - r.usage})
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

// write writes the page, the trace and the profile that were asked for; buses measures what a profile says of them.
func (r *recording) write(a *App, report run.Report, buses func() map[stage.Bus]float64) error {
	if r == nil {
		return nil
	}
	r.use(report.Wall)
	t := r.recorder.Timeline(report.Wall)
	var err error
	if r.page != "" {
		page := pageOf(r.program, t, report)
		err = a.writeTo(r.page, page.HTML)
	}
	if r.trace != "" {
		err = errors.Join(err, a.writeTo(r.trace, t.WriteTrace))
	}
	if r.profile != "" {
		err = errors.Join(err, r.writeProfile(a, t, buses()))
	}
	return err
}

// writeProfile writes what stages cost on this machine, by the size of the domain.
func (r *recording) writeProfile(a *App, t *timeline.Timeline, buses map[stage.Bus]float64) error {
	memory, err := a.memory()
	if err != nil {
		return err
	}
	machine := machineOf(r.program, memory)
	name := strings.TrimSuffix(filepath.Base(r.profile), filepath.Ext(r.profile))
	p, err := sim.Learn(name, stages.FactDomain, machine, sim.Recording{
		Program: r.program, Timeline: t, Usage: r.used, Buses: buses,
		Facts: func(job string, _ int) stage.Facts { return r.facts[job] },
	})
	if errors.Is(err, sim.ErrNothingRan) { // why, the jobs' errors say
		fmt.Fprintf(a.Stderr, "proofgraph: no profile was written to %s: %v\n", r.profile, err)
		return nil
	}
	if err != nil {
		return err
	}
	p.Facts = r.first
	return a.writeTo(r.profile, func(to io.Writer) error { return yaml.NewEncoder(to).Encode(p) })
}

// machineOf is the machine that a program ran on: its host and, where it used GPUs, what their pools had.
func machineOf(prog *program.Program, memory budget.Limit) sim.Machine {
	host := sim.Physical{Total: sim.Size(memory.Bytes), Others: sim.Size(memory.Used)}
	m := sim.Machine{Cores: runtime.GOMAXPROCS(0), Memory: map[string]sim.Physical{}}
	for _, pool := range prog.Pools {
		total := sim.Size(pool.Limit + prog.Spec.Pools[pool.Spec].Margin)
		if pool.Memory == budget.Host || pool.Limit <= 0 {
			continue
		}
		m.Memory[pool.Name] = sim.Physical{Total: total}
		if pool.Memory == budget.Device {
			m.Devices = prog.Devices
		} else {
			host.Others += total
		}
	}
	m.Memory[hostPool] = host
	return m
}

// processorTime is what the process has used so far, by all its threads.
func processorTime() time.Duration {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
