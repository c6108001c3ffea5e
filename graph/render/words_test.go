package render

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/spec"
)

func TestBudgets(t *testing.T) {
	p := chainPipeline()
	for _, c := range []struct {
		bytes    spec.Bytes
		capacity int
		want     string
	}{
		{spec.Bytes{Fixed: 6 * gib}, 2, "2 items · 6 GiB"},
		{spec.Bytes{Share: 0.125}, 1, "1 item · 12.5 % of host"},
		{spec.Bytes{}, 3, "3 items"},
	} {
		p.Edges[0].Bytes, p.Edges[0].Capacity = c.bytes, c.capacity
		assert.Equal(t, c.want, edgeBudget(p, p.Edges[0]))
	}
	p.Edges[1].Bytes = spec.Bytes{Share: 1}
	assert.Equal(t, "16 items · 100 %", edgeBudget(p, p.Edges[1]), "a share without a class names no pool")
}

func TestLimits(t *testing.T) {
	for want, pool := range map[string]spec.Pool{
		"auto − 2 GiB margin": {Limit: spec.Limit{Auto: true}, Margin: 2 * gib},
		"auto":                {Limit: spec.Limit{Auto: true}},
		"no limit":            {Limit: spec.Limit{None: true}},
		"24 GiB":              {Limit: spec.Limit{Bytes: 24 * gib}, Margin: gib},
	} {
		assert.Equal(t, want, limit(pool))
		assert.Equal(t, want, poolWords(pool), "memory is the host's unless something is said")
	}
}

func TestMemoriesAndDevices(t *testing.T) {
	auto := spec.Limit{Auto: true}
	assert.Equal(t, "auto · pinned memory", poolWords(spec.Pool{Limit: auto, Memory: budget.Pinned}))
	assert.Equal(t, "auto − 2 GiB margin · device memory, a pool for each", poolWords(spec.Pool{Limit: auto, Margin: 2 * gib, Memory: budget.Device}))
	assert.Equal(t, "lane ×2", resourceWords(spec.Resource{Name: "lane", Count: 2}))
	assert.Equal(t, "lane ×2 per device", resourceWords(spec.Resource{Name: "lane", Count: 2, PerDevice: true}))
}

// Every form of a picture says so.
func TestPicturesTellOfDevices(t *testing.T) {
	p := chainPipeline()
	p.Pools[0].Memory = budget.Device
	p.Resources = []spec.Resource{{Name: "lane", Count: 2, PerDevice: true}}
	for name, draw := range map[string]func(io.Writer) error{
		"text": func(w io.Writer) error { return Text(w, p) },
		"dot":  func(w io.Writer) error { return DOT(w, p, Options{}) },
		"svg":  func(w io.Writer) error { return SVG(w, p, Options{}) },
	} {
		var picture strings.Builder
		require.NoError(t, draw(&picture))
		assert.Contains(t, picture.String(), "device memory, a pool for each", name)
	}
	var svg strings.Builder
	require.NoError(t, SVG(&svg, p, Options{}))
	assert.Contains(t, svg.String(), "lane ×2 per device")
}
