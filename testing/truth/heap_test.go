package truth

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/testing/circuitfiles"
)

// uncharged is what a body may put on Go's heap beside what is charged for it: descriptions and points; and the workspaces of
// a transform, a few bytes a row together, of which each thread has one at a time. Garbage counts here.
func uncharged(constraints int) int64 { return 512<<10 + 64*int64(constraints) }

// What a stage kind's bodies put on Go's heap, their libraries' memory among it, is charged as its scratch. One body runs at
// a time, so what is allocated meanwhile is its own.
func TestTheHeapOfEveryStageKindIsCharged(t *testing.T) {
	constraints := sizeOf(t).constraints
	c := size{constraints, 3}.circuit(t)
	for _, engine := range []string{"auto", "gnark"} {
		for _, name := range []string{"serial", "lowmem"} {
			t.Run(fmt.Sprintf("%s/backend=%s", name, engine), func(t *testing.T) {
				p := bindAs(t, name, 1<<40, engine)
				allocated := p.allocations(t, c)
				charged := p.charged(t, c)
				for _, s := range slices.Sorted(maps.Keys(allocated)) {
					t.Logf("%-20s allocated %-9s charged %s", s, budget.FormatBytes(allocated[s]), budget.FormatBytes(charged[s]))
					assert.LessOrEqual(t, allocated[s], charged[s]+uncharged(constraints), s)
				}
				assert.Len(t, allocated, len(p.program.Spec.Stages))
			})
		}
	}
}

// charged gives the heap bytes that are charged for the bodies of each stage.
func (p plant) charged(t *testing.T, c circuitfiles.Circuit) map[string]int64 {
	payload := c.Payloads()[0]
	shape, err := p.program.Shape(&stage.Item{Job: "charged", Facts: payload.Facts(), Payload: payload})
	require.NoError(t, err)
	all := map[string]int64{}
	for s, amounts := range shape.Scratch {
		for _, amount := range amounts {
			if amount.Heap {
				all[p.program.Spec.Stages[s].Name] += amount.Bytes
			}
		}
	}
	return all
}

// allocations gives the most that a body of each stage allocated on Go's heap, the first item's bodies left out: they make
// tables that all others use.
func (p plant) allocations(t *testing.T, c circuitfiles.Circuit) map[string]int64 {
	tracker, err := p.program.Tracker()
	require.NoError(t, err)
	began, most := map[string]int64{}, map[string]int64{}
	r, err := run.New(context.Background(), p.program, tracker, run.Options{Observe: func(e run.Event) {
		name := p.program.Spec.Stages[e.Stage].Name
		if e.Kind == run.BodyStarted {
			began[name] = totalAlloc()
		} else if e.Item.Job != "0" {
			most[name] = max(most[name], totalAlloc()-began[name])
		}
	}})
	require.NoError(t, err)
	for i, payload := range c.Payloads() {
		item := stage.Item{Job: fmt.Sprint(i), Facts: payload.Facts(), Payload: payload}
		r.In() <- &run.Job{ID: item.Job, Items: []stage.Item{item}}
		assert.NoError(t, (<-r.Out()).(*run.Result).Err)
	}
	close(r.In())
	require.NoError(t, r.Close())
	require.NoError(t, tracker.Close())
	return most
}

func totalAlloc() int64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.TotalAlloc)
}

// withBackend names the engine of every stage that has one.
func withBackend(source []byte, engine string) []byte {
	text := string(source)
	for _, kind := range []string{"msm", "ntt", "synthesize", "product", "subtract"} {
		text = strings.ReplaceAll(text, "kind: groth16."+kind+",", "kind: groth16."+kind+", backend: "+engine+",")
	}
	return []byte(text)
}
