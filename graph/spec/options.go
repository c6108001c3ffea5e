package spec

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/proofgraph/proofgraph/graph/spec/expr"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// options reads the options of a stage: those in the pipeline, and the defaults of the others.
func (l *loader) options(f *fields, k *stage.Kind) (stage.Options, bool) {
	values := make(map[string]any, len(k.Options))
	all := true
	for _, o := range k.Options {
		n, found := f.get(o.Name)
		switch {
		case found:
		case o.Required && slices.Contains(f.meant, o.Name): // and told of
			all = false
			continue
		case o.Required:
			f.at.fail(CodeMissing, fmt.Sprintf("add %s: %s", o.Name, placeholder(o)), "%s has no %s, which kind %q requires", f.what, o.Name, k.Name)
			all = false
			continue
		default:
			n = f.at.standIn(cmp.Or(o.Default, zeroes[o.Type]))
		}
		value, good := l.option(n, o, found)
		values[o.Name] = value
		all = all && good
	}
	return stage.NewOptions(values).WithClasses(l.declared(f, k)...), all
}

// declared lists the buffer classes that a stage of the kind may count on: those of the pipeline, and those of its scratch
// that the stage maps.
func (l *loader) declared(f *fields, k *stage.Kind) []string {
	classes := slices.Collect(maps.Keys(l.classes))
	mapped, _ := f.get("buffers")
	for _, class := range slices.Concat(k.Scratch, k.OptionalScratch) {
		if mapped.has(class) {
			classes = append(classes, class)
		}
	}
	return classes
}

// zeroes are the defaults of options that declare none.
var zeroes = map[stage.OptionType]string{stage.Int: "0", stage.Bool: "false", stage.Size: "0"}

// standIn is a scalar that the pipeline does not write; errors in it underline n.
func (n node) standIn(value string) node {
	stand := *n.Node
	stand.Kind, stand.Tag, stand.Value, stand.Style, stand.Content = yaml.ScalarNode, "!!str", value, 0, nil
	return node{&stand, n.src}
}

// option reads the value of one option; a default is not held to bounds, which CheckKind does.
func (l *loader) option(n node, o stage.Option, written bool) (any, bool) {
	low, high := o.Min, cmp.Or(o.Max, math.MaxInt64)
	if !written {
		low, high = math.MinInt64, math.MaxInt64
	}
	switch o.Type {
	case stage.Int:
		return second(l.count(n, o.Name, low, high))
	case stage.Size:
		return second(l.size(n, o.Name, low, high))
	case stage.Bool:
		return second(n.flag(o.Name))
	}
	return second(l.choice(n, o, written))
}

func second[V any](value V, good bool) (any, bool) { return value, good }

// choice reads a string option.
func (l *loader) choice(n node, o stage.Option, written bool) (string, bool) {
	if !n.scalar("text") {
		return "", false
	}
	value, _, good := l.scope.text(n)
	if good && written && o.Enum != nil && !slices.Contains(o.Enum, value) {
		n.fail(CodeChoice, suggestChoice(n.src, value, o.Enum), "%s cannot be %q", o.Name, value)
		return "", false
	}
	return value, good && !(written && n.ambiguous(o.Name))
}

// placeholder shows what a value of the option looks like.
func placeholder(o stage.Option) string {
	switch {
	case len(o.Enum) > 0:
		return fmt.Sprintf("%s (one of %s)", o.Enum[0], strings.Join(o.Enum, ", "))
	case o.Type == stage.Int:
		return fmt.Sprint(max(o.Min, 1))
	case o.Type == stage.Size:
		return expr.FormatSize(max(o.Min, 1<<20))
	case o.Type == stage.Bool:
		return "true"
	}
	return "..."
}
