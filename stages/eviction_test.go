package stages_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/cudabind/standin"
	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/cuda"
	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/stages"
)

// loads counts the parts of keys that are loaded to devices, and adapts kinds to that.
type loads struct{ parts atomic.Int64 }

func (l *loads) adapt(k *stage.Kind) {
	if k.Name != "groth16.load_device" {
		return
	}
	made := k.New
	k.New = func(o stage.Options) (stage.Body, error) {
		body, err := made(o)
		return stage.BodyFunc(func(ctx context.Context, t *stage.Task) error {
			if o.String("part") != "domain" { // which circuits share
				l.parts.Add(1)
			}
			return body.Run(ctx, t)
		}), err
	}
}

// Two circuits alternate on devices that hold one key and a half: what is idle goes for what is needed, comes back when
// it is needed again, once, and no more than a pool has is ever used.
func TestKeysOnDevicesAreEvictedUnderPressure(t *testing.T) {
	source := bundledSource(t, "gpu-resident")
	const parts = 6 // of a key: five queries and the constraints
	a, b := payload(t, "bn254", "a"), square(t, curve.BN254)
	big := payload(t, "bls12-381", "big")
	for _, c := range []struct {
		name        string
		devices     int
		room        func(big, other int64) int64 // in one device's pool, by the least that one proof takes
		payloads    []*stages.Payload
		least, most int64 // parts that are loaded
	}{
		{"one circuit", 1, func(big, _ int64) int64 { return big }, []*stages.Payload{big, big, big, big}, parts, parts},
		{"room for both", 1, func(big, other int64) int64 { return 2 * (big + other) }, []*stages.Payload{big, a, big, a}, 2 * parts, 2 * parts},
		{"one and a half", 1, func(big, _ int64) int64 { return big * 3 / 2 }, []*stages.Payload{big, a, big, a, big}, 2*parts + 1, 5 * parts},
		{"just one", 1, func(big, _ int64) int64 { return big }, []*stages.Payload{big, a, b, big, a, b}, 3*parts + 1, 6 * parts},
		{"one and a half on each of two", 2, func(big, _ int64) int64 { return big * 3 / 2 }, []*stages.Payload{big, a, b, big, a, b, big, a}, 3 * parts, 8 * parts},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, counted := onGPUs(t, c.devices), &loads{}
			w.adapt = counted.adapt
			w.sets = []string{"under_way=1"}
			if c.devices > 1 {
				w.sets = []string{"under_way=4"}
			}
			w.limits["device"] = c.room(w.leastOf(source, big), w.leastOf(source, a))
			requireNoErrors(t, w.run(source, c.payloads...))
			require.GreaterOrEqual(t, counted.parts.Load(), c.least)
			require.LessOrEqual(t, counted.parts.Load(), c.most)
			require.Positive(t, w.peak("device"))
			requireGolden(t, "bls12-381", big)
		})
	}
}

// A device that has less than its pool was promised refuses allocations. Jobs fail with its words or are proved, and
// nothing is kept.
func TestDevicesThatHaveLessThanTheirPools(t *testing.T) {
	small, large := square(t, curve.BN254), payload(t, "bls12-381", "large")
	for _, pipeline := range []string{"gpu-resident", "gpu-split", "groth16"} {
		t.Run(pipeline, func(t *testing.T) {
			failed, proved := 0, 0
			for pages := 0; proved < 3; pages += 4 {
				require.Less(t, pages, 400)
				w := onGPUs(t, 1, standin.Memory(pages*4096))
				proved = 0
				for _, result := range w.run(bundledSource(t, pipeline), small, large, small) {
					if result.Err == nil {
						proved++
						continue
					}
					failed++
					var refused *cudabind.Error
					require.ErrorAs(t, result.Err, &refused)
					require.True(t, refused.OutOfMemory(), refused)
				}
				w.requireAllFree()
			}
			require.Positive(t, failed)
		})
	}
}

func (w *workshop) requireAllFree() {
	machine := cuda.NewMachine()
	defer machine.Close()
	device, err := machine.Device(0)
	require.NoError(w.t, err)
	free, total, err := device.Memory()
	require.NoError(w.t, err)
	require.Equal(w.t, total, free)
}

// leastOf is the least that does for one proof in a device's pool.
func (w *workshop) leastOf(source string, p *stages.Payload) int64 {
	prog := w.program(source)
	shape, err := prog.Shape(itemOf(p))
	require.NoError(w.t, err)
	for i, pool := range prog.Pools {
		if prog.Spec.Pools[pool.Spec].Name == "device" {
			return prog.Least(shape)[i]
		}
	}
	return 0
}
