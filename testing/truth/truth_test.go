package truth

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/pipelines"
	"github.com/proofgraph/proofgraph/proving/circuits"
	"github.com/proofgraph/proofgraph/stages"
	"github.com/proofgraph/proofgraph/testing/circuitfiles"
)

// size is how large a test is.
type size struct{ constraints, witnesses int }

// sizeOf gives few constraints and witnesses by default, 2^n and many where PROOFGRAPH_STRESS is n.
func sizeOf(t *testing.T) size {
	stress := os.Getenv("PROOFGRAPH_STRESS")
	if stress == "" {
		return size{1 << 12, 6}
	}
	n, err := strconv.Atoi(stress)
	require.NoError(t, err, "PROOFGRAPH_STRESS is the binary logarithm of the constraints")
	return size{1 << n, 24}
}

func (s size) circuit(t *testing.T) circuitfiles.Circuit {
	spec := circuits.Spec{Kind: circuits.Poseidon, Curve: ecc.BN254, Constraints: s.constraints}
	return circuitfiles.Make(t, spec, s.witnesses)
}

// Under a budget with which a proof just fits, and one with which two do, the process has no more memory than the tracker
// says, but for the program's own.
func TestMemoryIsWhatTheTrackerSays(t *testing.T) {
	c := sizeOf(t).circuit(t)
	for _, name := range pipelines.Names() {
		for proofs := int64(1); proofs <= 2; proofs++ {
			t.Run(fmt.Sprintf("%s/room for %d", name, proofs), func(t *testing.T) {
				least := bind(t, name, 1<<40).least(t, c)
				p := bind(t, name, proofs*least)
				seen := p.prove(t, c)
				allowed := 64<<20 + proofs*least/20
				t.Logf("budget %s: tracker's peak %s; unexplained at most %s, %s of it Go's own; %d samples",
					budget.FormatBytes(proofs*least), budget.FormatBytes(seen.mapped), budget.FormatBytes(seen.unexplained),
					budget.FormatBytes(seen.goHeap), seen.samples)
				assert.Less(t, seen.unexplained, allowed)
				assert.LessOrEqual(t, seen.mapped, proofs*least+manyPages, "the budget counts bytes, the system gives pages")
				assert.Greater(t, seen.samples, 10)
			})
		}
	}
}

// manyPages is more than what rounding leases up to pages can add.
const manyPages = 64 * 4096

// plant is a bundled pipeline bound to a budget.
type plant struct{ program *program.Program }

func bind(t *testing.T, name string, memory int64) plant { return bindAs(t, name, memory, "auto") }

// bindAs is bind with another engine.
func bindAs(t *testing.T, name string, memory int64, engine string) plant {
	engines, err := stages.NewEngines()
	require.NoError(t, err)
	generators := stages.NewGenerators()
	t.Cleanup(func() { generators.Close() })
	registry, err := stages.Registry(engines, generators)
	require.NoError(t, err)
	source, ok := pipelines.Read(name)
	require.True(t, ok)
	pipeline, err := spec.Load(name+".yaml", withBackend(source, engine), registry, nil)
	require.NoError(t, err)
	prog, err := program.New(pipeline, map[string]int64{"host": memory})
	require.NoError(t, err)
	return plant{prog}
}

// least gives the least bytes of the pool host that one proof needs.
func (p plant) least(t *testing.T, c circuitfiles.Circuit) int64 {
	payload := c.Payloads()[0]
	shape, err := p.program.Shape(&stage.Item{Job: "least", Facts: payload.Facts(), Payload: payload})
	require.NoError(t, err)
	for i, least := range p.program.Least(shape) {
		if p.program.Graph.Pools[i].Name == "host" {
			return least
		}
	}
	require.Fail(t, "the pipeline has no pool host")
	return 0
}

// prove makes all proofs while the memory of the process is watched.
func (p plant) prove(t *testing.T, c circuitfiles.Circuit) sighting {
	tracker, err := p.program.Tracker(budget.WithHugePages()) // as the command line does
	require.NoError(t, err)
	watch := watchMemory(t, tracker)
	r, err := run.New(context.Background(), p.program, tracker, run.Options{})
	require.NoError(t, err)
	go func() {
		defer close(r.In())
		for i, payload := range c.Payloads() {
			item := stage.Item{Job: fmt.Sprint(i), Facts: payload.Facts(), Payload: payload}
			r.In() <- &run.Job{ID: item.Job, Items: []stage.Item{item}}
		}
	}()
	for element := range r.Out() {
		assert.NoError(t, element.(*run.Result).Err)
	}
	seen := watch.end()
	require.NoError(t, r.Close())
	require.Empty(t, tracker.Leaks())
	require.NoError(t, tracker.Close())
	return seen
}

// A sighting is the most that was seen, in bytes, beyond what the process had before.
type sighting struct {
	mapped      int64 // memory that the tracker's leases have mapped
	goHeap      int64 // growth of Go's memory where the unexplained was most
	unexplained int64 // resident memory that no lease explains, Go's growth included
	samples     int
}

// A memoryWatch samples the memory of the process until it is ended.
type memoryWatch struct {
	tracker *budget.Tracker
	before  budget.Residence
	seen    sighting
	stop    chan struct{}
	ended   sync.WaitGroup
}

func watchMemory(t *testing.T, tracker *budget.Tracker) *memoryWatch {
	runtime.GC()
	debug.FreeOSMemory()
	w := &memoryWatch{tracker: tracker, stop: make(chan struct{})}
	var err error
	w.before, err = tracker.Resident()
	if err != nil {
		t.Skipf("this system does not tell a process's anonymous memory: %v", err)
	}
	w.ended.Go(w.watch)
	return w
}

func (w *memoryWatch) watch() {
	tick := time.NewTicker(500 * time.Microsecond)
	defer tick.Stop()
	for {
		select {
		case <-w.stop:
			return
		case <-tick.C:
			if now, err := w.tracker.Resident(); err == nil {
				w.note(now)
			}
		}
	}
}

func (w *memoryWatch) note(now budget.Residence) {
	w.seen.samples++
	w.seen.mapped = max(w.seen.mapped, now.Mapped)
	if unexplained := now.RssAnon - w.before.RssAnon - now.Mapped; unexplained > w.seen.unexplained {
		w.seen.unexplained, w.seen.goHeap = unexplained, now.GoHeap-w.before.GoHeap
	}
}

func (w *memoryWatch) end() sighting {
	close(w.stop)
	w.ended.Wait()
	return w.seen
}

// What nobody leased is seen: otherwise the test above could not fail.
func TestTheWatchSeesWhatNobodyLeased(t *testing.T) {
	tracker, err := budget.New([]budget.Pool{{Name: "host", Limit: 1 << 30}}, []budget.Class{{Name: "vector"}})
	require.NoError(t, err)
	const size = 48 << 20
	touch := func(memory []byte) {
		for i := 0; i < len(memory); i += 4096 {
			memory[i] = 1
		}
		time.Sleep(20 * time.Millisecond)
	}
	watch := watchMemory(t, tracker)
	lease, err := tracker.Lease(0, size, "the test")
	require.NoError(t, err)
	touch(lease.Bytes())
	leased := watch.end() // before the release, in whose midst the two counts differ
	require.NoError(t, lease.Release())
	assert.GreaterOrEqual(t, leased.mapped, int64(size))
	assert.Less(t, leased.unexplained, int64(size/2), "a lease explains its memory")

	watch = watchMemory(t, tracker)
	hidden := make([]byte, size)
	touch(hidden)
	seen := watch.end()
	runtime.KeepAlive(hidden)
	assert.GreaterOrEqual(t, seen.unexplained, int64(size*9/10))
	require.NoError(t, tracker.Close())
}
