package spec

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/proofgraph/proofgraph/graph/stage"
)

// types joins the types of every edge's ends, in the order of the file, and gives the outputs the types that result.
func (l *loader) types() {
	u := newUnifier()
	for i, e := range l.p.Edges {
		if e.whole() {
			l.joinTypes(u, i)
		}
	}
	for i := range l.p.Stages {
		for o := range l.p.Stages[i].Outputs {
			out := &l.p.Stages[i].Outputs[o]
			out.Type = u.bound(i, out.Port.Type)
		}
	}
}

// joinTypes lets an input have the type of the output that feeds it, and reports where it cannot.
func (l *loader) joinTypes(u *unifier, edge int) {
	e := l.p.Edges[edge]
	given := l.p.Stages[e.From].Outputs[e.Output].Port.Type
	taken := l.p.Stages[e.To].Inputs[e.Input].Port.Type
	if taken.Name == "" {
		return
	}
	if given.Name != taken.Name {
		l.mismatch(u, edge, "")
		return
	}
	for _, name := range slices.Sorted(maps.Keys(taken.Params)) {
		if _, has := given.Params[name]; !has || !u.join(e, given.Params[name], taken.Params[name], edge) {
			l.mismatch(u, edge, name)
			return
		}
	}
}

// join lets two values of a parameter be equal, of which each may be a variable.
func (u *unifier) join(e Edge, given, taken string, edge int) bool {
	from, to := variable{e.From, given}, variable{e.To, taken}
	switch {
	case stage.Variable(given) && stage.Variable(taken):
		return u.equate(from, to, edge)
	case stage.Variable(given):
		return u.bind(from, taken, edge)
	case stage.Variable(taken):
		return u.bind(to, given, edge)
	}
	return given == taken
}

// bound gives a type with the variables of its stage replaced where they have values.
func (u *unifier) bound(i int, t stage.Type) stage.Type {
	params := make(map[string]string, len(t.Params))
	for name, value := range t.Params {
		if stage.Variable(value) && u.value(variable{i, value}) != "" {
			value = u.value(variable{i, value})
		}
		params[name] = value
	}
	return stage.Type{Name: t.Name, Params: params}
}

// mismatch reports an edge whose ends disagree, in the parameter of that name or altogether.
func (l *loader) mismatch(u *unifier, edge int, param string) {
	e := l.p.Edges[edge]
	given := l.p.Stages[e.From].Outputs[e.Output].Port.Type
	taken := l.p.Stages[e.To].Inputs[e.Input].Port.Type
	var because []string
	if param != "" {
		because = append(because, l.origin(u, e.From, given.Params[param]), l.origin(u, e.To, taken.Params[param]))
	}
	because = slices.DeleteFunc(because, func(s string) bool { return s == "" })
	l.joints[edge].at.fail(CodeTypes, strings.Join(because, "; "), "%s gives %s, but %s takes %s%s",
		e.FromName, given, e.ToName, taken, differing(param, given))
}

func differing(param string, given stage.Type) string {
	if param == "" || len(given.Params) < 2 && given.Params[param] != "" {
		return ""
	}
	if given.Params[param] == "" {
		return fmt.Sprintf(": the first has no %s", param)
	}
	return fmt.Sprintf(": they differ in %s", param)
}

// origin tells how a variable came by its value ("" where it is none, or has no value).
func (l *loader) origin(u *unifier, i int, name string) string {
	v := variable{i, name}
	if !stage.Variable(name) || u.value(v) == "" {
		return ""
	}
	var path []string
	for _, edge := range u.why(v) {
		e := l.p.Edges[edge]
		path = append(path, fmt.Sprintf("%s → %s in line %d", e.FromName, e.ToName, e.Pos.Line))
	}
	return fmt.Sprintf("%s of stage %q is %s by the edge %s", name, l.p.Stages[i].Name, u.value(v), strings.Join(path, ", then "))
}
