package spec

import (
	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// A Pipeline is a checked pipeline: names are resolved, expressions evaluated, types agree, and the stages stand in
// topological order. Nothing in it changes after Load.
type Pipeline struct {
	Name, Doc, File string
	Params          []Param
	Pools           []Pool
	Classes         []Class
	Resources       []Resource
	Stages          []Stage
	Edges           []Edge
	Fail            Fail
	InFlight        int // items under way at once, from admission to the last stage's end; 0: no bound but memory
	Cores           int // of the machine that it was loaded for
}

// A Param is a declared parameter with the value it has in this pipeline.
type Param struct {
	Name, Doc string
	Value     int64 // a size counts bytes
	Default   string
	Min, Max  int64 // inclusive; meaningful where Ranged
	Ranged    bool
	Pos       Pos
}

// A Pool is a number of bytes that leases come from.
type Pool struct {
	Name   string
	Limit  Limit
	Margin int64 // bytes kept free of a limit found by auto
	// Memory says whose memory it is. One of device memory stands for a pool of every device.
	Memory budget.Memory
	Pos    Pos
}

// A Limit is a pool's size as written: a number of bytes, auto (what the machine offers), or none (counted, never
// refused: for memory that the kernel can reclaim, such as mapped files).
type Limit struct {
	Auto, None bool
	Bytes      int64
}

// A Class is what a buffer is; every lease is of one class, and a class lies in one pool.
type Class struct {
	Name   string
	Pool   int // index into Pools
	Cached bool
	Pos    Pos
}

// A Resource is something that only Count bodies' worth of use can share at once.
type Resource struct {
	Name  string
	Count int
	// PerDevice says that every device has as many of its own.
	PerDevice bool
	Pos       Pos
}

// A Stage is one node of the pipeline.
type Stage struct {
	Name    string
	Kind    *stage.Kind
	Options stage.Options
	Workers int
	Threads int // threads a body may keep busy; 0: as many as the machine has
	Release Release
	Async   bool
	Pending int // bodies of an async stage that may be under way at once
	Uses    []Use
	Inputs  []Input
	Outputs []Output
	// ScratchClass maps the class that the kind's footprint names to an index into Classes.
	ScratchClass map[string]int
	Pos          Pos
}

// A Use is an amount of a resource that a body holds while it runs.
type Use struct {
	Resource, Count int
}

// An Input is an input port and the edge that feeds it (-1: not connected).
type Input struct {
	Port stage.Port
	Edge int
}

// An Output is an output port, the class of its bytes (index into Classes, -1: no lease), the edges that it feeds, and
// the input (index into Inputs) whose buffer it takes over (-1: none, or none arrives there).
type Output struct {
	Port  stage.Port
	Type  stage.Type // with variables bound where the pipeline determines them
	Class int
	Edges []int
	Takes int
}

// An Edge carries one output of a stage to one input of another.
type Edge struct {
	From, To         int // indexes into Stages
	Output, Input    int // indexes into the stages' Outputs and Inputs
	Capacity         int // items
	Bytes            Bytes
	FromName, ToName string // as written: "stage.port"
	Pos              Pos
}

// Bytes is an edge's budget: a number of bytes, or a share of the pool that its buffer's class lies in.
type Bytes struct {
	Fixed int64
	Share float64 // in (0, 1]; 0 where Fixed holds
}

// Release says when a worker's permit comes back.
type Release int

// The release rules. The names in a pipeline are on_complete, after_send and on_consume.
const (
	AfterSend  Release = iota // when the output lies on its edges (the default)
	OnComplete                // when the body has ended, though its output may not fit on an edge yet
	OnConsume                 // when every consumer has taken the output
)

// Fail says what a failed item ends.
type Fail int

// The failure rules. The names in a pipeline are job and pipeline.
const (
	FailJob Fail = iota
	FailPipeline
)

// Pos is a place in the pipeline's file; lines and columns count from 1.
type Pos struct {
	Line, Column int
}
