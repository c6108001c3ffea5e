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
	if r.Limit == 0 && r.Pool >= 0 {
		return fmt.Sprintf("%s has no memory on this machine, and one item needs %d bytes", r.Where, r.Needed)
	}
	return fmt.Sprintf("%s holds %d bytes and one item needs %d", r.Where, r.Limit, r.Needed)
}

// Needs gives, per pool, the least bytes with which one item of the shape can go through an empty pipeline: the greatest
// total it carries, its cache entries, and the scratch of its largest body. Of pools that every device has, each is given
// what the item would need if it were placed there.
func (g *Graph) Needs(shape *Shape) []int64 {
	needs := newPlan(g, shape).needs()
	for _, p := range g.homes() {
		for d := range g.devices() {
			needs[g.PoolOn(p, d)] = needs[p]
		}
	}
	return needs
}

// Fits gives nil, or the *Refusal of an item of that shape.
func (g *Graph) Fits(shape *Shape) error {
	if refusal := newPlan(g, shape).refusal(); refusal != nil {
		return refusal
	}
	return nil
}

// refusal gives nil where a device takes such items, and otherwise why the one that comes nearest to it does not.
func (p *plan) refusal() *Refusal {
	nearest := p.refusals[0]
	for _, r := range p.refusals {
		if r == nil {
			return nil
		}
		if r.Needed-r.Limit < nearest.Needed-nearest.Limit {
			nearest = r
		}
	}
	return nearest
}

// needs has, at the home of each pool, what Graph.Needs says.
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

// refuse says why an item can never fit on a device, or gives nil.
func (p *plan) refuse(device int) *Refusal {
	for i := range p.g.Edges {
		if r := p.refuseAt(i, device); r != nil {
			return r
		}
	}
	needs := p.needs()
	for _, home := range p.g.homes() {
		pool := p.g.PoolOn(home, device)
		if limit := p.g.Pools[pool].Limit; limit >= 0 && needs[home] > limit {
			where := fmt.Sprintf("the pool %q", p.g.Pools[pool].Name)
			return &Refusal{Where: where, Needed: needs[home], Limit: limit, Pool: pool, Edge: -1}
		}
	}
	return nil
}

// refuseAt says why an item can never pass an edge; where there is none of the memory at all, its pool tells better.
func (p *plan) refuseAt(edge, device int) *Refusal {
	e := &p.g.Edges[edge]
	buffer := &p.g.Buffers[e.Buffer]
	if p.shape.Carried == nil || p.shape.Carried[e.Buffer] <= e.Bytes {
		return nil
	}
	if pool := p.g.PoolOn(buffer.Pool, device); pool >= 0 && p.g.Pools[pool].Limit == 0 {
		return nil
	}
	where := fmt.Sprintf("the edge from %s to %s", buffer.Name, p.g.Stages[e.To].Name)
	return &Refusal{Where: where, Needed: p.shape.Carried[e.Buffer], Limit: e.Bytes, Pool: -1, Edge: edge}
}
