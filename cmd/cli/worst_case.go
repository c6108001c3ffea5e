package cli

import (
	"fmt"
	"math"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/render"
)

// worstCase is the most that a pool or an edge holds: bytes, items on an edge, and what one proof needs.
type worstCase struct {
	Name  string `json:"name"`
	Limit int64  `json:"limit"` // below zero: none, or nobody knows
	Items int    `json:"items,omitempty"`
	// Unknown says that the limit is that of memory which is not here.
	Unknown bool `json:"unknown,omitempty"`
	// One is what one proof needs, Most the most that is ever held; both are below zero where no circuit is known.
	One  int64 `json:"one_proof"`
	Most int64 `json:"most"`
}

func worstCases(prog *program.Program, shape *program.Shape) (pools, edges []worstCase) {
	var needs []int64
	if shape != nil {
		needs = prog.Graph.Needs(shape.Sched)
	}
	for i, p := range prog.Graph.Pools {
		w := worstCase{Name: p.Name, Limit: p.Limit, One: -1, Most: p.Limit}
		if needs != nil {
			w.One = needs[i]
		}
		pools = append(pools, w.asKnown())
	}
	for i, e := range prog.Spec.Edges {
		edge := prog.Graph.Edges[i]
		w := worstCase{Name: e.FromName + " → " + e.ToName, Limit: edge.Bytes, Items: edge.Capacity, One: -1, Most: edge.Bytes}
		if prog.Graph.Buffers[edge.Buffer].Pool < 0 {
			w.Limit, w.Most = 0, 0
		} else if shape != nil {
			w.One = shape.Sched.Carried[edge.Buffer]
			if w.One == 0 || int64(edge.Capacity) <= edge.Bytes/w.One { // else the bytes are the bound, and a product may be too large
				w.Most = w.One * int64(edge.Capacity)
			}
		}
		edges = append(edges, w.asKnown())
	}
	return pools, edges
}

// asKnown hides what stands for unknown memory.
func (w worstCase) asKnown() worstCase {
	if w.Limit >= knownMemory && w.Limit < math.MaxInt64 {
		w.Limit, w.Unknown = -1, true
	}
	if w.Most >= knownMemory && w.Unknown {
		w.Most = -1
	}
	return w
}

func poolTable(pools []worstCase) *render.Table {
	t := &render.Table{Columns: []render.Column{
		{Title: "pool"}, {Title: "limit", Right: true}, {Title: "one proof needs", Right: true},
	}}
	for _, p := range pools {
		limit := limitText(p.Limit)
		if p.Unknown {
			limit = "?"
		}
		t.Add(p.Name, limit, sizeText(p.One))
	}
	return t
}

func edgeTable(edges []worstCase) *render.Table {
	t := &render.Table{Columns: []render.Column{
		{Title: "edge"}, {Title: "items", Right: true}, {Title: "budget", Right: true}, {Title: "one item", Right: true},
		{Title: "at most", Right: true},
	}}
	for _, e := range edges {
		if e.Limit == 0 {
			t.Add(e.Name, fmt.Sprint(e.Items), "-", "-", "-")
			continue
		}
		t.Add(e.Name, fmt.Sprint(e.Items), sizeText(e.Limit), sizeText(e.One), sizeText(e.Most))
	}
	return t
}

func limitText(bytes int64) string {
	if bytes < 0 {
		return "none"
	}
	return budget.FormatBytes(bytes)
}

func sizeText(bytes int64) string {
	if bytes < 0 {
		return "?"
	}
	return budget.FormatBytes(bytes)
}
