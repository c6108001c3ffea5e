package program

import (
	"fmt"
	"strings"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// Without says that a stage does without scratch in a pool that could never hold it.
type Without struct {
	Stage   int
	Pool    int   // index into Program.Pools: of several devices, the largest
	Needed  int64 // bytes
	Instead string
}

// Options gives the options of a stage as they are on this machine: with the room that its classes have.
func (prog *Program) Options(s int) stage.Options {
	st := &prog.Spec.Stages[s]
	room := make(map[string]int64, len(st.ScratchClass))
	for name, class := range st.ScratchClass {
		if limit := prog.Pools[prog.largest(class)].Limit; limit >= 0 {
			room[name] = limit
		}
	}
	return st.Options.WithRoom(room)
}

// largest gives the pool of a class of the pipeline: of several devices, that which has the most.
func (prog *Program) largest(class int) int {
	first := prog.Classes[prog.classAt[class]].Pool
	most := first
	for d := 1; d < prog.copies(prog.Pools[first].Memory); d++ {
		if prog.Pools[first+d].Limit > prog.Pools[most].Limit {
			most = first + d
		}
	}
	return most
}

func (prog *Program) addWithout(shape *Shape, s int, f *stage.Footprint) {
	for _, name := range sortedKeys(f.Without) {
		class, declared := prog.Spec.Stages[s].ScratchClass[name]
		if !declared {
			continue
		}
		pool := prog.largest(class)
		if limit := prog.Pools[pool].Limit; limit >= 0 && f.Without[name] > limit {
			shape.Without = append(shape.Without, Without{Stage: s, Pool: pool, Needed: f.Without[name], Instead: f.Instead})
		}
	}
}

// has says what a pool has, and of which memory that is.
func (prog *Program) has(pool int) string {
	p := prog.Pools[pool]
	has := fmt.Sprintf("pool %s has %s of %s memory", p.Name, budget.FormatBytes(p.Limit), p.Memory)
	if spec := prog.Spec.Pools[p.Spec]; spec.Limit.Auto && spec.Margin > 0 {
		has += fmt.Sprintf(", beside a margin of %s,", budget.FormatBytes(spec.Margin))
	}
	return has
}

// Notes says in sentences, one for each pool that is too small, which stages do without it.
func (prog *Program) Notes(shape *Shape) []string {
	var notes []string
	for pool := range prog.Pools {
		var names []string
		var most Without
		for _, w := range shape.Without {
			if w.Pool != pool {
				continue
			}
			names = append(names, prog.Spec.Stages[w.Stage].Name)
			if w.Needed > most.Needed {
				most = w
			}
		}
		if len(names) > 0 {
			notes = append(notes, fmt.Sprintf("%s: %s, since %s and they would take up to %s of it", most.Instead,
				strings.Join(names, ", "), prog.has(pool), budget.FormatBytes(most.Needed)))
		}
	}
	return notes
}
