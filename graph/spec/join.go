package spec

import (
	"fmt"
	"strings"

	"github.com/proofgraph/proofgraph/graph/spec/expr"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// join checks what only the whole pipeline shows: inputs, types, order, and the classes that buffers have on their way.
func (l *loader) join() {
	l.unconnected()
	l.sharedTakes()
	l.types()
	order, ordered := l.order()
	if !ordered {
		return
	}
	for _, i := range order {
		l.classesOf(i)
	}
	for i := range l.p.Edges {
		l.budget(i)
	}
	l.p.arrange(order)
}

// unconnected reports required inputs without an edge.
func (l *loader) unconnected() {
	for i, s := range l.p.Stages {
		for _, in := range s.Inputs {
			if in.Edge < 0 && !in.Port.Optional && !l.drafts[i].doubt {
				l.drafts[i].at.fail(CodeUnconnected, l.feedHint(s.Name, in), "input %s.%s is not connected", s.Name, in.Port.Name)
			}
		}
	}
}

// feedHint shows the edge that is missing, with an output of the right type where there is one.
func (l *loader) feedHint(name string, in Input) string {
	from, bytes := "STAGE.PORT", ""
	if s, out := l.outputFor(name, in.Port.Type); out != nil {
		from = s.Name + "." + out.Port.Name
		if out.Port.Class != "" {
			bytes = ", bytes: " + l.someBytes(out.Port.Class)
		}
	}
	return fmt.Sprintf("add under edges:  - { from: %s, to: %s.%s, capacity: 1%s }", from, name, in.Port.Name, bytes)
}

// outputFor finds an output of another stage that has the name of a type.
func (l *loader) outputFor(name string, t stage.Type) (*Stage, *Output) {
	for i := range l.p.Stages {
		s := &l.p.Stages[i]
		for o := range s.Outputs {
			if s.Name != name && s.Outputs[o].Port.Type.Name == t.Name {
				return s, &s.Outputs[o]
			}
		}
	}
	return nil, nil
}

// someBytes shows what an edge that carries buffers of a class may have: a share, where there is something to share.
func (l *loader) someBytes(class string) string {
	index, found := l.classes[class]
	if found && l.p.Classes[index].Pool >= 0 && l.p.Pools[l.p.Classes[index].Pool].Limit.None {
		return "6GiB"
	}
	return "25%"
}

// sharedTakes reports buffers that a stage works on in place while another reads them.
func (l *loader) sharedTakes() {
	for _, s := range l.p.Stages {
		for _, out := range s.Outputs {
			if out.Takes < 0 || s.Inputs[out.Takes].Edge < 0 {
				continue
			}
			l.sharedTake(s.Name, out, s.Inputs[out.Takes].Edge)
		}
	}
}

func (l *loader) sharedTake(name string, out Output, feed int) {
	e := l.p.Edges[feed]
	if e.From < 0 {
		return
	}
	var others []string
	for _, other := range l.p.Stages[e.From].Outputs[e.Output].Edges {
		if other != feed && l.p.Edges[other].To >= 0 {
			others = append(others, fmt.Sprintf("%s (line %d)", l.p.Edges[other].ToName, l.p.Edges[other].Pos.Line))
		}
	}
	if len(others) > 0 {
		l.joints[feed].to.fail(CodeTaken, "feed the others from a stage after it, or use a stage that does not work in place",
			"stage %q works in place on %s for its output %q, but %s reads it too", name, e.FromName, out.Port.Name, strings.Join(others, " and "))
	}
}

// What stands for the index of a class: a value without a buffer, and a class whose error is reported.
const (
	noClass      = -1
	unknownClass = -2
)

// classesOf gives the outputs of a stage their classes; those of the stages before it are known. An output to which no
// buffer arrives takes none over.
func (l *loader) classesOf(i int) {
	s := &l.p.Stages[i]
	for o := range s.Outputs {
		out := &s.Outputs[o]
		inherited := l.arriving(s, out.Takes)
		out.Class = inherited
		if class, at, named := l.classNamed(i, out); named {
			out.Class = l.classFor(at, s, out, class)
			l.reside(at, s, fmt.Sprintf("output %s.%s", s.Name, out.Port.Name), out.Port.Class, out.Class)
		}
		l.takenClass(i, out, inherited)
		if inherited == noClass {
			out.Takes = -1
		}
	}
}

// arriving gives the class of the buffer that arrives at an input.
func (l *loader) arriving(s *Stage, input int) int {
	if input < 0 || s.Inputs[input].Edge < 0 {
		return noClass
	}
	e := l.p.Edges[s.Inputs[input].Edge]
	if e.From < 0 {
		return unknownClass
	}
	return l.p.Stages[e.From].Outputs[e.Output].Class
}

// classNamed gives the class that the pipeline or else the kind names for an output.
func (l *loader) classNamed(i int, out *Output) (class string, at node, named bool) {
	if n, found := l.drafts[i].named[out.Port.Name]; found {
		return n.Value, n, true
	}
	return out.Port.Class, l.drafts[i].at, out.Port.Class != ""
}

func (l *loader) classFor(at node, s *Stage, out *Output, class string) int {
	index, found := l.classes[class]
	if !found {
		at.fail(CodeNoClass, l.classHint(s.Kind, class), "output %s.%s needs the buffer class %q, which is not declared", s.Name, out.Port.Name, class)
		return unknownClass
	}
	return index
}

// takenClass checks that a buffer that is taken over may be: a lease stays in its pool, and what a cache holds is read.
func (l *loader) takenClass(i int, out *Output, inherited int) {
	if inherited < 0 {
		return
	}
	from := l.p.Classes[inherited]
	feed := l.p.Stages[i].Inputs[out.Takes].Edge
	if from.Cached {
		l.joints[feed].to.fail(CodeTaken, "", "stage %q works in place on this input, but buffers of class %q are cached and shared", l.p.Stages[i].Name, from.Name)
	}
	if out.Class >= 0 && l.p.Classes[out.Class].Pool != from.Pool {
		l.drafts[i].at.fail(CodeOtherPool, "a buffer that is worked on in place stays where it is",
			"output %s.%s takes over a buffer of class %q, but its class %q lies in another pool",
			l.p.Stages[i].Name, out.Port.Name, from.Name, l.p.Classes[out.Class].Name)
	}
}

// budget checks the bytes of an edge against what travels over it.
func (l *loader) budget(i int) {
	e, j := l.p.Edges[i], l.joints[i]
	if e.From < 0 {
		return
	}
	class := l.p.Stages[e.From].Outputs[e.Output].Class
	switch {
	case class == unknownClass:
	case class >= 0 && !j.sized:
		j.at.fail(CodeMissing, "write bytes: 6GiB, or a share of the pool such as bytes: 25%",
			"an edge that carries buffers has bytes: %s is of class %q", e.FromName, l.p.Classes[class].Name)
	case e.Bytes.Share == 0:
	case class == noClass:
		j.bytes.fail(CodeShare, "write a size, or leave bytes out", "%s carries no buffer, so there is no pool to have a share of", e.FromName)
	default:
		l.shareOf(j.bytes, l.p.Classes[class])
	}
}

func (l *loader) shareOf(n node, class Class) {
	if class.Pool >= 0 && l.p.Pools[class.Pool].Limit.None {
		n.fail(CodeShare, "write a size such as "+expr.FormatSize(1<<30),
			"buffers of class %q lie in pool %q, which has no limit to have a share of", class.Name, l.p.Pools[class.Pool].Name)
	}
}
