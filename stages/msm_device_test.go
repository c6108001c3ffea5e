package stages_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind/standin"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/cuda"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/stages"
)

// head declares the memory of a pipeline that sums, and makes the scalars.
const head = `
pipeline: sums
doc: the sums of a proof, and nothing more
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

// summing is a pipeline with a sum for each query; options are those of the sums, load those of the stages that load bases
// to a device, if there are any.
func summing(options, load string) string {
	text, edges := scalarStages(strings.Contains(options, "scalars: device"))
	for _, q := range []string{"a", "b_g1", "b_g2", "l", "h"} {
		sum := "msm_" + q
		text += fmt.Sprintf("  %s: { kind: groth16.msm, query: %s, %s }\n", sum, q, options)
		if load == "" {
			edges += edge("load.key", sum+".key")
		} else {
			text += fmt.Sprintf("  bases_%s: { kind: groth16.load_device, part: %s, %s }\n", q, q, load)
			edges += edge("bases_"+q+".part", sum+".bases")
		}
		if q == "h" {
			edges += edge("ntt.h", sum+".h")
		} else {
			edges += edge("given.witness", sum+".witness")
		}
	}
	return head + text + "edges:\n" + strings.ReplaceAll(edges, "given.", given(options))
}

// scalarStages are the stages that make the witness and h, on the host or on a device.
func scalarStages(onDevice bool) (text, edges string) {
	edges = edge("load.key", "synthesize.key") + edge("witness.witness", "synthesize.witness") + edge("synthesize.abc", "ntt.abc")
	if !onDevice {
		return "  ntt: { kind: groth16.ntt, backend: gnark }\n", edges
	}
	text = "  upload: { kind: groth16.upload }\n  ntt: { kind: groth16.ntt, backend: cuda, to: device }\n"
	return text, edges + edge("witness.witness", "upload.witness")
}

// given is the stage that gives sums their witness.
func given(options string) string {
	if strings.Contains(options, "scalars: device") {
		return "upload."
	}
	return "witness."
}

// A workshop runs pipelines on a machine with GPUs.
type workshop struct {
	t       *testing.T
	machine *cuda.Machine
	engines *stages.Engines // of the last pipeline
	limits  map[string]int64
	options []program.Option
	sets    []string
	adapt   func(*stage.Kind) // if there is one, changes the stage kinds
	report  run.Report        // of the last run
}

func newWorkshop(t *testing.T, machine ...standin.Option) *workshop {
	standin.Use(t, machine...)
	m := cuda.NewMachine()
	require.NoError(t, m.Problem())
	t.Cleanup(func() { require.NoError(t, m.Close()) })
	limits := map[string]int64{"host": 64 << 20, "device": 64 << 20, "pinned": 64 << 20}
	return &workshop{t: t, machine: m, limits: limits}
}

func (w *workshop) load(source string) (*spec.Pipeline, error) {
	var err error
	w.engines, err = stages.NewEngines(stages.WithMachine(w.machine))
	require.NoError(w.t, err)
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

// sums are the values of all sums of a proof.
func (w *workshop) sums(source string, p *stages.Payload) map[string]any {
	return w.sumsOf(source, p)[0]
}

func (w *workshop) sumsOf(source string, payloads ...*stages.Payload) (all []map[string]any) {
	for _, result := range w.run(source, payloads...) {
		require.NoError(w.t, result.Err)
		sums := map[string]any{}
		for port, value := range result.Values[0] {
			if strings.HasPrefix(port, "msm_") {
				sums[port] = value
			}
		}
		require.Len(w.t, sums, 5)
		all = append(all, sums)
	}
	require.Len(w.t, all, len(payloads))
	return all
}

func TestSumsOnADeviceAreThoseOfTheCPU(t *testing.T) {
	for _, curve := range curves {
		t.Run(curve, func(t *testing.T) {
			w, p := newWorkshop(t), payload(t, curve, "sums")
			want := w.sums(summing("backend: gnark", ""), p)
			for name, source := range map[string]string{
				"streamed":              summing("backend: cuda", ""),
				"streamed in slices":    summing("backend: cuda, slice: 7, async: true, pending: 2", ""),
				"auto":                  summing("backend: auto", ""),
				"resident":              summing("backend: cuda, bases: device", "threads: 1"),
				"resident in slices":    summing("bases: device, slice: 10", "multiples: 1"),
				"with multiples":        summing("bases: device, multiples: 3, async: true, pending: 5", "multiples: 3"),
				"scalars on the device": summing("backend: cuda, scalars: device, slice: 8", ""),
				"all on the device":     summing("backend: cuda, bases: device, scalars: device, multiples: 2", "multiples: 2"),
				"from pinned memory": strings.NewReplacer("key: { pool: host", "key: { pool: pinned", "witness: { pool: host", "witness: { pool: pinned").
					Replace(summing("backend: cuda, slice: 9", "")),
			} {
				t.Run(name, func(t *testing.T) { require.Equal(t, want, newWorkshop(t).sums(source, p)) })
			}
		})
	}
}

func TestOperandsOnADeviceNeedADeviceToSum(t *testing.T) {
	w := newWorkshop(t)
	for _, options := range []string{"backend: gnark, bases: device", "backend: ifma, bases: device"} {
		_, err := run.New(t.Context(), w.program(summing(options, "multiples: 1")), nil, run.Options{})
		require.ErrorIs(t, err, engine.ErrUnavailable)
		require.ErrorContains(t, err, ": device is for sums on a GPU")
	}
}

// The type of bases says how many multiples there are, so that a sum is not given others than it was described with.
func TestSumsTakeTheMultiplesThatWereLoaded(t *testing.T) {
	_, err := newWorkshop(t).load(summing("bases: device, multiples: 2", "multiples: 3"))
	require.ErrorContains(t, err, "multiples")
}
