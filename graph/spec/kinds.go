package spec

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/proofgraph/proofgraph/graph/spec/expr"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// stageKeys are the keys of every stage, in the order they are documented; no option can have their names.
var stageKeys = []string{"kind", "workers", "threads", "release", "async", "pending", "uses", "buffers"}

// CheckKind says what is wrong with the declaration of a stage kind: names that a pipeline could not write, defaults
// that are not values of their option, ports that take over what is not there. It is for the tests of those who write
// kinds; Load refuses what it refuses.
func CheckKind(k *stage.Kind) error {
	var wrong []error
	for _, o := range k.Options {
		if err := checkOption(o); err != nil {
			wrong = append(wrong, fmt.Errorf("option %q of kind %q %w", o.Name, k.Name, err))
		}
	}
	wrong = append(wrong, checkPorts(k.Name, k.Inputs, k.Outputs))
	return errors.Join(wrong...)
}

func checkOption(o stage.Option) error {
	switch {
	case slices.Contains(stageKeys, o.Name):
		return errors.New("has the name of a key that every stage has")
	case !plainName.MatchString(o.Name):
		return errors.New("has a name that a pipeline cannot write")
	case !slices.Contains([]stage.OptionType{stage.String, stage.Int, stage.Bool, stage.Size}, o.Type):
		return fmt.Errorf("has the unknown type %q", o.Type)
	case o.Required && o.Default != "":
		return errors.New("is required and has a default")
	case o.Default == "":
		return nil
	}
	return checkDefault(o)
}

func checkDefault(o stage.Option) error {
	text, err := expr.ParseText(o.Default)
	switch {
	case err != nil:
		return fmt.Errorf("has a default that cannot be read: %w", err)
	case text.Computed():
		return nil
	case o.Type == stage.Bool && o.Default != "true" && o.Default != "false":
		return fmt.Errorf("has the default %q, which is not true or false", o.Default)
	case o.Type == stage.String && o.Enum != nil && !slices.Contains(o.Enum, o.Default):
		return fmt.Errorf("has the default %q, which is not among its values", o.Default)
	case o.Type == stage.Int || o.Type == stage.Size:
		value, _, err := expr.ParseLiteral(o.Default)
		if err != nil {
			return fmt.Errorf("has a default that cannot be read: %w", err)
		}
		if value < o.Min || o.Max != 0 && value > o.Max {
			return fmt.Errorf("has the default %s, outside of its bounds", o.Default)
		}
	}
	return nil
}

// checkPorts says what is wrong with the ports of one stage.
func checkPorts(kind string, inputs, outputs []stage.Port) error {
	var wrong []error
	for i, p := range inputs {
		if problem := portProblem(p, inputs[:i]); problem != "" {
			wrong = append(wrong, fmt.Errorf("input %q of kind %q %s", p.Name, kind, problem))
		}
	}
	for i, p := range outputs {
		if problem := cmp.Or(portProblem(p, outputs[:i]), outputProblem(p, inputs, outputs[:i])); problem != "" {
			wrong = append(wrong, fmt.Errorf("output %q of kind %q %s", p.Name, kind, problem))
		}
	}
	return errors.Join(wrong...)
}

// outputProblem says what is wrong with an output beside the inputs and the outputs before it.
func outputProblem(p stage.Port, inputs, before []stage.Port) string {
	switch {
	case p.Type.Name == "":
		return "gives a value without a type"
	case p.Takes == "":
		return ""
	case !slices.ContainsFunc(inputs, func(in stage.Port) bool { return in.Name == p.Takes }):
		return fmt.Sprintf("takes over the input %q, which there is not", p.Takes)
	case slices.ContainsFunc(before, func(other stage.Port) bool { return other.Takes == p.Takes }):
		return fmt.Sprintf("takes over the input %q, which another output takes over", p.Takes)
	}
	return ""
}

// portProblem says what is wrong with the name of a port beside those before it ("" where nothing is).
func portProblem(p stage.Port, before []stage.Port) string {
	switch {
	case !plainName.MatchString(p.Name):
		return "has a name that a pipeline cannot write"
	case slices.ContainsFunc(before, func(other stage.Port) bool { return other.Name == p.Name }):
		return "is declared twice"
	}
	return ""
}
