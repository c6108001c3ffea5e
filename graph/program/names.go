package program

import "github.com/proofgraph/proofgraph/graph/sched"

// NameOf names what a block waits for: the input that an edge feeds ("stage.port"), a pool or a resource; empty for the
// reasons that have no such thing.
func (prog *Program) NameOf(b sched.Block) string {
	switch b.Kind {
	case sched.BlockedEdge:
		return prog.Spec.Edges[b.Index].ToName
	case sched.BlockedMemory:
		return prog.Pools[b.Index].Name
	case sched.BlockedResource:
		return prog.Graph.Resources[b.Index].Name
	}
	return ""
}
