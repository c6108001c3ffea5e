package render

import (
	"testing"

	"github.com/stretchr/testify/assert"

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
	}
}
