package sim

import (
	"fmt"
	"slices"

	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// A course is the way of a stage's bodies through their phases, worked out before the simulation begins.
type course struct {
	cost   Cost
	phases []Phase
	gangs  [][]*gang       // by device and phase
	enters []touches       // by phase: what becomes resident
	early  []int           // outputs that are resident from the start
	late   map[string]bool // scratch classes that are not
	launch *gang           // an async stage's launch
	cached bool            // the stage makes a cache entry
}

// touches are the outputs and the scratch that a phase makes resident.
type touches struct {
	buffers []int
	scratch map[string]bool
}

func newCourse(prog *program.Program, s int, cost Cost, rates map[string][]int) (*course, error) {
	c := &course{cost: cost, phases: cost.phases(), late: map[string]bool{}, launch: &gang{stage: s, speed: 1}}
	touched := map[int]bool{}
	for _, phase := range c.phases {
		t, err := touchesOf(prog, s, phase)
		if err != nil {
			return nil, err
		}
		for _, b := range t.buffers {
			touched[b] = true
		}
		for class := range t.scratch {
			c.late[class] = true
		}
		c.enters = append(c.enters, t)
	}
	for d := range prog.Devices {
		c.gangs = append(c.gangs, nil)
		for i, phase := range c.phases {
			c.gangs[d] = append(c.gangs[d], newGang(s, i, phase, rates, d))
		}
	}
	for _, b := range prog.BufferAt[s] {
		c.cached = c.cached || prog.Graph.Buffers[b].Cached
		if !touched[b] {
			c.early = append(c.early, b)
		}
	}
	return c, nil
}

// newGang makes the gang of a phase on a device: rates has, by name and device, the resources that bodies load.
func newGang(stage, number int, phase Phase, rates map[string][]int, device int) *gang {
	g := &gang{stage: stage, phase: number, speed: 1}
	for name, amount := range phase.Loads {
		g.loads = append(g.loads, load{rates[name][device], amount})
	}
	slices.SortFunc(g.loads, func(a, b load) int { return a.resource - b.resource })
	return g
}

// touchesOf finds what a phase names. A profile serves several pipelines, so a name that this one lacks is none of its
// outputs.
func touchesOf(prog *program.Program, s int, phase Phase) (touches, error) {
	t := touches{scratch: map[string]bool{}}
	for _, name := range phase.Touches {
		o := slices.IndexFunc(prog.Spec.Stages[s].Outputs, func(out spec.Output) bool { return out.Port.Name == name })
		_, isClass := prog.Spec.Stages[s].ScratchClass[name]
		switch {
		case o >= 0:
			t.buffers = append(t.buffers, prog.BufferAt[s][o])
		case isClass:
			t.scratch[name] = true
		default:
			return t, fmt.Errorf("stage %q: phase %q touches %q, which is no output and no class", prog.Spec.Stages[s].Name, phase.Name, name)
		}
	}
	return t, nil
}

// durations are a stage's phases in nanoseconds for the items of one kind.
func (c *course) durations(facts stage.Facts) ([]float64, error) {
	var all []float64
	for i := range c.phases {
		seconds, err := c.phases[i].secondsFor(facts)
		if err != nil {
			return nil, err
		}
		all = append(all, seconds*1e9)
	}
	return all, nil
}
