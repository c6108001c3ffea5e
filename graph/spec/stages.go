package spec

import (
	"fmt"
	"maps"
	"slices"

	"github.com/proofgraph/proofgraph/graph/stage"
)

// A draft is what is known of a stage beside the Stage: where it stands, and whether its ports can be trusted.
type draft struct {
	at     node            // its name
	ported bool            // the kind and the options were good, so Inputs and Outputs hold
	doubt  bool            // an edge names an input that there is not
	named  map[string]node // port or scratch class → the class that `buffers` names for it
}

func (l *loader) stagesSection(n node) {
	section, _ := n.mapping(n, "stages")
	for _, e := range section.entries {
		e.key.namedPlainly("a stage")
		l.stages[e.key.Value] = len(l.p.Stages)
		s, d := l.stage(e)
		l.p.Stages = append(l.p.Stages, s)
		l.drafts = append(l.drafts, d)
	}
}

// stage reads one stage: what every stage has, then what its kind adds.
func (l *loader) stage(e entry) (Stage, *draft) {
	s := Stage{Name: e.key.Value, Workers: 1, Pos: e.key.pos()}
	d := &draft{at: e.key, named: map[string]node{}}
	f, good := e.value.mapping(e.key, fmt.Sprintf("stage %q", s.Name))
	if !good {
		return s, d
	}
	l.conduct(&s, &f)
	s.Uses = l.uses(&f)
	if s.Kind = l.kind(&f); s.Kind == nil {
		return s, d
	}
	f.only(append(slices.Clone(stageKeys), optionNames(s.Kind)...)...)
	d.ported = l.ports(&s, &f)
	l.buffersOf(&s, d, &f)
	return s, d
}

// conduct reads how a stage runs.
func (l *loader) conduct(s *Stage, f *fields) {
	s.Workers = l.countOr(f, "workers", 1, 1, maxBodies)
	s.Threads = l.countOr(f, "threads", 0, 0, maxCount)
	s.Release = []Release{AfterSend, OnComplete, OnConsume}[f.words("release", "after_send", "on_complete", "on_consume")]
	if s.Async = f.flagOr("async", false); s.Async {
		s.Pending = l.countOr(f, "pending", 1, 1, maxBodies)
	} else if pending, found := f.find("pending"); found {
		pending.key.fail(CodeNoEffect, "add async: true", "pending bounds what an async stage has under way; %s is not async", f.what)
	}
}

// kind finds the stage kind, and nil with an error where there is none or it is unsound.
func (l *loader) kind(f *fields) *stage.Kind {
	n, good := f.name("kind", "write kind: and the name of a stage kind")
	if !good {
		return nil
	}
	k := l.registry.Find(n.Value)
	if k == nil {
		n.fail(CodeNoKind, suggest(n.src, n.Value, l.registry.Names()), "there is no stage kind %q", n.Value)
		return nil
	}
	if err := CheckKind(k); err != nil {
		n.fail(CodeKind, "", "the stage kind is declared wrongly: %v", err)
		return nil
	}
	return k
}

func optionNames(k *stage.Kind) []string {
	names := make([]string, len(k.Options))
	for i, o := range k.Options {
		names[i] = o.Name
	}
	return names
}

// ports reads the options and gives the stage the ports that they imply.
func (l *loader) ports(s *Stage, f *fields) (good bool) {
	if s.Options, good = l.options(f, s.Kind); !good && s.Kind.PortsFor != nil {
		return false
	}
	inputs, outputs, err := s.Kind.Ports(s.Options)
	if err != nil {
		f.at.fail(CodeOptions, "", "%s: %v", f.what, err)
		return false
	}
	if err := checkPorts(s.Kind.Name, inputs, outputs); err != nil {
		f.at.fail(CodeKind, "", "the stage kind is declared wrongly: %v", err)
		return false
	}
	for _, p := range inputs {
		s.Inputs = append(s.Inputs, Input{Port: p, Edge: -1})
	}
	for _, p := range outputs {
		s.Outputs = append(s.Outputs, Output{Port: p, Type: p.Type, Class: -1, Takes: s.input(p.Takes)})
	}
	return true
}

// input gives the index of an input, -1 where there is none of that name.
func (s *Stage) input(name string) int {
	return slices.IndexFunc(s.Inputs, func(in Input) bool { return in.Port.Name == name })
}

// output gives the index of an output, -1 where there is none of that name.
func (s *Stage) output(name string) int {
	return slices.IndexFunc(s.Outputs, func(out Output) bool { return out.Port.Name == name })
}

// uses reads what a body holds of the resources, in the order of the resources.
func (l *loader) uses(f *fields) []Use {
	n, found := f.get("uses")
	if !found {
		return nil
	}
	section, _ := n.mapping(n, "uses")
	var uses []Use
	for _, e := range section.entries {
		if r := e.key.find(l.resources, CodeNoResource, "resource", "resources"); r >= 0 {
			uses = append(uses, l.use(e, r))
		}
	}
	slices.SortFunc(uses, func(a, b Use) int { return a.Resource - b.Resource })
	return uses
}

func (l *loader) use(e entry, r int) Use {
	resource := l.p.Resources[r]
	count, good := l.count(e.value, "use of "+resource.Name, 1, maxCount)
	if good && resource.Count > 0 && count > int64(resource.Count) {
		e.value.fail(CodeOveruse, fmt.Sprintf("resources: declares %s: %d", resource.Name, resource.Count),
			"the stage uses %d of %s, but there is %d", count, resource.Name, resource.Count)
	}
	return Use{r, int(count)}
}

// buffersOf reads which classes a stage takes instead of those its kind names, and finds the classes of its scratch.
func (l *loader) buffersOf(s *Stage, d *draft, f *fields) {
	n, found := f.get("buffers")
	if found {
		section, _ := n.mapping(n, "buffers")
		for _, e := range section.entries {
			l.rename(s, d, e)
		}
	}
	s.ScratchClass = maps.Clone(l.classes)
	for _, class := range slices.Concat(s.Kind.Scratch, s.Kind.OptionalScratch) {
		l.scratchClass(s, d, class)
	}
}

// scratchClass finds the class that a stage's scratch of the given class is of here.
func (l *loader) scratchClass(s *Stage, d *draft, class string) {
	at, found := d.at, true
	if n, renamed := d.named[class]; renamed {
		at = n
		s.ScratchClass[class] = n.find(l.classes, CodeNoClass, "buffer class", "buffers")
	} else if _, found = l.classes[class]; !found && slices.Contains(s.Kind.Scratch, class) {
		d.at.fail(CodeNoClass, l.classHint(s.Kind, class), "stage %q needs the buffer class %q for its scratch, which is not declared", s.Name, class)
	}
	if found {
		l.reside(at, s, fmt.Sprintf("scratch %q of stage %q", class, s.Name), class, s.ScratchClass[class])
	}
}

// rename notes the class that a pipeline gives a port or a scratch class.
func (l *loader) rename(s *Stage, d *draft, e entry) {
	name := e.key.Value
	port := s.output(name)
	switch {
	case !e.value.scalar("the name of a buffer class") || !d.ported:
	case port < 0 && !slices.Contains(s.Kind.Scratch, name) && !slices.Contains(s.Kind.OptionalScratch, name):
		e.key.fail(CodeNoPort, suggest(e.key.src, name, s.buffered()), "stage %q has no output and no scratch class %q", s.Name, name)
	case port >= 0 && s.Outputs[port].Port.Class == "" && s.Outputs[port].Takes < 0:
		e.key.fail(CodeNoEffect, "", "output %q of stage %q carries no buffer", name, s.Name)
	default:
		d.named[name] = e.value
	}
}

// buffered lists what `buffers` of a stage may name.
func (s *Stage) buffered() []string {
	names := slices.Concat(s.Kind.Scratch, s.Kind.OptionalScratch)
	for _, out := range s.Outputs {
		if out.Port.Class != "" {
			names = append(names, out.Port.Name)
		}
	}
	return names
}

// classHint shows the line that declares a class, in the first pool where a buffer of a kind's class may lie.
func (l *loader) classHint(k *stage.Kind, class string) string {
	pool := "host"
	serves := func(p Pool) bool { return len(k.Memory[class]) == 0 || slices.Contains(k.Memory[class], p.Memory) }
	if i := slices.IndexFunc(l.p.Pools, serves); i >= 0 {
		pool = l.p.Pools[i].Name
	}
	return fmt.Sprintf("add under buffers:  %s: { pool: %s }", class, pool)
}
