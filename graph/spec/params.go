package spec

import (
	"fmt"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
)

// overrideFile is what stands for the file name in errors of overrides.
const overrideFile = "--set"

// params reads the declared parameters, applies the overrides and computes all values.
func (l *loader) params(n node) {
	section, _ := n.mapping(n, "params")
	for _, e := range section.entries {
		l.declare(e)
	}
	for _, source := range l.overrides {
		l.override(source)
	}
	for _, p := range l.scope.order {
		if p.state == untouched {
			l.scope.compute(p)
		}
	}
	for _, p := range l.scope.order {
		l.bound(p)
		l.p.Params = append(l.p.Params, p.Param)
	}
}

var paramName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)

// declare makes a parameter known, not yet computed.
func (l *loader) declare(e entry) {
	name := e.key.Value
	if _, builtin := l.scope.builtins[name]; builtin || name == "min" || name == "max" {
		e.key.fail(CodeName, "", "%q has a meaning of its own in expressions", name)
		return
	}
	e.key.named("a parameter", paramName, "letters, digits and _")
	f, good := e.value.mapping(e.key, fmt.Sprintf("parameter %q", name))
	f.only("default", "range", "doc")
	p := &param{Param: Param{Name: name, Doc: f.prose("doc"), Pos: e.key.pos()}, source: e.key, state: failed}
	if !good {
		// reported; the name is known, so that references to it are not errors too
	} else if value, found := f.need("default", "a parameter has a value without --set: write default: 1"); found {
		p.Default, p.source, p.state = value.Value, value, untouched
	}
	if bounds, found := f.get("range"); found {
		p.bounds = bounds.list("range")
		if len(p.bounds) != 2 {
			bounds.fail(CodeShape, "write range: [1, 64]", "range is the least and the greatest value")
			p.bounds = nil
		}
	}
	l.scope.params[name] = p
	l.scope.order = append(l.scope.order, p)
}

// override replaces the default of a parameter by what stands after "name=".
func (l *loader) override(src *source) {
	line := src.line(1)
	name, value, found := strings.Cut(line, "=")
	p := l.scope.params[name]
	switch whole := src.scalar(line, 1); {
	case !found || len(src.lines) > 1:
		whole.fail(CodeOverride, "write --set name=value", "%q is not name=value", line)
	case p == nil:
		whole.failAt(0, len(name), CodeOverride, l.scope.declared(), fmt.Sprintf("the pipeline has no parameter %q", name))
	default:
		if !p.overridden && p.state == untouched {
			l.scope.read(p.source) // a broken default is an error even where it is not used
		}
		p.source = src.scalar(value, len([]rune(name))+2)
		p.overridden, p.state = true, untouched
	}
}

// scalar makes a node of text that stands in a source's first line.
func (s *source) scalar(text string, column int) node {
	return node{&yaml.Node{Kind: yaml.ScalarNode, Value: text, Line: 1, Column: column}, s}
}

// bound computes the declared range and holds the value to it.
func (l *loader) bound(p *param) {
	if p.bounds == nil {
		return
	}
	low, lowGood := l.scope.number(p.bounds[0])
	high, highGood := l.scope.number(p.bounds[1])
	if !lowGood || !highGood {
		return
	}
	p.Min, p.Max, p.Ranged = low, high, true
	hint := ""
	if p.overridden {
		hint = l.scope.declared()
	}
	switch {
	case low > high:
		p.bounds[0].fail(CodeRange, "", "the range is empty: %d is greater than %d", low, high)
	case p.state == known && (p.Value < low || p.Value > high):
		p.source.fail(CodeRange, hint, "%s is %d, outside of its range from %d to %d", p.Name, p.Value, low, high)
	}
}

// declared lists the parameters as they are declared, for someone who set one wrongly.
func (s *scope) declared() string {
	if len(s.order) == 0 {
		return "the pipeline declares no parameters"
	}
	texts := make([]string, 0, len(s.order))
	for _, p := range s.order {
		text := fmt.Sprintf("%s (default %s", p.Name, p.Default)
		if p.bounds != nil {
			text += fmt.Sprintf(", from %s to %s", p.bounds[0].Value, p.bounds[1].Value)
		}
		texts = append(texts, text+")")
	}
	return "the parameters are " + strings.Join(texts, ", ")
}
