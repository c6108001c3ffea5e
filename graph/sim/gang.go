package sim

import (
	"math"
	"time"
)

// A gang is all bodies that are in the same phase of the same stage on the same device. They load the same resources, so
// they always go at one speed; the gang keeps one clock of the work that any of them has done, and a body is known by the
// reading at which it will be through. A change of speed then touches one number and not every body.
type gang struct {
	stage, phase int
	loads        []load
	speed        float64
	work         float64 // nanoseconds of work done since the beginning
	bodies       []*body // a heap: the first is through first
}

// A load is how much of a resource a body of the gang asks for at full speed.
type load struct {
	resource int
	amount   float64
}

// A body is one item at one stage.
type body struct {
	gang    *gang
	until   float64 // the reading of the gang's clock at which the phase ends
	seq     uint64
	flight  *flight
	stage   int
	worker  int
	phase   int
	began   time.Duration
	stretch float64 // what chance makes of its seconds
	pending bool
	loads   bool // it loads the cache entry that it makes
}

// left gives the time until the first body of the gang is through its phase; never, where its speed is next to nothing.
func (g *gang) left() time.Duration {
	rest := math.Ceil((g.bodies[0].until - g.work) / g.speed)
	if !(rest < float64(never)) {
		return never
	}
	return time.Duration(max(rest, 0))
}

// pass lets time go by.
func (g *gang) pass(d time.Duration) { g.work += g.speed * float64(d) }

func sooner(a, b *body) bool {
	if a.until != b.until {
		return a.until < b.until
	}
	return a.seq < b.seq
}

func (g *gang) push(b *body) {
	g.bodies = append(g.bodies, b)
	for i := len(g.bodies) - 1; i > 0; {
		parent := (i - 1) / 2
		if sooner(g.bodies[parent], g.bodies[i]) {
			return
		}
		g.bodies[parent], g.bodies[i] = g.bodies[i], g.bodies[parent]
		i = parent
	}
}

// pop takes the body that is through first.
func (g *gang) pop() *body {
	first, last := g.bodies[0], len(g.bodies)-1
	g.bodies[0] = g.bodies[last]
	g.bodies[last] = nil
	g.bodies = g.bodies[:last]
	for i := 0; ; {
		child := 2*i + 1
		if child >= last {
			return first
		}
		if child+1 < last && sooner(g.bodies[child+1], g.bodies[child]) {
			child++
		}
		if sooner(g.bodies[i], g.bodies[child]) {
			return first
		}
		g.bodies[i], g.bodies[child] = g.bodies[child], g.bodies[i]
		i = child
	}
}

// shares sets the speed of every gang: each resource serves the loads on it in equal proportion, and a gang goes as fast
// as the scarcest of its resources lets it.
func shares(gangs []*gang, resources []Resource, demand []float64) {
	clear(demand)
	for _, g := range gangs {
		for _, l := range g.loads {
			demand[l.resource] += l.amount * float64(len(g.bodies))
		}
	}
	for _, g := range gangs {
		g.speed = 1
		for _, l := range g.loads {
			if l.amount > 0 {
				r, all := &resources[l.resource], demand[l.resource]
				g.speed = min(g.speed, r.served(all)*r.crowded(l.amount, all))
			}
		}
	}
}

// served gives the part of what is asked of a resource that it gives.
func (r *Resource) served(demand float64) float64 {
	if demand <= r.Capacity {
		return 1
	}
	over := demand / r.Capacity
	return 1 / (over * (1 + r.Falloff*(over-1)))
}
