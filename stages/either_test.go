package stages_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind/standin"
	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/curve"
)

// Whatever part of a proof a GPU has memory for, the CPU does the rest, and the proof is the same.
func TestTheCPUDoesWhatAGPUHasNoRoomFor(t *testing.T) {
	source := bundledSource(t, "groth16")
	for _, id := range curves {
		reference := payload(t, id, "cpu")
		requireNoErrors(t, onGPUs(t, 1).run(bundledSource(t, "serial"), reference))
		all, none := false, false
		for bytes := int64(0); bytes <= 16<<10; bytes += 2 << 10 {
			t.Run(fmt.Sprintf("%s/%d", id, bytes), func(t *testing.T) {
				w := onGPUs(t, 2)
				w.limits["device"] = bytes
				p := payload(t, id, "proof")
				requireNoErrors(t, w.run(source, p))
				require.Equal(t, proofOf(t, reference), proofOf(t, p))
				prog := w.program(source)
				shape, err := prog.Shape(&stage.Item{Facts: p.Facts(), Payload: p})
				require.NoError(t, err)
				all, none = all || len(shape.Without) == 0, none || w.peak("device") == 0
				require.Equal(t, w.peak("device") > 0, len(shape.Without) < 6, "six steps are either's")
			})
		}
		require.True(t, all && none, "both ends were tried")
	}
}

// Whichever call fails on one device, its item is proved on the other, and all memory comes back.
func TestAFailureIsMadeUpForOnAnotherDevice(t *testing.T) {
	key, total := square(t, curve.BN254), int64(0)
	for _, pipeline := range []string{"gpu-resident", "gpu-split", "groth16"} {
		for _, fault := range []string{
			"pg_device_alloc:1", "pg_device_alloc:4", "pg_stream_create:1", "pg_stream_create:2", "pg_stream_synchronize:2",
			"pg_event_create:3", "pg_copy_to_device:2", "pg_copy_to_device:3:later", "pg_quotient:1", "pg_quotient:2:later",
			"pg_msm_start:1", "pg_msm_start:4:later",
		} {
			t.Run(pipeline+"/"+fault, func(t *testing.T) {
				w := onGPUs(t, 2, standin.Fail(fault))
				requireNoErrors(t, w.run(bundledSource(t, pipeline), key, key, key))
				failed, moved := int64(0), int64(0)
				for _, d := range w.report.Devices {
					failed, moved = failed+d.Failed, moved+d.Moved
				}
				require.Equal(t, failed, moved)
				total += moved
			})
		}
	}
	require.Greater(t, total, int64(30))
}

// A host that gives no pinned memory is not a device's fault: the job fails, and no device is avoided.
func TestPinnedMemoryThatTheHostRefuses(t *testing.T) {
	w := onGPUs(t, 2, standin.Fail("pg_pinned_alloc:1"))
	key := square(t, curve.BN254)
	failures := 0
	for _, result := range w.run(bundledSource(t, "gpu-resident"), key, key) {
		if result.Err != nil {
			failures++
		}
	}
	require.Equal(t, 1, failures)
	for _, d := range w.report.Devices {
		require.Zero(t, d.Failed)
		require.False(t, d.Avoided)
	}
}
