package sim

import (
	"fmt"
	"strings"
	"time"

	"github.com/proofgraph/proofgraph/graph/spec/expr"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// A model is what the options of a model.stage say.
type model struct {
	inputs  []string
	outputs []amount
	takes   map[string]string // output → input
	scratch []amount
	cache   string
	time    time.Duration
}

// An amount is a port or a scratch, its class, and its bytes as an expression over facts (nil: none).
type amount struct {
	name, class string
	size        *expr.Expr
}

func (a *amount) bytes(facts stage.Facts) (int64, error) {
	if a.size == nil {
		return 0, nil
	}
	return a.size.Eval(func(name string) (int64, error) {
		value, known := facts[name]
		if !known {
			return 0, fmt.Errorf("the item has no fact %q", name)
		}
		return value, nil
	})
}

func readModel(o stage.Options) (model, error) {
	m := model{inputs: strings.Fields(o.String("in")), takes: map[string]string{}, cache: o.String("cache")}
	for _, text := range strings.Fields(o.String("out")) {
		out, err := readOutput(text)
		if err != nil {
			return m, fmt.Errorf("out: %w", err)
		}
		m.outputs = append(m.outputs, out)
	}
	for _, text := range strings.Fields(o.String("scratch")) {
		class, size, found := strings.Cut(text, "=")
		if !found {
			return m, fmt.Errorf("scratch: %q is not class=bytes", text)
		}
		parsed, err := expr.Parse(size)
		if err != nil {
			return m, fmt.Errorf("scratch: %q: %w", text, err)
		}
		m.scratch = append(m.scratch, amount{class: class, size: parsed})
	}
	return m, m.readRest(o)
}

func (m *model) readRest(o stage.Options) error {
	for _, text := range strings.Fields(o.String("takes")) {
		out, in, found := strings.Cut(text, "=")
		if !found {
			return fmt.Errorf("takes: %q is not output=input", text)
		}
		m.takes[out] = in
	}
	var err error
	if m.time, err = time.ParseDuration(o.String("time")); err != nil {
		return fmt.Errorf("time: %w", err)
	}
	if m.time < 0 || m.time > inTime(longest) {
		return fmt.Errorf("time: %s is not from 0s to %s", m.time, inTime(longest))
	}
	return nil
}

// readOutput reads "port", "port:class" or "port:class=bytes".
func readOutput(text string) (amount, error) {
	port, size, sized := strings.Cut(text, "=")
	name, class, classed := strings.Cut(port, ":")
	out := amount{name: name, class: class}
	if classed && class == "" || sized && !classed {
		return out, fmt.Errorf("%q is not port, port:class or port:class=bytes", text)
	}
	if !sized {
		return out, nil
	}
	parsed, err := expr.Parse(size)
	if err != nil {
		return out, fmt.Errorf("%q: %w", text, err)
	}
	out.size = parsed
	return out, nil
}

// longest bounds what a cost may say in seconds, so that virtual time stays far from the end of its numbers.
const longest = 1e6

func inTime(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }
