package spec

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/proofgraph/proofgraph/graph/stage"
)

// A joint is where an edge stands in the file.
type joint struct {
	at, from, to node
	bytes        node // the value of bytes
	sized        bool // bytes is there
}

// edgesSection reads the edges; those whose ends are not both known are reported and left out.
func (l *loader) edgesSection(n node) {
	for _, item := range n.list("edges") {
		at := item
		if len(item.Content) > 0 {
			at = node{item.Content[0], item.src}
		}
		if f, good := item.mapping(at, "an edge"); good {
			l.edge(&f)
		}
	}
}

func (l *loader) edge(f *fields) {
	f.only("from", "to", "capacity", "bytes")
	e := Edge{From: -1, To: -1, Pos: f.at.pos()}
	j := joint{at: f.at}
	from, fromGood := f.name("from", "write from: stage.port")
	to, toGood := f.name("to", "write to: stage.port")
	capacity, found := f.need("capacity", "capacity: 1 is the least: one item may wait on the edge")
	if found {
		items, _ := l.count(capacity, "capacity", 1, maxCount)
		e.Capacity = int(items)
	}
	if j.bytes, j.sized = f.get("bytes"); j.sized {
		e.Bytes = l.bytes(j.bytes)
	}
	if fromGood {
		e.From, e.Output, e.FromName = l.end(from, outgoing)
	}
	if toGood {
		e.To, e.Input, e.ToName = l.end(to, incoming)
	}
	j.from, j.to = from, to
	l.connect(e, j)
}

// connect adds an edge to both stages.
func (l *loader) connect(e Edge, j joint) {
	index := len(l.p.Edges)
	if e.To >= 0 {
		in := &l.p.Stages[e.To].Inputs[e.Input]
		if in.Edge >= 0 {
			j.to.fail(CodeFedTwice, "an input takes one edge: give the stage an input for each, or join the values in a stage before it",
				"input %s is fed by a second edge; the first is in line %d", e.ToName, l.p.Edges[in.Edge].Pos.Line)
			return
		}
		in.Edge = index
	}
	if e.From >= 0 {
		out := &l.p.Stages[e.From].Outputs[e.Output]
		out.Edges = append(out.Edges, index)
	}
	l.p.Edges = append(l.p.Edges, e)
	l.joints = append(l.joints, j)
}

var percent = regexp.MustCompile(`^([0-9]{1,3}(?:\.[0-9]{1,6})?)%$`)

// bytes reads a size, or a share of a pool in percent.
func (l *loader) bytes(n node) Bytes {
	if n.scalar("a size or a percentage") && strings.HasSuffix(n.Value, "%") {
		return l.share(n)
	}
	if n.Content != nil || n.null() {
		return Bytes{}
	}
	fixed, _ := l.size(n, "bytes", 1, maxBytes)
	return Bytes{Fixed: fixed}
}

func (l *loader) share(n node) Bytes {
	text, _, good := l.scope.text(n)
	if !good {
		return Bytes{}
	}
	m := percent.FindStringSubmatch(text)
	if m == nil {
		n.fail(CodeValue, "write 25%, or a size such as 6GiB", "%q is not a percentage", text)
		return Bytes{}
	}
	share, _ := strconv.ParseFloat(m[1], 64)
	if share <= 0 || share > 100 {
		n.fail(CodeRange, "", "a share is more than 0%% and at most 100%%, not %s", text)
	}
	return Bytes{Share: share / 100}
}

// A direction is the side of a stage that an end of an edge is at.
type direction struct {
	side, other string
	find        func(*Stage, string) int
	opposite    func(*Stage, string) int
	names       func(*Stage) []string
}

var (
	outgoing = direction{"output", "input", (*Stage).output, (*Stage).input, (*Stage).outputNames}
	incoming = direction{"input", "output", (*Stage).input, (*Stage).output, (*Stage).inputNames}
)

func (s *Stage) inputNames() []string {
	return portNames(s.Inputs, func(in Input) stage.Port { return in.Port })
}

func (s *Stage) outputNames() []string {
	return portNames(s.Outputs, func(out Output) stage.Port { return out.Port })
}

func portNames[P any](ports []P, port func(P) stage.Port) []string {
	names := make([]string, len(ports))
	for i, p := range ports {
		names[i] = port(p).Name
	}
	return names
}

// end finds the stage and the port that one end of an edge names: -1 where there is none, or where the stage is broken
// and its ports are not known.
func (l *loader) end(n node, d direction) (stageIndex, port int, name string) {
	stageName, portName, dotted := strings.Cut(n.Value, ".")
	index, found := l.stages[stageName]
	if !found {
		n.failAt(0, len(stageName), CodeNoStage, suggest(n.src, stageName, slices.Sorted(maps.Keys(l.stages))),
			fmt.Sprintf("there is no stage %q", stageName))
		return -1, -1, ""
	}
	if !l.drafts[index].ported {
		return -1, -1, ""
	}
	s := &l.p.Stages[index]
	if !dotted {
		portName = l.onlyPort(n, s, d)
	} else if d.find(s, portName) < 0 {
		l.noPort(n, s, portName, d)
	}
	port = d.find(s, portName)
	if port < 0 {
		l.drafts[index].doubt = true
		return -1, -1, ""
	}
	return index, port, s.Name + "." + portName
}

// onlyPort gives the port of a stage that is named alone.
func (l *loader) onlyPort(n node, s *Stage, d direction) string {
	names := d.names(s)
	switch len(names) {
	case 1:
		return names[0]
	case 0:
		n.fail(CodeNoPort, "", "stage %q has no %ss", s.Name, d.side)
	default:
		n.fail(CodeWhichPort, fmt.Sprintf("write %s.%s", s.Name, strings.Join(names, " or "+s.Name+".")),
			"stage %q has several %ss", s.Name, d.side)
	}
	return ""
}

func (l *loader) noPort(n node, s *Stage, port string, d direction) {
	start := len(s.Name) + 1
	if d.opposite(s, port) >= 0 {
		n.failAt(start, len(n.Value), CodeDirection, "an edge leads from an output to an input",
			fmt.Sprintf("%q is an %s of stage %q, and an %s belongs here", port, d.other, s.Name, d.side))
		return
	}
	n.failAt(start, len(n.Value), CodeNoPort, suggest(n.src, port, d.names(s)),
		fmt.Sprintf("stage %q has no %s %q", s.Name, d.side, port))
}
