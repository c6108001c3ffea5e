package stages_test

import (
	"context"
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind/standin"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/cuda"
	"github.com/proofgraph/proofgraph/stages"
)

// head declares the memory of a pipeline on GPUs, and begins its stages.
const head = `
pipeline: test
doc: some steps of a proof, on GPUs and the CPU
pools:
  host: { limit: auto }
  device: { limit: auto, memory: device }
  pinned: { limit: auto, memory: pinned }
buffers:
  key: { pool: host, cached: true }
  witness: { pool: host }
  abc: { pool: host }
  h: { pool: host }
  scratch: { pool: host }
  device_key: { pool: device, cached: true }
  device_witness: { pool: device }
  device_h: { pool: device }
  device_scratch: { pool: device }
  pinned: { pool: pinned }
stages:
  load: { kind: groth16.load_key, in: memory }
  witness: { kind: groth16.witness }
  synthesize: { kind: groth16.synthesize }
`

func edge(from, to string) string {
	return fmt.Sprintf("  - { from: %s, to: %s, capacity: 1, bytes: 100%% }\n", from, to)
}

// smallEdge is one whose values lie in no buffer.
func smallEdge(from, to string) string {
	return fmt.Sprintf("  - { from: %s, to: %s, capacity: 1 }\n", from, to)
}

// A workshop runs pipelines on a machine with GPUs.
type workshop struct {
	t       *testing.T
	machine *cuda.Machine
	engines *stages.Engines // they have the machine
	limits  map[string]int64
	options []program.Option
	sets    []string
	adapt   func(*stage.Kind) // if there is one, changes the stage kinds
	report  run.Report        // of the last run
}

func newWorkshop(t *testing.T, machine ...standin.Option) *workshop {
	standin.Use(t, machine...)
	w := workshopOn(t, cuda.NewMachine())
	require.Positive(t, w.engines.Devices())
	return w
}

// workshopOn has the GPUs of a machine, or none.
func workshopOn(t *testing.T, m *cuda.Machine) *workshop {
	engines, err := stages.NewEngines(stages.WithMachine(m))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, engines.Close()) })
	limits := map[string]int64{"host": 64 << 20, "device": 64 << 20, "pinned": 64 << 20}
	return &workshop{t: t, machine: m, engines: engines, limits: limits}
}

func (w *workshop) load(source string) (*spec.Pipeline, error) {
	kinds := stages.Kinds(w.engines, stages.NewGenerators())
	for _, k := range kinds {
		if w.adapt != nil {
			w.adapt(k)
		}
	}
	registry, err := stage.NewRegistry(kinds...)
	require.NoError(w.t, err)
	return spec.Loader{Registry: registry, Overrides: w.sets, Devices: w.engines.Devices}.Load("test.yaml", []byte(source))
}

func (w *workshop) program(source string) *program.Program {
	pipeline, err := w.load(source)
	require.NoError(w.t, err)
	prog, err := program.New(pipeline, w.limits, w.options...)
	require.NoError(w.t, err)
	return prog
}

// run gives the results of jobs of one proof each, and requires that all memory comes back.
func (w *workshop) run(source string, payloads ...*stages.Payload) (results []*run.Result) {
	prog := w.program(source)
	memory, err := w.engines.PoolMemory(prog)
	require.NoError(w.t, err)
	tracker, err := prog.Tracker(memory...)
	require.NoError(w.t, err)
	r, err := run.New(context.Background(), prog, tracker, run.Options{})
	require.NoError(w.t, err)
	go func() {
		defer close(r.In())
		for i, p := range payloads {
			id := strconv.Itoa(i)
			r.In() <- &run.Job{ID: id, Items: []stage.Item{{Job: id, Facts: p.Facts(), Payload: p}}}
		}
	}()
	for out := range r.Out() {
		results = append(results, out.(*run.Result))
	}
	w.report = r.Report()
	require.NoError(w.t, r.Close())
	require.NoError(w.t, tracker.Close())
	return results
}
