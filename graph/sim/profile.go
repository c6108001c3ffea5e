package sim

import (
	"fmt"
	"io"
	"os"

	"gopkg.in/yaml.v3"

	"github.com/proofgraph/proofgraph/graph/program"
	"github.com/proofgraph/proofgraph/graph/spec/expr"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// A Profile is what a simulation knows of a machine and of the work: how long bodies take there, what they share, and
// how much memory there is. A run can record one; by hand it is a YAML file (docs/simulator.md).
type Profile struct {
	Name string `yaml:"profile"`
	Doc  string `yaml:"doc,omitempty"`
	// Facts are those of an item where its arrival says nothing else.
	Facts   stage.Facts `yaml:"facts,omitempty"`
	Machine Machine     `yaml:"machine,omitempty"`
	// Resources are what bodies share and slow each other down on.
	Resources map[string]Resource `yaml:"resources,omitempty"`
	// Stages are costs by the name of a stage, Kinds by that of a kind for stages that Stages does not name.
	Stages map[string]Costs `yaml:"stages,omitempty"`
	Kinds  map[string]Costs `yaml:"kinds,omitempty"`
}

// A Machine is what a pipeline's limits are measured against.
type Machine struct {
	Cores int `yaml:"cores,omitempty"`
	// Devices is how many devices items are placed on; 0 is 1.
	Devices int `yaml:"devices,omitempty"`
	// Memory is by pool. For a pool of device memory the pipeline's name ("device") says what every device has, the name
	// with a number ("device1") what one has.
	Memory map[string]Physical `yaml:"memory,omitempty"`
}

// memoryOf gives the memory behind a pool of a program, which is one of the pipeline's pools or a device's copy of it.
func (m *Machine) memoryOf(own, pipeline string) (Physical, bool) {
	memory, known := m.Memory[own]
	if !known {
		memory, known = m.Memory[pipeline]
	}
	return memory, known
}

// Physical is the memory behind a pool. Others is what the rest of the machine needs of it: the system, other processes.
type Physical struct {
	Total  Size `yaml:"total"`
	Others Size `yaml:"others,omitempty"`
}

// A Resource is a rate that bodies share: bytes a second, cores, the time of a device, in any unit that loads are
// given in. While the loads of all that run sum up to more, each goes slower by as much; with a Falloff f, a resource that
// is asked for d times what it has gives only 1/(1 + f·(d-1)) of it.
type Resource struct {
	Doc      string  `yaml:"doc,omitempty"`
	Capacity float64 `yaml:"capacity"`
	Falloff  float64 `yaml:"falloff,omitempty"`
	// Crowding is how much slower each unit of the resource is when all are in use than when one is: cores that share caches,
	// the memory and a budget of power. It is 0 where nothing is known of that.
	Crowding float64 `yaml:"crowding,omitempty"`
	// Per is "device" where every device has one of its own, which the bodies of its items share.
	Per string `yaml:"per,omitempty"`
	// Measured says that the capacity was found by a run, and that another may find a little more or less.
	Measured bool `yaml:"measured,omitempty"`
}

// A Cost is what one body of a stage costs: phases one after another, or a single one written in place. Spread is the
// relative standard deviation from body to body. Launch is how long an async stage's worker is busy before the work goes
// on beside; the phases begin after it. Threads are those that a body had when this was measured.
type Cost struct {
	Phase   `yaml:",inline"`
	Phases  []Phase `yaml:"phases,omitempty"`
	Spread  float64 `yaml:"spread,omitempty"`
	Launch  float64 `yaml:"launch,omitempty"` // seconds
	Threads int     `yaml:"threads,omitempty"`
}

// Costs are the costs of a stage, measured with one or several numbers of threads. With a number that none of them had,
// seconds and the load on cores follow from the nearest by Amdahl's law (threads.go).
type Costs []Cost

// A Phase is a stretch of a body: its seconds when nothing slows it, and what it loads meanwhile. Where Of names a
// fact, At has the seconds for some values of it; others follow from these (curve.go).
type Phase struct {
	Name    string             `yaml:"name,omitempty"`
	Seconds float64            `yaml:"seconds,omitempty"`
	Of      string             `yaml:"of,omitempty"`
	At      map[int64]float64  `yaml:"at,omitempty"`
	Loads   map[string]float64 `yaml:"loads,omitempty"`
	// Touches names outputs and scratch classes whose memory becomes resident only in this phase, though it is leased
	// from the body's start.
	Touches []string `yaml:"touches,omitempty"`
}

// A Size is a number of bytes, written "755GiB".
type Size int64

// UnmarshalYAML reads a size.
func (s *Size) UnmarshalYAML(node *yaml.Node) error {
	bytes, _, err := expr.ParseLiteral(node.Value)
	if err != nil || bytes < 0 {
		return fmt.Errorf("line %d: %q is not a size such as 755GiB", node.Line, node.Value)
	}
	*s = Size(bytes)
	return nil
}

// MarshalYAML writes a size with the unit that it is a whole number of.
func (s Size) MarshalYAML() (any, error) { return expr.FormatSize(int64(s)), nil }

// maxProfile bounds what is read of a profile's file.
const maxProfile = 1 << 20

// ReadProfile reads and checks a profile; name is what errors call it. Unknown keys are errors.
func ReadProfile(name string, text []byte) (*Profile, error) {
	if len(text) > maxProfile {
		return nil, fmt.Errorf("%s: a profile has at most %d bytes", name, maxProfile)
	}
	p := &Profile{}
	if err := Decode(text, "profile of what stages cost", p); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// LoadProfile reads a profile from a file.
func LoadProfile(path string) (*Profile, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read profile: %w", err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxProfile+1))
	if err != nil {
		return nil, fmt.Errorf("read profile: %w", err)
	}
	return ReadProfile(path, text)
}

// phases gives the phases of a cost, of which there is at least one.
func (c Cost) phases() []Phase {
	if len(c.Phases) > 0 {
		return c.Phases
	}
	return []Phase{c.Phase}
}

// costOf finds the cost of a stage with its threads: by its name, by its kind's, or what a model stage says itself.
func (p *Profile) costOf(prog *program.Program, s int) (Cost, error) {
	st := &prog.Spec.Stages[s]
	if costs := p.Stages[st.Name]; len(costs) > 0 {
		return costs.onThreads(prog.Threads(s)), nil
	}
	if costs := p.Kinds[st.Kind.Name]; len(costs) > 0 {
		return costs.onThreads(prog.Threads(s)), nil
	}
	if !Modelled(st.Kind) {
		return Cost{}, fmt.Errorf("profile %q has no cost of stage %q and none of kind %q: record one with --pipeline %s --record-profile", p.Name, st.Name, st.Kind.Name, prog.Spec.Name)
	}
	m, err := readModel(st.Options)
	return Cost{Phase: Phase{Seconds: m.time.Seconds()}}, err
}
