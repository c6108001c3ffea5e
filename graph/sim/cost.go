package sim

import "gopkg.in/yaml.v3"

// UnmarshalYAML reads a cost: its keys, or a number of seconds alone.
func (c *Cost) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		return node.Decode(&c.Seconds)
	}
	type plain Cost
	return node.Decode((*plain)(c))
}
