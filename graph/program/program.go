// Package program turns a checked pipeline into what the scheduling core works with: pools with limits in bytes, buffers
// and edges by number, and, for an item, the bytes it will need everywhere. All drivers run programs.
//
// Reading order: Program and New (program.go), what there is once for each device (devices.go), Shape (shape.go), Least
// (least.go), what stages do without (without.go).
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
	// Devices is the number of devices that items are placed on, at least 1.
	Devices int
	// Pools and Classes are those of the pipeline, with those in device memory once for every device. A tracker of the
	// program has them in this order, and Graph the pools.
	Pools   []Pool
	Classes []Class
	// BufferAt gives, per stage and output, the index of the buffer in Graph.
	BufferAt [][]int
	// ClassOf gives, per buffer, the index of its class in Classes, or -1; in device memory, that of the first device (see
	// ClassOn).
	ClassOf []int

	poolAt, classAt, resourceAt []int // by index in Spec: the first in Pools, Classes and Graph.Resources

	shapes     shapes
	weightless *Shape // the shape of every item, where no stage has a footprint
}

// An Option changes what a pipeline is bound to.
type Option func(*Program)

// Devices says on how many devices items may be placed; less than 1 is 1, as without it.
func Devices(n int) Option { return func(prog *Program) { prog.Devices = max(n, 1) } }

// New binds a pipeline to limits: the bytes of each pool by name, margins taken off already. A pool with a limit of its
// own needs none here; one here lowers it. For a pool of device memory the pipeline's name ("device") gives the bytes of
// every device, the name with a number ("device1") those of one. Pinned and device memory of which nothing is said is
// memory that this machine does not have: items that need none of it go through.
func New(p *spec.Pipeline, limits map[string]int64, options ...Option) (*Program, error) {
	prog := &Program{Spec: p, Devices: 1}
	for _, option := range options {
		option(prog)
	}
	if prog.Devices > sched.MaxStages {
		return nil, fmt.Errorf("%d devices: there are at most %d", prog.Devices, sched.MaxStages)
	}
	prog.Graph = &sched.Graph{InFlight: p.InFlight, Devices: prog.Devices}
	if err := prog.addPools(limits); err != nil {
		return nil, err
	}
	prog.addClasses()
	prog.addResources()
	if err := prog.requireNames(); err != nil {
		return nil, err
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

func (prog *Program) addStages() {
	for i, s := range prog.Spec.Stages {
		st := sched.Stage{
			Name: s.Name, Workers: s.Workers, Async: s.Async, Pending: s.Pending, Release: releases[s.Release],
		}
		for _, u := range s.Uses {
			st.Uses = append(st.Uses, sched.Use{Resource: prog.resourceAt[u.Resource], Count: u.Count})
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
	class := -1
	if out.Class >= 0 {
		class = prog.classAt[out.Class]
		b.Pool, b.Cached = prog.Classes[class].Pool, prog.Classes[class].Cached
	}
	prog.Graph.Buffers = append(prog.Graph.Buffers, b)
	prog.ClassOf = append(prog.ClassOf, class)
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

// edgeBytes gives an edge's budget in bytes; a share of a pool without a limit is none. An edge carries the items of all
// devices, so a share of device memory is one of all their pools together.
func (prog *Program) edgeBytes(b spec.Bytes, buffer int) int64 {
	if b.Share == 0 {
		return b.Fixed
	}
	pool := prog.Graph.Buffers[buffer].Pool
	if pool < 0 || prog.Pools[pool].Limit < 0 {
		return math.MaxInt64
	}
	all := prog.Pools[pool].Limit
	for d := 1; d < prog.copies(prog.Pools[pool].Memory); d++ {
		const most = 1 << 61 // two of which can be added
		all = min(all, most) + min(prog.Pools[pool+d].Limit, most)
	}
	return partOf(all, b.Share)
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

// Tracker makes the tracker of the program's pools and classes. Pinned and device memory needs an allocator for each of its
// pools that has bytes: budget.WithAllocator with the pool's index in Pools.
func (prog *Program) Tracker(options ...budget.Option) (*budget.Tracker, error) {
	var pools []budget.Pool
	for _, p := range prog.Pools {
		pools = append(pools, p.Pool)
	}
	var classes []budget.Class
	for _, c := range prog.Classes {
		classes = append(classes, budget.Class{Name: c.Name, Pool: c.Pool})
	}
	return budget.New(pools, classes, options...)
}
