package spec

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/proofgraph/proofgraph/graph/spec/expr"
)

// A scope has the names that expressions may use and computes parameters when they are first asked for.
type scope struct {
	builtins map[string]func() int64
	params   map[string]*param
	order    []*param // as declared
	path     []string // parameters being computed, each because of the one before
}

// A param is a parameter on its way to a value.
type param struct {
	Param
	source     node   // the default, or the override
	bounds     []node // least and greatest, nil where no range is declared
	overridden bool
	state      paramState
}

type paramState int

const (
	untouched paramState = iota
	underWay
	known
	failed
)

// errReported ends an evaluation whose error is reported already.
var errReported = errors.New("already reported")

// resolve gives the value of a name that is known to exist.
func (s *scope) resolve(name string) (int64, error) {
	if value, found := s.builtins[name]; found {
		return value(), nil
	}
	p := s.params[name]
	switch p.state {
	case known:
		return p.Value, nil
	case failed:
		return 0, errReported
	case underWay:
		s.reportCycle(name)
		return 0, errReported
	}
	s.compute(p)
	return s.resolve(name)
}

// compute gives a parameter its value, or marks it as failed with the error reported.
func (s *scope) compute(p *param) {
	p.state = underWay
	s.path = append(s.path, p.Name)
	value, good := s.number(p.source)
	s.path = s.path[:len(s.path)-1]
	p.Value, p.state = value, known
	if !good {
		p.state = failed
	}
}

func (s *scope) reportCycle(name string) {
	circle := append(slices.Clone(s.path[slices.Index(s.path, name):]), name)
	s.params[name].source.fail(CodeParamCycle, "give one of them a value that does not depend on the others",
		"parameters depend on each other in a circle: %s", strings.Join(circle, " → "))
}

// read parses a value and checks that the names in it exist.
func (s *scope) read(n node) (*expr.Text, bool) {
	text, err := expr.ParseText(n.Value)
	if err != nil {
		n.failExpr(err)
		return nil, false
	}
	good := true
	for _, r := range text.References() {
		if _, builtin := s.builtins[r.Name]; !builtin && s.params[r.Name] == nil {
			good = false
			n.failAt(r.Start, r.End, CodeReference, suggest(n.src, r.Name, s.names()), fmt.Sprintf("there is no parameter %q", r.Name))
		}
	}
	return text, good
}

// text gives a value with its expressions computed, and whether it had any.
func (s *scope) text(n node) (text string, computed, good bool) {
	parsed, good := s.read(n)
	if !good {
		return "", false, false
	}
	text, err := parsed.Eval(s.resolve)
	if err != nil {
		n.failExpr(err)
		return "", false, false
	}
	return text, parsed.Computed(), true
}

// number gives the value of an integer or a size.
func (s *scope) number(n node) (int64, bool) {
	value, _, good := s.quantity(n)
	return value, good
}

// quantity gives a number, and whether it was written with a unit.
func (s *scope) quantity(n node) (value int64, sized, good bool) {
	if !n.scalar("a number") {
		return 0, false, false
	}
	text, computed, good := s.text(n)
	if !good {
		return 0, false, false
	}
	value, sized, err := expr.ParseLiteral(text)
	if err != nil {
		n.failLiteral(err, computed)
	}
	return value, sized, err == nil
}

// names lists what expressions may use.
func (s *scope) names() []string {
	return append(slices.Sorted(maps.Keys(s.params)), slices.Sorted(maps.Keys(s.builtins))...)
}

var reasonCodes = map[expr.Reason]Code{
	expr.Syntax:       CodeExpression,
	expr.Ambiguous:    CodeAmbiguous,
	expr.Overflow:     CodeOverflow,
	expr.DivideByZero: CodeDivision,
}

// failExpr reports an error of an expression at its place in the scalar.
func (n node) failExpr(err error) {
	var e *expr.Error
	if errors.As(err, &e) {
		n.failAt(e.Start, e.End, reasonCodes[e.Reason], e.Hint, e.Message)
	}
}

// failLiteral reports a number that could not be read. Places in a computed text are not places in the file.
func (n node) failLiteral(err error, computed bool) {
	var e *expr.Error
	if !errors.As(err, &e) {
		return
	}
	code := reasonCodes[e.Reason]
	if e.Reason == expr.Syntax {
		code = CodeValue
	}
	if computed {
		e.Start, e.End = 0, len(n.Value)
	}
	n.failAt(e.Start, e.End, code, e.Hint, e.Message)
}

// scalar reports whether the node is a single value, and an error if it is not.
func (n node) scalar(wanted string) bool {
	if n.null() || n.Content != nil {
		n.fail(CodeShape, "", "%s stands where %s belongs", n.shape(), wanted)
		return false
	}
	return true
}
