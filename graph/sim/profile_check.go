package sim

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/proofgraph/proofgraph/graph/sched"
)

// check says all that is wrong with a profile.
func (p *Profile) check() error {
	wrong := []error{p.Machine.check(), p.checkResources()}
	for _, costs := range []map[string]Costs{p.Stages, p.Kinds} {
		for _, name := range slices.Sorted(maps.Keys(costs)) {
			if err := p.checkCosts(costs[name]); err != nil {
				wrong = append(wrong, fmt.Errorf("cost of %q: %w", name, err))
			}
		}
	}
	return errors.Join(wrong...)
}

func (m *Machine) check() error {
	var wrong []error
	if m.Cores < 0 {
		wrong = append(wrong, fmt.Errorf("a machine with %d cores", m.Cores))
	}
	if m.Devices < 0 || m.Devices > sched.MaxStages {
		wrong = append(wrong, fmt.Errorf("a machine with %d devices: it has 0 to %d", m.Devices, sched.MaxStages))
	}
	for _, pool := range slices.Sorted(maps.Keys(m.Memory)) {
		if memory := m.Memory[pool]; memory.Others >= memory.Total {
			wrong = append(wrong, fmt.Errorf("memory of pool %q: others need all of it", pool))
		}
	}
	return errors.Join(wrong...)
}

func (p *Profile) checkResources() error {
	var wrong []error
	for _, name := range slices.Sorted(maps.Keys(p.Resources)) {
		r := p.Resources[name]
		if !(r.Capacity > 0) || math.IsInf(r.Capacity, 0) || !(r.Falloff >= 0 && r.Falloff <= 1) || !(r.Crowding >= 0 && r.Crowding <= 1) {
			wrong = append(wrong, fmt.Errorf("resource %q: capacity is above 0, falloff and crowding from 0 to 1", name))
		}
		if r.Per != "" && r.Per != "device" {
			wrong = append(wrong, fmt.Errorf("resource %q: per is device, or left out", name))
		}
	}
	return errors.Join(wrong...)
}

func (p *Profile) checkCosts(costs Costs) error {
	if len(costs) == 0 {
		return errors.New("it has none")
	}
	known := map[int]bool{}
	for _, c := range costs {
		if err := p.checkCost(c); err != nil {
			return err
		}
		if len(costs) > 1 && (c.Threads == 0 || known[c.Threads]) {
			return errors.New("each of several costs is for a number of threads of its own")
		}
		known[c.Threads] = true
	}
	return nil
}

func (p *Profile) checkCost(c Cost) error {
	if !(c.Spread >= 0 && c.Spread <= 1) || !(c.Launch >= 0 && c.Launch <= longest) {
		return fmt.Errorf("spread is from 0 to 1 and launch from 0 to %g seconds", longest)
	}
	if c.Threads < 0 {
		return fmt.Errorf("%d threads", c.Threads)
	}
	if len(c.Phases) > 0 && (c.Seconds != 0 || c.Of != "" || c.Loads != nil || c.Touches != nil) {
		return errors.New("has phases, and seconds or loads beside them")
	}
	for _, phase := range c.phases() {
		if err := p.checkPhase(phase); err != nil {
			return err
		}
	}
	return nil
}

func (p *Profile) checkPhase(phase Phase) error {
	if (phase.Of == "") != (len(phase.At) == 0) {
		return errors.New("of and at go together")
	}
	if !(phase.Seconds >= 0 && phase.Seconds <= longest) {
		return fmt.Errorf("%g seconds", phase.Seconds)
	}
	for at, seconds := range phase.At {
		if at <= 0 || !(seconds > 0 && seconds <= longest) {
			return fmt.Errorf("%g seconds at %s %d", seconds, phase.Of, at)
		}
	}
	for _, r := range slices.Sorted(maps.Keys(phase.Loads)) {
		load := phase.Loads[r]
		if _, known := p.Resources[r]; !known {
			return fmt.Errorf("loads %q, which is not among the resources", r)
		}
		if !(load >= 0) || math.IsInf(load, 0) {
			return fmt.Errorf("a load of %g on %q", load, r)
		}
	}
	return nil
}
