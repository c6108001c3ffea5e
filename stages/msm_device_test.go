package stages_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/stages"
)

// summing is a pipeline with a sum for each query; options are those of the sums, load those of the stages that load bases
// to a device, if there are any.
func summing(options, load string) string {
	text, edges, witness := scalarStages(strings.Contains(options, "scalars: device"))
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
			edges += edge(witness, sum+".witness")
		}
	}
	return head + text + "edges:\n" + edges
}

// scalarStages are the stages that make the witness and h, on the host or on a device; witness is the output of the former.
func scalarStages(onDevice bool) (text, edges, witness string) {
	edges = edge("load.key", "synthesize.key") + edge("witness.witness", "synthesize.witness") + edge("synthesize.abc", "ntt.abc")
	if !onDevice {
		return "  ntt: { kind: groth16.ntt, backend: gnark }\n", edges, "witness.witness"
	}
	text = "  upload: { kind: groth16.upload }\n  ntt: { kind: groth16.ntt, backend: cuda, to: device }\n"
	return text, edges + edge("witness.witness", "upload.witness"), "upload.witness"
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
