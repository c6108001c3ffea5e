package sim

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/sched"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// timedKind is model.stage with a body that sleeps as long as the simulator says: option row is the stage's index.
func timedKind(s **simulator, launch float64) *stage.Kind {
	kind := modelStage()
	kind.Name = "test.timed"
	kind.Options = append(kind.Options, stage.Option{Name: "row", Type: stage.Int})
	kind.New = func(o stage.Options) (stage.Body, error) {
		return &timed{s: s, row: int(o.Int("row")), launch: launch}, nil
	}
	return kind
}

type timed struct {
	s      **simulator
	row    int
	launch float64
}

func (b *timed) duration(t *stage.Task) time.Duration {
	return b.stretched(t, (*b.s).variants[0].durations[b.row][0])
}

// stretched gives some nanoseconds as chance makes them in the simulation.
func (b *timed) stretched(t *stage.Task, work float64) time.Duration {
	job, _ := strconv.Atoi(t.Item.Job)
	s := *b.s
	f := &flight{id: sched.ItemID(job*s.arrivals.Items + t.Item.Index)}
	return time.Duration(math.Round(work * s.stretch(f, b.row)))
}

// Run implements stage.Body.
func (b *timed) Run(ctx context.Context, t *stage.Task) error { return sleep(ctx, b.duration(t)) }

// Launch implements stage.Launcher.
func (b *timed) Launch(ctx context.Context, t *stage.Task) (func(context.Context) error, error) {
	return func(ctx context.Context) error { return b.Run(ctx, t) }, sleep(ctx, b.stretched(t, b.launch*1e9))
}

var _ stage.Launcher = (*timed)(nil)

const launchSeconds = 0.0137

// bothWays simulates a pipeline and runs it in a bubble of virtual time, and gives the starts of both.
func bothWays(t *testing.T, yaml string, arrivals Arrivals, devices int) (simulated, real []Start) {
	var twin *simulator
	registry, err := stage.NewRegistry(timedKind(&twin, launchSeconds))
	require.NoError(t, err)
	p, err := spec.Load("pipeline.yaml", []byte(yaml), registry, nil)
	require.NoError(t, err)
	profile := &Profile{Name: "test", Stages: map[string]Costs{}}
	for i, s := range p.Stages {
		seconds := 0.5 + math.Sqrt(float64(i+2))/3
		profile.Stages[s.Name] = Costs{{Phase: Phase{Seconds: seconds}, Spread: 0.4, Launch: launchSeconds}}
	}
	rows := slices.IndexFunc(p.Stages, func(s spec.Stage) bool {
		return int(s.Options.Int("row")) != slices.IndexFunc(p.Stages, func(o spec.Stage) bool { return o.Name == s.Name })
	})
	require.Negative(t, rows, "the stages stand in the order of their rows")
	prog, err := program.New(p, nil, program.Devices(devices))
	require.NoError(t, err)
	options := Options{Seed: 7, Observe: func(s Start) { simulated = append(simulated, s) }}
	twin, err = newSimulator(prog, profile, arrivals, options)
	require.NoError(t, err)
	result, err := Run(prog, profile, arrivals, options)
	require.NoError(t, err)
	require.Equal(t, Completed, result.Verdict.Outcome, result.Verdict.Reason)
	real = reallyRun(t, prog, arrivals)
	return sorted(simulated), sorted(real)
}

func reallyRun(t *testing.T, prog *program.Program, arrivals Arrivals) (starts []Start) {
	var mu sync.Mutex
	observe := func(e run.Event) {
		if e.Kind != run.BodyStarted {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		job, _ := strconv.Atoi(e.Item.Job)
		starts = append(starts, Start{At: e.At, Stage: e.Stage, Worker: e.Worker, Job: job, Item: e.Item.Index, Device: e.Device})
	}
	tracker, err := prog.Tracker(sealed(prog)...)
	require.NoError(t, err)
	pipeline, err := run.New(context.Background(), prog, tracker, run.Options{Observe: observe})
	require.NoError(t, err)
	go func() {
		for j := range arrivals.Jobs {
			if j > 0 {
				time.Sleep(arrivals.Every)
			}
			job := &run.Job{ID: strconv.Itoa(j)}
			for i := range arrivals.Items {
				job.Items = append(job.Items, stage.Item{Job: job.ID, Index: i})
			}
			pipeline.In() <- job
		}
		close(pipeline.In())
	}()
	for result := range pipeline.Out() {
		require.NoError(t, result.(*run.Result).Err)
	}
	require.NoError(t, pipeline.Close())
	require.NoError(t, tracker.Close())
	return starts
}

// sealed gives every pool of device memory an allocator whose memory the host cannot touch.
func sealed(prog *program.Program) (options []budget.Option) {
	for i, p := range prog.Pools {
		if p.Memory == budget.Device {
			options = append(options, budget.WithAllocator(i, &budget.Sealed{}))
		}
	}
	return options
}

// sorted orders starts; those of one moment have no order of their own in a run, where workers tell of them.
func sorted(starts []Start) []Start {
	slices.SortFunc(starts, func(a, b Start) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Worker, b.Worker),
			cmp.Compare(a.Job, b.Job), cmp.Compare(a.Item, b.Item)) // who finds an entry in the cache takes no time
	})
	return starts
}

const forkAndJoin = `
pipeline: fork-and-join
pools: { host: { limit: 80KiB } }
buffers: { v: { pool: host }, s: { pool: host } }
resources: { gpu: 1 }
stages:
  make: { kind: test.timed, row: 0, out: "w:v=16384", workers: 2 }
  device: { kind: test.timed, row: 1, in: w, out: "h:v=4096", uses: { gpu: 1 }, scratch: "s=8192", workers: 2 }
  beside: { kind: test.timed, row: 2, in: w, out: g, async: true, pending: 2 }
  assemble: { kind: test.timed, row: 3, in: h g }
edges:
  - { from: make.w, to: device.w, capacity: 1, bytes: 32KiB }
  - { from: make.w, to: beside.w, capacity: 2, bytes: 32KiB }
  - { from: device.h, to: assemble.h, capacity: 1, bytes: 8KiB }
  - { from: beside.g, to: assemble.g, capacity: 2 }
`

const chainOfReleases = `
pipeline: chain
pools: { host: { limit: 200KiB } }
buffers: { v: { pool: host } }
stages:
  a: { kind: test.timed, row: 0, out: "q:v=16384", workers: 3, release: on_complete }
  b: { kind: test.timed, row: 1, in: q, out: "q:v=16384", takes: "q=q", workers: 2, release: on_consume }
  c: { kind: test.timed, row: 2, in: q, out: "q:v=4096" }
  d: { kind: test.timed, row: 3, in: q }
edges:
  - { from: a.q, to: b.q, capacity: 1, bytes: 100% }
  - { from: b.q, to: c.q, capacity: 2, bytes: 100% }
  - { from: c.q, to: d.q, capacity: 1, bytes: 100% }
`

const keyed = `
pipeline: keyed
pools: { host: { limit: 64KiB } }
buffers: { key: { pool: host, cached: true }, v: { pool: host } }
stages:
  load: { kind: test.timed, row: 0, out: "key:key=16384", cache: key }
  make: { kind: test.timed, row: 1, in: key, out: "q:v=8192", workers: 2 }
  use: { kind: test.timed, row: 2, in: key q }
edges:
  - { from: load.key, to: make.key, capacity: 2, bytes: 100% }
  - { from: load.key, to: use.key, capacity: 3, bytes: 100% }
  - { from: make.q, to: use.q, capacity: 1, bytes: 100% }
`

const keyedOnDevices = `
pipeline: keyed-on-devices
pools: { host: { limit: 64KiB }, device: { limit: 44KiB, memory: device } }
buffers: { bases: { pool: device, cached: true }, v: { pool: host }, d: { pool: device } }
resources: { lane: { count: 1, per: device } }
stages:
  load: { kind: test.timed, row: 0, out: "bases:bases=16384", cache: bases }
  make: { kind: test.timed, row: 1, in: bases, out: "q:d=8192", workers: 3, uses: { lane: 1 } }
  back: { kind: test.timed, row: 2, in: q, out: "h:v=8192", scratch: "d=4096", workers: 2 }
  use: { kind: test.timed, row: 3, in: bases h }
edges:
  - { from: load.bases, to: make.bases, capacity: 2, bytes: 100% }
  - { from: load.bases, to: use.bases, capacity: 6, bytes: 100% }
  - { from: make.q, to: back.q, capacity: 2, bytes: 100% }
  - { from: back.h, to: use.h, capacity: 1, bytes: 100% }
`

func TestARunAndASimulationDecideAlike(t *testing.T) {
	type pipeline struct {
		yaml    string
		devices int
	}
	pipelines := map[string]pipeline{
		"fork and join": {forkAndJoin, 1}, "chain of releases": {chainOfReleases, 1}, "a key in the cache": {keyed, 1},
		"a key on one device": {keyedOnDevices, 1}, "a key on two devices": {keyedOnDevices, 2}, "a key on three devices": {keyedOnDevices, 3},
	}
	for seed := range 40 {
		pipelines[fmt.Sprintf("random %d", seed)] = pipeline{randomPipeline(rand.New(rand.NewPCG(uint64(seed), 1)), false), 1}
		pipelines[fmt.Sprintf("random %d on two devices", seed)] = pipeline{randomPipeline(rand.New(rand.NewPCG(uint64(seed), 2)), true), 2}
	}
	ways := map[string]Arrivals{
		"all at once":  {Jobs: 5, Items: 3},
		"by the clock": {Jobs: 7, Items: 2, Every: 1234567891},
	}
	for name, p := range pipelines {
		for way, arrivals := range ways {
			t.Run(name+" "+way, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					simulated, real := bothWays(t, p.yaml, arrivals, p.devices)
					require.NotEmpty(t, simulated)
					assert.Equal(t, real, simulated, p.yaml)
					requirePlaces(t, simulated, p.devices)
				})
			})
		}
	}
}

// requirePlaces checks that every item is on one device, and that every device has some.
func requirePlaces(t *testing.T, starts []Start, devices int) {
	places := map[[2]int]int{}
	counts := map[int]int{}
	for _, s := range starts {
		item := [2]int{s.Job, s.Item}
		if place, known := places[item]; known {
			require.Equal(t, place, s.Device)
		} else {
			counts[s.Device]++
		}
		places[item] = s.Device
	}
	require.Len(t, counts, devices)
}

// randomPipeline writes a pipeline of 2 to 7 stages, all of which lead to the last. On devices, half of the outputs and of
// the scratch lie there, and stages use a lane of theirs.
func randomPipeline(r *rand.Rand, onDevices bool) string {
	place, lane := func() string { return "" }, "gpu"
	if onDevices {
		place, lane = func() string { return []string{"", "d"}[r.IntN(2)] }, "lane"
	}
	n := 2 + r.IntN(6)
	var edges [][2]int
	for to := 1; to < n; to++ {
		for from := range to {
			if from == to-1 || r.IntN(4) == 0 {
				edges = append(edges, [2]int{from, to})
			}
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "pipeline: random\npools: { host: { limit: %dKiB }, device: { limit: %dKiB, memory: device } }\n", 100+r.IntN(150), 100+r.IntN(50))
	b.WriteString("buffers: { v: { pool: host }, s: { pool: host }, dv: { pool: device }, ds: { pool: device } }\n")
	b.WriteString("resources: { gpu: 2, lane: { count: 1, per: device } }\nstages:\n")
	for s := range n {
		var in []string
		for _, e := range edges {
			if e[1] == s {
				in = append(in, fmt.Sprintf("i%d", e[0]))
			}
		}
		fmt.Fprintf(&b, "  s%d: { kind: test.timed, row: %d, in: %q, out: \"o:%sv=%d\", workers: %d, release: %s%s }\n", s, s,
			strings.Join(in, " "), place(), 4096*(1+r.IntN(3)), 1+r.IntN(3), []string{"after_send", "on_complete", "on_consume"}[r.IntN(3)],
			[]string{"", ", async: true, pending: 2", ", uses: { " + lane + ": 1 }", `, scratch: "` + place() + `s=8192"`}[r.IntN(4)])
	}
	b.WriteString("edges:\n")
	for _, e := range edges {
		fmt.Fprintf(&b, "  - { from: s%d.o, to: s%d.i%d, capacity: %d, bytes: 64KiB }\n", e[0], e[1], e[0], 1+r.IntN(2))
	}
	return b.String()
}
