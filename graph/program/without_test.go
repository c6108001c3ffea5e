package program_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/graph/stage"
)

const wishful = `
pipeline: wishful
pools: { host: { limit: 1000B }, device: { limit: auto, memory: device }, free: { limit: none } }
buffers: { table: { pool: device }, scratch: { pool: host }, notes: { pool: free } }
stages:
  quick: { kind: t.wish }
  renamed: { kind: t.wish, buffers: { table: scratch } }
  free: { kind: t.wish, buffers: { table: notes } }
edges: []
`

// wish takes the bytes of fact "wish" as scratch of class table, where that can be had.
func wish(t *testing.T) *stage.Registry {
	registry, err := stage.NewRegistry(&stage.Kind{
		Name: "t.wish", Scratch: []string{"table"},
		New: func(stage.Options) (stage.Body, error) {
			return stage.BodyFunc(func(context.Context, *stage.Task) error { return nil }), nil
		},
		Footprint: func(o stage.Options, item stage.Item) (stage.Footprint, error) {
			scratch := map[string]int64{"table": item.Facts["wish"]}
			if item.Facts["wish"] > o.Room("table") {
				return stage.Footprint{Without: scratch, Instead: "by hand"}, nil
			}
			return stage.Footprint{Scratch: scratch}, nil
		},
	})
	require.NoError(t, err)
	return registry
}

// A stage is told the room that its classes have, by its own names for them, on the largest of the devices; what it does
// without is told in a sentence for each pool.
func TestStagesDoWithoutWhatThereIsNoRoomFor(t *testing.T) {
	p, err := spec.Load("wishful.yaml", []byte(wishful), wish(t), nil)
	require.NoError(t, err)
	prog, err := program.New(p, map[string]int64{"device0": 300, "device1": 500}, program.Devices(2))
	require.NoError(t, err)
	assert.Equal(t, int64(500), prog.Options(0).Room("table"))
	assert.Equal(t, int64(1000), prog.Options(1).Room("table"))
	assert.Equal(t, int64(math.MaxInt64), prog.Options(2).Room("table"))
	for wish, notes := range map[int64][]string{
		500: nil,
		501: {"by hand: quick, since pool device1 has 500 B of device memory and they would take up to 501 B of it"},
		2000: {
			"by hand: renamed, since pool host has 1000 B of host memory and they would take up to 1.95 KiB of it",
			"by hand: quick, since pool device1 has 500 B of device memory and they would take up to 1.95 KiB of it",
		},
	} {
		shape, err := prog.Shape(&stage.Item{Facts: stage.Facts{"wish": wish}})
		require.NoError(t, err)
		require.NoError(t, shape.Refusal)
		assert.Equal(t, notes, prog.Notes(shape), "%d", wish)
		assert.Len(t, shape.Without, len(notes))
	}
}
