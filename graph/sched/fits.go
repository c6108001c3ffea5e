package sched

import "fmt"

// A Refusal says that an item can never fit, and what would do.
type Refusal struct {
	// Where names the pool or the edge ("edge ntt.h → msm_h.h").
	Where string
	// Needed is the least number of bytes that would do, Limit what there is.
	Needed, Limit int64
	// Pool is the index of the pool, or -1 for an edge; Edge is that of the edge, or -1.
	Pool, Edge int
}

// Error says it in a sentence.
func (r *Refusal) Error() string {
	return fmt.Sprintf("%s holds %d bytes and one item needs %d", r.Where, r.Limit, r.Needed)
}

// Needs gives, per pool, the least bytes with which one item of the shape can go through an empty pipeline: the greatest
// total it carries, its cache entries, and the scratch of its largest body.
func (g *Graph) Needs(shape *Shape) []int64 { return newPlan(g, shape).needs() }

// Fits gives nil, or the *Refusal of an item of that shape.
func (g *Graph) Fits(shape *Shape) error {
	if refusal := newPlan(g, shape).refusal; refusal != nil {
		return refusal
	}
	return nil
}

func (p *plan) needs() []int64 {
	needs := append([]int64(nil), p.scratch...)
	for i, bytes := range p.reserve(0) {
		needs[i] += bytes
	}
	for b, key := range p.shape.Cache {
		if key != "" && firstUse(p.shape.Cache, b) {
			needs[p.g.Buffers[b].Pool] += p.shape.Carried[b]
		}
	}
	return needs
}

// firstUse reports whether no buffer before b is the same cache entry.
func firstUse(keys []string, b int) bool {
	for _, key := range keys[:b] {
		if key == keys[b] {
			return false
		}
	}
	return true
}

func (p *plan) refuse() *Refusal {
	for i, e := range p.g.Edges {
		if p.shape.Carried != nil && p.shape.Carried[e.Buffer] > e.Bytes {
			where := fmt.Sprintf("the edge from %s to %s", p.g.Buffers[e.Buffer].Name, p.g.Stages[e.To].Name)
			return &Refusal{Where: where, Needed: p.shape.Carried[e.Buffer], Limit: e.Bytes, Pool: -1, Edge: i}
		}
	}
	for i, need := range p.needs() {
		if limit := p.g.Pools[i].Limit; limit >= 0 && need > limit {
			return &Refusal{Where: fmt.Sprintf("the pool %q", p.g.Pools[i].Name), Needed: need, Limit: limit, Pool: i, Edge: -1}
		}
	}
	return nil
}
