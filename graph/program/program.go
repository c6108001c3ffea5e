// Package program turns a checked pipeline into what the scheduling core works with: pools with limits in bytes, buffers
// and edges by number, and, for an item, the bytes it will need everywhere. All drivers run programs.
package program

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/sched"
	"github.com/proofgraph/proofgraph/graph/spec"
)

// A Program is a pipeline bound to the limits of a machine.
type Program struct {
	Spec  *spec.Pipeline
	Graph *sched.Graph
	// BufferAt gives, per stage and output, the index of the buffer in Graph.
	BufferAt [][]int
	// ClassOf gives, per buffer, the index of its class in Spec.Classes, or -1.
	ClassOf []int

	shapes     shapes
	weightless *Shape // the shape of every item, where no stage has a footprint
}

// New binds a pipeline to limits: the bytes of each pool by name, margins taken off already. A pool with a limit of its
// own needs none here; one here lowers it.
func New(p *spec.Pipeline, limits map[string]int64) (*Program, error) {
	prog := &Program{Spec: p, Graph: &sched.Graph{InFlight: p.InFlight}}
	if err := prog.addPools(limits); err != nil {
		return nil, err
	}
	for _, r := range p.Resources {
		prog.Graph.Resources = append(prog.Graph.Resources, sched.Resource{Name: r.Name, Count: r.Count})
	}
	prog.addStages()
	prog.addEdges()
	prog.takeOver()
	if err := prog.requireLoneCached(); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(p.Stages, func(s spec.Stage) bool { return s.Kind.Footprint != nil }) {
		prog.weightless = prog.emptyShape()
	}
	return prog, nil
}

// Threads gives how many threads a body of a stage may keep busy: as many as written, or as the pipeline's machine has
// cores, which need not be this one.
func (prog *Program) Threads(stage int) int {
	if n := prog.Spec.Stages[stage].Threads; n > 0 {
		return n
	}
	return cmp.Or(prog.Spec.Cores, runtime.GOMAXPROCS(0))
}

func (prog *Program) addPools(limits map[string]int64) error {
	for _, pool := range prog.Spec.Pools {
		given, ok := limits[pool.Name]
		limit := pool.Limit.Bytes
		switch {
		case pool.Limit.None:
			limit = -1
		case pool.Limit.Auto && !ok:
			return fmt.Errorf("the limit of pool %q is auto, and this machine offers none", pool.Name)
		case pool.Limit.Auto:
			limit = given
		case ok:
			limit = min(limit, given)
		}
		if limit == 0 {
			return fmt.Errorf("pool %q has no bytes left after its margin", pool.Name)
		}
		prog.Graph.Pools = append(prog.Graph.Pools, sched.Pool{Name: pool.Name, Limit: limit})
	}
	return nil
}

func (prog *Program) addStages() {
	for i, s := range prog.Spec.Stages {
		st := sched.Stage{
			Name: s.Name, Workers: s.Workers, Async: s.Async, Pending: s.Pending, Release: releases[s.Release],
		}
		for _, u := range s.Uses {
			st.Uses = append(st.Uses, sched.Use{Resource: u.Resource, Count: u.Count})
		}
		for _, out := range s.Outputs {
			st.Outputs = append(st.Outputs, len(prog.Graph.Buffers))
			prog.addBuffer(i, out)
		}
		prog.BufferAt = append(prog.BufferAt, st.Outputs)
		prog.Graph.Stages = append(prog.Graph.Stages, st)
	}
}

var releases = map[spec.Release]sched.Release{
	spec.AfterSend: sched.AfterSend, spec.OnComplete: sched.OnComplete, spec.OnConsume: sched.OnConsume,
}

func (prog *Program) addBuffer(stage int, out spec.Output) {
	b := sched.Buffer{
		Name: prog.Spec.Stages[stage].Name + "." + out.Port.Name, Stage: stage, Pool: -1, Takes: -1, Edges: out.Edges,
	}
	if out.Class >= 0 {
		class := prog.Spec.Classes[out.Class]
		b.Pool, b.Cached = class.Pool, class.Cached
	}
	prog.Graph.Buffers = append(prog.Graph.Buffers, b)
	prog.ClassOf = append(prog.ClassOf, out.Class)
}

func (prog *Program) addEdges() {
	g := prog.Graph
	for i, e := range prog.Spec.Edges {
		buffer := prog.BufferAt[e.From][e.Output]
		g.Edges = append(g.Edges, sched.Edge{
			Buffer: buffer, From: e.From, To: e.To, Capacity: e.Capacity, Bytes: prog.edgeBytes(e.Bytes, buffer),
		})
		g.Stages[e.From].Out = append(g.Stages[e.From].Out, i)
		g.Stages[e.To].In = append(g.Stages[e.To].In, i)
	}
}

// edgeBytes gives an edge's budget in bytes; a share of a pool without a limit is none.
func (prog *Program) edgeBytes(b spec.Bytes, buffer int) int64 {
	if b.Share == 0 {
		return b.Fixed
	}
	pool := prog.Graph.Buffers[buffer].Pool
	if pool < 0 || prog.Graph.Pools[pool].Limit < 0 {
		return math.MaxInt64
	}
	return partOf(prog.Graph.Pools[pool].Limit, b.Share)
}

// takeOver finds the buffers that outputs take over.
func (prog *Program) takeOver() {
	for i, s := range prog.Spec.Stages {
		for o, out := range s.Outputs {
			if out.Takes >= 0 && s.Inputs[out.Takes].Edge >= 0 {
				prog.Graph.Buffers[prog.BufferAt[i][o]].Takes = prog.Graph.Edges[s.Inputs[out.Takes].Edge].Buffer
			}
		}
	}
}

// requireLoneCached refuses a stage that makes a cached output beside others, since what is found in the cache is not
// made again, and the others would not be either; and one that makes it of inputs, since these belong to one item, and
// the entry does not.
func (prog *Program) requireLoneCached() error {
	for i, buffers := range prog.BufferAt {
		cached := slices.ContainsFunc(buffers, func(b int) bool { return prog.Graph.Buffers[b].Cached })
		if cached && len(buffers)+len(prog.Graph.Stages[i].In) > 1 {
			return fmt.Errorf("stage %q has a cached output beside other ports; it must be alone", prog.Spec.Stages[i].Name)
		}
	}
	return nil
}

// Tracker makes the tracker of the program's pools and classes.
func (prog *Program) Tracker(options ...budget.Option) (*budget.Tracker, error) {
	var pools []budget.Pool
	for _, p := range prog.Graph.Pools {
		pools = append(pools, budget.Pool{Name: p.Name, Limit: p.Limit})
	}
	var classes []budget.Class
	for _, c := range prog.Spec.Classes {
		classes = append(classes, budget.Class{Name: c.Name, Pool: c.Pool})
	}
	return budget.New(pools, classes, options...)
}
