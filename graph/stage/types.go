package stage

import (
	"fmt"
	"slices"
	"strings"
)

// A Type says what travels over an edge: a name and parameters, "vector(curve=bn254, form=montgomery)". A parameter's
// value that begins with '?' is a variable of the stage: equal variables of one stage take equal values, which check
// finds by unification over the whole pipeline. An input takes any value of the parameters that it does not mention, and
// one of the zero Type takes anything.
type Type struct {
	Name   string
	Params map[string]string
}

// T makes a Type from its name and "key=value" pairs; a pair without '=' is a variable of its own name, so
// T("vector", "curve", "form=montgomery") has the parameters curve=?curve and form=montgomery.
func T(name string, pairs ...string) Type {
	t := Type{Name: name, Params: make(map[string]string, len(pairs))}
	for _, pair := range pairs {
		key, value, found := strings.Cut(pair, "=")
		if !found {
			value = "?" + key
		}
		t.Params[key] = value
	}
	return t
}

// Variable reports whether a parameter's value stands for a variable.
func Variable(value string) bool { return strings.HasPrefix(value, "?") }

// String gives the type as documentation prints it, parameters in order of their names.
func (t Type) String() string {
	if len(t.Params) == 0 {
		return t.Name
	}
	pairs := make([]string, 0, len(t.Params))
	for key, value := range t.Params {
		pairs = append(pairs, fmt.Sprintf("%s=%s", key, value))
	}
	slices.Sort(pairs)
	return fmt.Sprintf("%s(%s)", t.Name, strings.Join(pairs, ", "))
}
