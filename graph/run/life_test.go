package run_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// The life of a stage, point by point: what its kind's code does between the item's arrival and the value's end.
const (
	atFootprint = "footprint"
	atLaunch    = "launch"
	atBegin     = "begin"
	atShrink    = "after the early free of its input"
	atOutput    = "after its output"
	atEnd       = "end"
	atValue     = "close of its value"
)

// mortal is a stage that does all that a stage may do, and strikes at one point of its life, for the job "1" alone.
type mortal struct {
	at     string
	strike func() error
	closed atomic.Int64 // values
}

func (m *mortal) pass(point, job string) error {
	if m.at != point || job != "1" {
		return nil
	}
	return m.strike()
}

func (m *mortal) footprint(_ stage.Options, item stage.Item) (stage.Footprint, error) {
	return stage.Footprint{
		Outputs: map[string]int64{"out": 4096}, Scratch: map[string]int64{"scratch": 4096}, Heap: map[string]int64{"scratch": 100},
	}, m.pass(atFootprint, item.Job)
}

// Run implements stage.Body.
func (m *mortal) Run(_ context.Context, t *stage.Task) error {
	job := t.Item.Job
	if err := m.pass(atBegin, job); err != nil {
		return err
	}
	t.Scratch("scratch")[0] = t.InBytes("in")[0]
	if err := t.Shrink("in", 4096); err != nil {
		return err
	}
	if err := m.pass(atShrink, job); err != nil {
		return err
	}
	t.OutBytes("out")[0] = t.Scratch("scratch")[0]
	if err := t.Set("out", value{m, job}); err != nil {
		return err
	}
	return m.pass(atOutput, job)
}

// Launch implements stage.Launcher.
func (m *mortal) Launch(ctx context.Context, t *stage.Task) (func(context.Context) error, error) {
	if err := m.pass(atLaunch, t.Item.Job); err != nil {
		return nil, err
	}
	return func(context.Context) error { return errors.Join(m.Run(ctx, t), m.pass(atEnd, t.Item.Job)) }, nil
}

// value is what the mortal stage gives; it ends with its buffer.
type value struct {
	of  *mortal
	job string
}

func (v value) Close() error {
	v.of.closed.Add(1)
	return v.of.pass(atValue, v.job)
}

var _ io.Closer = value{}

const mortalPipeline = `
pipeline: mortal
pools: { host: { limit: 64KiB } }
buffers: { vector: { pool: host }, scratch: { pool: host } }
stages:
  make: { kind: test.make, workers: 2 }
  mortal: { kind: t.mortal, workers: 2%s }
  sum: { kind: test.sum }
edges:
  - { from: make.out, to: mortal.in, capacity: 2, bytes: 32KiB }
  - { from: mortal.out, to: sum.in, capacity: 2, bytes: 32KiB }
`

// startMortal runs the pipeline of a mortal stage, async or not, in memory of an allocator.
func startMortal(t *testing.T, m *mortal, async bool, allocator budget.Allocator) rig {
	vector := stage.T("vector")
	kind := &stage.Kind{
		Name: "t.mortal", Scratch: []string{"scratch"}, Footprint: m.footprint,
		Inputs:  []stage.Port{{Name: "in", Type: vector}},
		Outputs: []stage.Port{{Name: "out", Type: vector, Class: "vector"}},
		New:     func(stage.Options) (stage.Body, error) { return m, nil },
	}
	var all []*stage.Kind
	for _, name := range []string{"test.make", "test.sum"} {
		all = append(all, kinds(t, nil).Find(name))
	}
	registry, err := stage.NewRegistry(append(all, kind)...)
	require.NoError(t, err)
	options := ""
	if async {
		options = ", async: true, pending: 2"
	}
	p, err := spec.Load("test.yaml", fmt.Appendf(nil, mortalPipeline, options), registry, nil)
	require.NoError(t, err)
	prog, err := program.New(p, nil)
	require.NoError(t, err)
	tracker, err := prog.Tracker(budget.WithAllocator(0, allocator), budget.WithOrigins())
	require.NoError(t, err)
	pipeline, err := run.New(context.Background(), prog, tracker, run.Options{})
	require.NoError(t, err)
	return rig{pipeline, tracker}
}

// Whatever a stage does last, its job fails with its error, the others do not, and every byte is back.
func TestAStageThatFailsAtEveryPointOfItsLife(t *testing.T) {
	points := map[bool][]string{
		false: {atFootprint, atBegin, atShrink, atOutput, atValue},
		true:  {atFootprint, atLaunch, atBegin, atShrink, atOutput, atEnd, atValue},
	}
	hows := map[string]func() error{
		"error": func() error { return errors.New("no luck") }, "panic": func() error { panic("no luck") },
	}
	for async, all := range points {
		for _, at := range all {
			for name, how := range hows {
				t.Run(fmt.Sprintf("async %v, %s, %s", async, at, name), func(t *testing.T) {
					before := ours()
					m := &mortal{at: at, strike: how}
					r := startMortal(t, m, async, budget.System{})
					results := r.feed(6, 8192)
					require.Len(t, results, 6)
					for id, result := range results {
						if id == "1" {
							assert.ErrorContains(t, result.Err, "no luck")
							continue
						}
						require.NoError(t, result.Err, id)
						assert.Contains(t, result.Values[0], "sum.sum")
					}
					r.end(t)
					requireNoGoroutines(t, before)
					assert.GreaterOrEqual(t, m.closed.Load(), int64(5), "every value that was made has ended")
				})
			}
		}
	}
}

// scarce is a system that refuses one mapping.
type scarce struct {
	budget.System
	count   atomic.Int64
	refused int64
}

// Map implements budget.Allocator.
func (s *scarce) Map(bytes int64) ([]byte, error) {
	if s.count.Add(1) == s.refused {
		return nil, unix.ENOMEM
	}
	return s.System.Map(bytes)
}

// The system may refuse what the budget allows: under a limit that nobody told of, or without overcommit. That fails the
// job that asked, in words, and nothing else.
func TestAnAllocationThatTheSystemRefusesFailsItsJobAlone(t *testing.T) {
	for refused := int64(1); refused <= 12; refused++ {
		t.Run(fmt.Sprintf("mapping %d", refused), func(t *testing.T) {
			before := ours()
			r := startMortal(t, &mortal{}, refused%2 == 0, &scarce{refused: refused})
			failed := 0
			for _, result := range r.feed(6, 8192) {
				if result.Err == nil {
					continue
				}
				failed++
				var system *budget.SystemError
				require.ErrorAs(t, result.Err, &system)
				assert.ErrorIs(t, result.Err, unix.ENOMEM)
				assert.Regexp(t, `stage "(make|mortal|sum)": map .* of (vector|scratch): cannot allocate memory`, result.Err.Error())
			}
			assert.Equal(t, 1, failed)
			r.end(t)
			requireNoGoroutines(t, before)
		})
	}
}

// A run whose books do not balance says so, with who holds what and where it was asked for.
func TestALeaseThatIsNeverReturnedIsNamed(t *testing.T) {
	var r rig
	kind := &stage.Kind{
		Name: "t.hoard", Outputs: []stage.Port{{Name: "out", Type: stage.T("number")}},
		New: func(stage.Options) (stage.Body, error) {
			return stage.BodyFunc(func(_ context.Context, t *stage.Task) error {
				if t.Item.Job == "1" {
					hoard(r.tracker, t)
				}
				return t.Set("out", 1)
			}), nil
		},
	}
	r = startOf(t, "pipeline: p\npools: { host: { limit: 4MiB } }\nbuffers: { vector: { pool: host } }\nstages: { hoard: { kind: t.hoard } }\n", kind)
	for _, result := range r.feed(3, 0) {
		require.NoError(t, result.Err)
	}
	require.NoError(t, r.Close())
	err := r.tracker.Close()
	var leak *budget.LeakError
	require.ErrorAs(t, err, &leak)
	require.Len(t, leak.Leaks, 1)
	assert.Regexp(t, `leases not returned: 1\n  1\[0\] at hoard holds 1 MiB of vector in pool host, leased at run_test\.hoard \(life_test\.go:\d+\)`, err.Error())
}

// hoard leases what nobody will release.
func hoard(tracker *budget.Tracker, t *stage.Task) {
	_, _ = tracker.Lease(0, 1<<20, fmt.Sprintf("%s[%d] at hoard", t.Item.Job, t.Item.Index))
}
