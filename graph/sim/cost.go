package sim

import (
	"errors"
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"
)

var (
	phaseKeys = []string{"name", "seconds", "of", "at", "loads", "touches"}
	costKeys  = append([]string{"phases", "spread", "launch", "threads"}, phaseKeys...)
)

// UnmarshalYAML reads a cost, or a list of costs with threads of their own.
func (c *Costs) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.SequenceNode {
		if len(node.Content) == 0 {
			return fmt.Errorf("line %d: a list of no costs", node.Line)
		}
		return node.Decode((*[]Cost)(c))
	}
	*c = make(Costs, 1)
	return node.Decode(&(*c)[0])
}

// MarshalYAML writes a single cost as such.
func (c Costs) MarshalYAML() (any, error) {
	if len(c) == 1 {
		return c[0], nil
	}
	return []Cost(c), nil
}

// UnmarshalYAML reads a cost: its keys, or a number of seconds alone.
func (c *Cost) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		return node.Decode(&c.Seconds)
	}
	if err := errors.Join(only(node, costKeys), onlyPhases(node)); err != nil {
		return err
	}
	type plain Cost
	return node.Decode((*plain)(c))
}

// onlyPhases refuses unknown keys in the phases of a cost.
func onlyPhases(node *yaml.Node) error {
	for i := 0; node.Kind == yaml.MappingNode && i < len(node.Content); i += 2 {
		if node.Content[i].Value != "phases" {
			continue
		}
		for _, phase := range node.Content[i+1].Content {
			if err := only(phase, phaseKeys); err != nil {
				return err
			}
		}
	}
	return nil
}

// only refuses keys that are not known, which a decoder does not do below a type that reads itself.
func only(node *yaml.Node, known []string) error {
	for i := 0; node.Kind == yaml.MappingNode && i < len(node.Content); i += 2 {
		if key := node.Content[i]; !slices.Contains(known, key.Value) {
			return fmt.Errorf("line %d: %s", key.Line, unknownKey(key.Value, known))
		}
	}
	return nil
}
