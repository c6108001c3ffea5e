package program

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/sched"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// A Shape is an item's needs as the core reads them, with what the driver must know beside: which scratch of which class
// to hand to a body.
type Shape struct {
	Sched   *sched.Shape
	Scratch [][]Amount // per stage
	// Traffic is what the body of each stage moves, which only profiles ask for.
	Traffic []stage.Traffic
	// Without lists the pools that are too small for what stages would have done with them, and did not need to do.
	Without []Without
	// Refusal is nil, or the *sched.Refusal of an item that can never fit.
	Refusal error
}

// An Amount is bytes of a class, by its index; Heap bytes are charged and not handed over.
type Amount struct {
	Class int    // in Program.Classes; in device memory that of the first device
	Name  string // what the kind calls the class
	Bytes int64
	Heap  bool
}

// shapes remembers shapes, so that items of equal needs share one.
type shapes struct {
	sync.Mutex
	known map[string]*Shape
}

// Shape asks every stage for its footprint of the item.
func (prog *Program) Shape(item *stage.Item) (*Shape, error) {
	if prog.weightless != nil {
		return prog.weightless, nil
	}
	shape := prog.emptyShape()
	for s := range prog.Spec.Stages {
		if err := prog.addFootprint(shape, s, item); err != nil {
			return nil, fmt.Errorf("stage %q: %w", prog.Spec.Stages[s].Name, err)
		}
	}
	return prog.shapes.intern(prog.Graph, shape), nil
}

func (prog *Program) emptyShape() *Shape {
	g := prog.Graph
	return &Shape{
		Sched: &sched.Shape{
			Carried: make([]int64, len(g.Buffers)), Cache: make([]string, len(g.Buffers)),
			Scratch: make([][]sched.Need, len(g.Stages)),
		},
		Scratch: make([][]Amount, len(g.Stages)), Traffic: make([]stage.Traffic, len(g.Stages)),
	}
}

func (prog *Program) addFootprint(shape *Shape, s int, item *stage.Item) error {
	st := &prog.Spec.Stages[s]
	if st.Kind.Footprint == nil {
		return nil
	}
	options := prog.Options(s)
	options.Threads = prog.Threads(s)
	f, err := st.Kind.Footprint(options, *item)
	if err != nil {
		return err
	}
	shape.Traffic[s] = f.Traffic
	for o, out := range st.Outputs {
		bytes := f.Outputs[out.Port.Name]
		if err := prog.addOutput(shape, prog.BufferAt[s][o], bytes, f.CacheKeys[out.Port.Name]); err != nil {
			return fmt.Errorf("output %q: %w", out.Port.Name, err)
		}
	}
	prog.addWithout(shape, s, &f)
	if err := prog.addScratch(shape, s, f.Scratch, false); err != nil {
		return err
	}
	return prog.addScratch(shape, s, f.Heap, true)
}

// maxBytes bounds what a footprint may say at once, a PiB: thousands of such numbers can be added up, and no machine has it.
const maxBytes = 1 << 50

// checkBytes refuses numbers of bytes that cannot be.
func checkBytes(bytes int64) error {
	if bytes < 0 || bytes > maxBytes {
		return fmt.Errorf("a footprint of %d bytes: it has from 0 to %s", bytes, budget.FormatBytes(maxBytes))
	}
	return nil
}

func (prog *Program) addOutput(shape *Shape, buffer int, bytes int64, key string) error {
	b := &prog.Graph.Buffers[buffer]
	if err := checkBytes(bytes); err != nil {
		return err
	}
	switch {
	case bytes > 0 && b.Pool < 0:
		return fmt.Errorf("%d bytes and no buffer class", bytes)
	case b.Cached && key == "":
		return fmt.Errorf("its class is cached and the footprint names no entry")
	case b.Takes >= 0 && bytes > shape.Sched.Carried[b.Takes]:
		return fmt.Errorf("takes over %d bytes and needs %d", shape.Sched.Carried[b.Takes], bytes)
	case b.Takes >= 0 && 0 < bytes && bytes < shape.Sched.Carried[b.Takes] && prog.Pools[b.Pool].Memory != budget.Host:
		return fmt.Errorf("takes over %d bytes of %s memory and needs only %d: it comes back whole or not at all",
			shape.Sched.Carried[b.Takes], prog.Pools[b.Pool].Memory, bytes)
	}
	shape.Sched.Carried[buffer] = bytes
	if b.Cached {
		shape.Sched.Cache[buffer] = key
	}
	return nil
}

func (prog *Program) addScratch(shape *Shape, s int, bytes map[string]int64, heap bool) error {
	for _, name := range sortedKeys(bytes) {
		if bytes[name] == 0 {
			continue
		}
		if err := checkBytes(bytes[name]); err != nil {
			return fmt.Errorf("scratch of class %q: %w", name, err)
		}
		own, ok := prog.Spec.Stages[s].ScratchClass[name]
		if !ok {
			return fmt.Errorf("needs scratch of class %q, which the pipeline's buffers lack", name)
		}
		class := prog.classAt[own]
		shape.Scratch[s] = append(shape.Scratch[s], Amount{Class: class, Name: name, Bytes: bytes[name], Heap: heap})
		need := sched.Need{Pool: prog.Classes[class].Pool, Bytes: bytes[name]}
		shape.Sched.Scratch[s] = append(shape.Sched.Scratch[s], need)
	}
	return nil
}

func sortedKeys(m map[string]int64) []string { return slices.Sorted(maps.Keys(m)) }

// intern gives the first shape that was equal.
func (s *shapes) intern(g *sched.Graph, shape *Shape) *Shape {
	key := shape.key()
	s.Lock()
	defer s.Unlock()
	if known := s.known[key]; known != nil {
		return known
	}
	const remembered = 1024
	if s.known == nil || len(s.known) >= remembered {
		s.known = map[string]*Shape{}
	}
	shape.Refusal = g.Fits(shape.Sched)
	s.known[key] = shape
	return shape
}

func (shape *Shape) key() string {
	var key strings.Builder
	fmt.Fprint(&key, shape.Sched.Carried, shape.Scratch, shape.Without, shape.Traffic) // fmt sorts the keys of maps
	for _, entry := range shape.Sched.Cache {
		fmt.Fprintf(&key, "%q", entry)
	}
	return key.String()
}
