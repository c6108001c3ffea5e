//go:build cgo && linux

package gpu_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/pipelines"
	"github.com/proofgraph/proofgraph/proving/cuda"
	"github.com/proofgraph/proofgraph/stages"
	"github.com/proofgraph/proofgraph/testing/blinded"
)

// A plan is a pipeline to run, and how.
type plan struct {
	pipeline string
	sets     []string
	edit     []string // words of the pipeline and what to put in their place, in turns
	cpu      bool     // without the GPU
	devices  int      // how many GPUs; 0 is one
}

func (p plan) name() string {
	name := strings.Join(append([]string{p.pipeline}, p.sets...), " ")
	if p.edit != nil {
		name += ", " + p.edit[1]
	}
	if p.devices > 1 {
		name += fmt.Sprintf(" on %d", p.devices)
	}
	return name
}

func (p plan) edited(t *testing.T, source string) []byte {
	for i := 0; i < len(p.edit); i += 2 {
		require.Contains(t, source, p.edit[i])
		source = strings.Replace(source, p.edit[i], p.edit[i+1], 1)
	}
	return []byte(source)
}

// numbers gives CUDA's numbers of the GPUs to use.
func (p plan) numbers() []int {
	numbers := make([]int, max(p.devices, 1))
	for i := range numbers {
		numbers[i] = i
	}
	return numbers
}

// A plant is a pipeline bound to this machine.
type plant struct {
	program *program.Program
	engines *stages.Engines
}

func newPlant(t *testing.T, p plan) plant {
	var options []stages.EngineOption
	if !p.cpu {
		machine := cuda.NewMachine(p.numbers()...)
		t.Cleanup(func() { require.NoError(t, machine.Close()) })
		options = append(options, stages.WithMachine(machine))
	}
	engines, err := stages.NewEngines(options...)
	require.NoError(t, err)
	source, ok := pipelines.Read(p.pipeline)
	require.True(t, ok)
	loader := spec.Loader{Registry: registryOf(t, engines), Overrides: p.sets, Devices: engines.Devices}
	pipeline, err := loader.Load(p.pipeline, p.edited(t, string(source)))
	require.NoError(t, err)
	limits, problems := engines.DeviceLimits(pipeline)
	require.Empty(t, problems)
	limits["host"], limits["pinned"] = 64<<30, 16<<30
	prog, err := program.New(pipeline, limits, program.Devices(engines.Devices()))
	require.NoError(t, err)
	return plant{prog, engines}
}

// registryOf has all kinds, but that proofs are always blinded alike.
func registryOf(t *testing.T, engines *stages.Engines) *stage.Registry {
	generators := stages.NewGenerators()
	t.Cleanup(func() { require.NoError(t, generators.Close()) })
	kinds := stages.Kinds(engines, generators)
	for _, k := range kinds {
		blinded.Adapt(k)
	}
	registry, err := stage.NewRegistry(kinds...)
	require.NoError(t, err)
	return registry
}

// running is a plant at work.
type running struct {
	tracker  *budget.Tracker
	pipeline *run.Pipeline
	jobs     int
}

func (p plant) start(t *testing.T) *running {
	memory, err := p.engines.PoolMemory(p.program)
	require.NoError(t, err)
	tracker, err := p.program.Tracker(append(memory, budget.WithHugePages())...)
	require.NoError(t, err)
	pipeline, err := run.New(t.Context(), p.program, tracker, run.Options{})
	require.NoError(t, err)
	return &running{tracker: tracker, pipeline: pipeline}
}

func (r *running) submit(p *stages.Payload) {
	r.jobs++
	id := fmt.Sprint(r.jobs)
	r.pipeline.In() <- &run.Job{ID: id, Items: []stage.Item{{Job: id, Facts: p.Facts(), Payload: p}}}
}

// prove makes one proof, with nothing beside it.
func (r *running) prove(t *testing.T, p *stages.Payload) {
	r.submit(p)
	require.NoError(t, (<-r.pipeline.Out()).(*run.Result).Err)
}

// proof makes one proof and gives what was written.
func (r *running) proof(t *testing.T, p *stages.Payload) string {
	p.Proof = filepath.Join(t.TempDir(), "proof.json")
	r.prove(t, p)
	proof, err := os.ReadFile(p.Proof)
	require.NoError(t, err)
	return string(proof)
}

// proveMany makes n proofs at once and gives the time they all took.
func (r *running) proveMany(t *testing.T, c circuit, n int) time.Duration {
	began := time.Now()
	go func() {
		for i := range n {
			r.submit(c.Payload(i % len(c.Witnesses)))
		}
	}()
	for range n {
		require.NoError(t, (<-r.pipeline.Out()).(*run.Result).Err)
	}
	return time.Since(began)
}

// outcome is the report of a run that has ended.
type outcome struct{ run.Report }

// close ends the run and requires that every byte came back.
func (r *running) close(t *testing.T) outcome {
	close(r.pipeline.In())
	_, more := <-r.pipeline.Out()
	require.False(t, more)
	report := r.pipeline.Report()
	require.NoError(t, r.pipeline.Close())
	require.NoError(t, r.tracker.Close())
	return outcome{report}
}

// peak gives the most bytes that were leased of pools whose names begin so.
func (o outcome) peak(pool string) int64 {
	var most int64
	for _, p := range o.Memory.Pools {
		if strings.HasPrefix(p.Name, pool) {
			most = max(most, p.HighWater)
		}
	}
	return most
}
