package run_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// A card is a device for tests: the host cannot touch its addresses, but it remembers what was copied to each, and answers
// for no other's.
type card struct {
	budget.Sealed
	mu       sync.Mutex
	contents map[unsafe.Pointer]string
	loads    int
	broken   bool // fails whatever asks it
	asked    int  // how often it was asked while it was
}

// errBroken is what a broken card says.
type errBroken struct{}

func (errBroken) Error() string { return "the card is broken" }

func (errBroken) DeviceFault() bool { return true }

// works counts who asks a broken card. The lock is held.
func (c *card) works() error {
	if !c.broken {
		return nil
	}
	c.asked++
	return errBroken{}
}

func (c *card) put(l *budget.Lease, text string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.works(); err != nil {
		return err
	}
	if _, ours := c.contents[l.Address()]; !ours {
		return fmt.Errorf("%s of class %d is not on this card", l.Holder(), l.Class())
	}
	c.contents[l.Address()] = text
	return nil
}

func (c *card) get(l *budget.Lease) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	text, ours := c.contents[l.Address()]
	if !ours {
		return "", fmt.Errorf("%s of class %d is not on this card", l.Holder(), l.Class())
	}
	return text, nil
}

// Map implements budget.Allocator.
func (c *card) Map(bytes int64) ([]byte, error) {
	mem, err := c.Sealed.Map(bytes)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.contents[unsafe.Pointer(unsafe.SliceData(mem))] = ""
	return mem, err
}

// Unmap implements budget.Allocator.
func (c *card) Unmap(mem []byte) error {
	c.mu.Lock()
	delete(c.contents, unsafe.Pointer(unsafe.SliceData(mem)))
	c.mu.Unlock()
	return c.Sealed.Unmap(mem)
}

const onCards = `
pipeline: on-cards
pools: { host: { limit: 64KiB }, device: { limit: 40KiB, memory: device } }
buffers: { bases: { pool: device, cached: true }, points: { pool: device }, buckets: { pool: device }, h: { pool: host } }
resources: { lane: { count: 1, per: device } }
stages:
  load: { kind: t.load, workers: 4 }
  upload: { kind: t.upload, workers: 4 }
  msm: { kind: t.msm, workers: 4, uses: { lane: 1 }, async: true, pending: 3 }
  back: { kind: t.back, workers: 2 }
edges:
  - { from: load.bases, to: msm.bases, capacity: 4, bytes: 100% }
  - { from: upload.points, to: msm.points, capacity: 4, bytes: 100% }
  - { from: msm.sum, to: back.sum, capacity: 2, bytes: 100% }
`

// cardKinds multiplies on cards: bases are loaded, points go up, their product comes back.
func cardKinds(t *testing.T, cards []*card) *stage.Registry {
	of := func(body func(c *card, t *stage.Task) error) func(stage.Options) (stage.Body, error) {
		return func(stage.Options) (stage.Body, error) {
			return stage.BodyFunc(func(_ context.Context, t *stage.Task) error { return body(cards[t.Device], t) }), nil
		}
	}
	bytes := func(f stage.Footprint) func(stage.Options, stage.Item) (stage.Footprint, error) {
		return func(stage.Options, stage.Item) (stage.Footprint, error) { return f, nil }
	}
	vector := stage.T("vector")
	registry, err := stage.NewRegistry(
		&stage.Kind{
			Name: "t.load", Outputs: []stage.Port{{Name: "bases", Type: vector, Class: "bases"}}, New: of(loadBases),
			Footprint: bytes(stage.Footprint{Outputs: map[string]int64{"bases": 8 << 10}, CacheKeys: map[string]string{"bases": "key"}}),
		},
		&stage.Kind{
			Name: "t.upload", Outputs: []stage.Port{{Name: "points", Type: vector, Class: "points"}},
			Footprint: bytes(stage.Footprint{Outputs: map[string]int64{"points": 4 << 10}}),
			New:       of(func(c *card, t *stage.Task) error { return c.put(t.OutLease("points"), t.Item.Payload.(string)) }),
		},
		&stage.Kind{
			Name: "t.msm", Inputs: []stage.Port{{Name: "bases", Type: vector}, {Name: "points", Type: vector}},
			Outputs: []stage.Port{{Name: "sum", Type: vector, Class: "points", Takes: "points"}}, Scratch: []string{"buckets"},
			Footprint: bytes(stage.Footprint{Outputs: map[string]int64{"sum": 4 << 10}, Scratch: map[string]int64{"buckets": 6000}}),
			New:       of(multiply),
		},
		&stage.Kind{
			Name: "t.back", Inputs: []stage.Port{{Name: "sum", Type: vector}},
			Outputs: []stage.Port{{Name: "text", Type: stage.T("text")}},
			New: of(func(c *card, t *stage.Task) error {
				text, err := c.get(t.InLease("sum"))
				return errors.Join(err, t.Set("text", text))
			}),
		},
	)
	require.NoError(t, err)
	return registry
}

func loadBases(c *card, t *stage.Task) error {
	c.mu.Lock()
	c.loads++
	c.mu.Unlock()
	return c.put(t.OutLease("bases"), "bases")
}

// multiply works in place, shrinks what cannot be shrunk, and looks for memory that it can read.
func multiply(c *card, t *stage.Task) error {
	buckets := t.ScratchLease("buckets")
	if t.Scratch("buckets") != nil || t.InBytes("points") != nil || t.InBytes("bases") != nil || t.OutLease("sum") != nil {
		return errors.New("device memory that can be read")
	}
	if buckets.Memory() != budget.Device || t.ScratchLease("other") != nil || t.InLease("other") != nil {
		return errors.New("leases that there are not")
	}
	if err := c.put(buckets, "buckets"); err != nil {
		return err
	}
	points := t.InLease("points")
	if err := t.Shrink("points", 100); err != nil || points.Size() != 4<<10 {
		return fmt.Errorf("shrunk to %d: %w", points.Size(), err)
	}
	bases, err := c.get(t.InLease("bases"))
	if err != nil {
		return err
	}
	text, err := c.get(points)
	return errors.Join(err, c.put(points, bases+"*"+text))
}

// startOnCards starts the pipeline on n devices.
func startOnCards(t *testing.T, n int) (rig, []*card) {
	cards := make([]*card, n)
	for d := range cards {
		cards[d] = &card{contents: map[unsafe.Pointer]string{}}
	}
	return startOn(t, cards, run.Options{}), cards
}

func startOn(t *testing.T, cards []*card, how run.Options) rig {
	n := len(cards)
	p, err := spec.Load("cards.yaml", []byte(onCards), cardKinds(t, cards), nil)
	require.NoError(t, err)
	prog, err := program.New(p, nil, program.Devices(n))
	require.NoError(t, err)
	var options []budget.Option
	for i, pool := range prog.Pools {
		if pool.Memory == budget.Device {
			options = append(options, budget.WithAllocator(i, cards[pool.Device]), budget.WithIdle(i, 32<<10))
		}
	}
	tracker, err := prog.Tracker(options...)
	require.NoError(t, err)
	pipeline, err := run.New(context.Background(), prog, tracker, how)
	require.NoError(t, err)
	return rig{pipeline, tracker}
}

func TestItemsRunOnTheirDevice(t *testing.T) {
	for n := 1; n <= 3; n++ {
		t.Run(fmt.Sprintf("devices=%d", n), func(t *testing.T) {
			before := ours()
			r, cards := startOnCards(t, n)
			results := r.feedKeyed(numbered(60, func(i int) string { return fmt.Sprintf("points-%d", i) })...)
			require.Len(t, results, 60)
			for id, result := range results {
				require.NoError(t, result.Err, id)
				assert.Equal(t, "bases*points-"+id, result.Values[0]["back.text"])
			}
			for d, c := range cards {
				assert.Equal(t, 1, c.loads, "the bases are loaded once on device %d", d)
			}
			r.end(t)
			for _, c := range cards {
				assert.Zero(t, c.Given())
			}
			requireNoGoroutines(t, before)
		})
	}
}

// onBoth lets the first body on device 0 wait for one on device 1, so that both get items however fast they are.
func onBoth(observe func(run.Event)) run.Options {
	other := make(chan struct{})
	met := sync.OnceFunc(func() { close(other) })
	return run.Options{Observe: func(e run.Event) {
		if e.Device == 1 {
			met()
		}
		<-other
		observe(e)
	}}
}

func TestEventsSayTheDevice(t *testing.T) {
	var mu sync.Mutex
	at, launched := map[string]map[int]bool{}, map[int]int{}
	r := startOn(t, cardsOf(2), onBoth(func(e run.Event) {
		mu.Lock()
		defer mu.Unlock()
		if at[e.Item.Job] == nil {
			at[e.Item.Job] = map[int]bool{}
		}
		at[e.Item.Job][e.Device] = true
		if e.Kind == run.BodyLaunched {
			launched[e.Device]++
		}
	}))
	r.feedKeyed(numbered(8, strconv.Itoa)...)
	r.end(t)
	for job, devices := range at {
		assert.Len(t, devices, 1, "all events of job %s are of one device", job)
	}
	assert.Equal(t, 8, launched[0]+launched[1])
	assert.Positive(t, launched[0])
	assert.Positive(t, launched[1])
}

func TestReportsNameDevices(t *testing.T) {
	r := startOn(t, cardsOf(2), onBoth(func(run.Event) {}))
	r.feedKeyed(numbered(8, func(i int) string { return fmt.Sprint(i) })...)
	report := r.Report()
	var names []string
	for i, p := range report.Pools {
		assert.Equal(t, p.Name, report.Memory.Pools[i].Name)
		for _, c := range report.Memory.Pools[i].Classes {
			names = append(names, p.Name+" "+c.Name)
		}
		assert.LessOrEqual(t, p.Peak, p.Limit)
	}
	assert.Subset(t, names, []string{"device0 bases@0", "device0 buckets@0", "device1 bases@1", "device1 points@1", "host h"})
	for _, p := range report.Memory.Pools[1:] {
		assert.Positive(t, p.Idle, "%s keeps memory for the next lease", p.Name)
	}
	r.end(t)
}

// A device without memory for the bases does not get items, and a machine without one refuses them.
func TestJobsWithoutADeviceAreRefused(t *testing.T) {
	p, err := spec.Load("cards.yaml", []byte(onCards), cardKinds(t, nil), nil)
	require.NoError(t, err)
	prog, err := program.New(p, map[string]int64{"device": 0})
	require.NoError(t, err)
	tracker, err := prog.Tracker()
	require.NoError(t, err)
	pipeline, err := run.New(context.Background(), prog, tracker, run.Options{})
	require.NoError(t, err)
	r := rig{pipeline, tracker}
	for _, result := range r.feedKeyed([2]string{"0", "points"}) {
		require.ErrorContains(t, result.Err, `job 0: the pool "device" has no memory on this machine`)
	}
	r.end(t)
}

const freeing = `
pipeline: free
pools: { device: { limit: 8KiB, memory: device } }
buffers: { v: { pool: device } }
stages: { make: { kind: t.make }, free: { kind: t.free } }
edges: [{ from: make.out, to: free.in, capacity: 1, bytes: 8KiB }]
`

// freeingKinds make a vector, and let go of it before they end: freed is called then.
func freeingKinds(t *testing.T, freed func()) *stage.Registry {
	body := func(run stage.BodyFunc) func(stage.Options) (stage.Body, error) {
		return func(stage.Options) (stage.Body, error) { return run, nil }
	}
	vector := stage.T("vector")
	registry, err := stage.NewRegistry(
		&stage.Kind{
			Name: "t.make", Outputs: []stage.Port{{Name: "out", Type: vector, Class: "v"}},
			Footprint: func(stage.Options, stage.Item) (stage.Footprint, error) {
				return stage.Footprint{Outputs: map[string]int64{"out": 8 << 10}}, nil
			},
			New: body(func(context.Context, *stage.Task) error { return nil }),
		},
		&stage.Kind{
			Name: "t.free", Inputs: []stage.Port{{Name: "in", Type: vector}},
			New: body(func(_ context.Context, t *stage.Task) error {
				defer freed()
				return t.Shrink("in", 0)
			}),
		},
	)
	require.NoError(t, err)
	return registry
}

// Device memory of which no byte is left is back before the body ends.
func TestDeviceMemoryIsFreedEarlyAsAWhole(t *testing.T) {
	memory, left := &budget.Sealed{}, -1
	registry := freeingKinds(t, func() { left = memory.Given() })
	p, err := spec.Load("free.yaml", []byte(freeing), registry, nil)
	require.NoError(t, err)
	prog, err := program.New(p, nil)
	require.NoError(t, err)
	tracker, err := prog.Tracker(budget.WithAllocator(0, memory))
	require.NoError(t, err)
	pipeline, err := run.New(context.Background(), prog, tracker, run.Options{})
	require.NoError(t, err)
	r := rig{pipeline, tracker}
	for _, result := range r.feedKeyed([2]string{"0", ""}) {
		require.NoError(t, result.Err)
	}
	assert.Zero(t, left)
	r.end(t)
}
