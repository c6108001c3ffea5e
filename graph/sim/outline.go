package sim

import (
	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/sim/timeline"
)

// Outline is a program's timeline in which nothing has happened, for a recorder.
func Outline(prog *program.Program) timeline.Timeline {
	t := timeline.Timeline{Title: prog.Spec.Name}
	for _, st := range prog.Spec.Stages {
		t.Stages = append(t.Stages, timeline.Stage{Name: st.Name, Workers: st.Workers})
	}
	for _, p := range prog.Pools {
		t.Pools = append(t.Pools, timeline.Pool{Name: p.Name, Limit: p.Limit})
	}
	for _, c := range prog.Classes {
		t.Classes = append(t.Classes, timeline.Class{Name: c.Name, Pool: c.Pool})
	}
	return t
}
