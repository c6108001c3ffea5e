package spec

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/spec/expr"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// object is a JSON object; encoding/json writes its keys in order, so a schema is the same every time.
type object = map[string]any

// Schema gives the JSON Schema (draft 2020-12) of pipelines whose stages are of the registry's kinds, for editors to
// complete and check. It knows the form of a pipeline; what needs the whole of it (names, types, circles), Load knows.
func Schema(registry *stage.Registry) ([]byte, error) {
	text, err := json.MarshalIndent(pipelineSchema(registry), "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the schema of pipelines: %w", err)
	}
	return append(text, '\n'), nil
}

func pipelineSchema(registry *stage.Registry) object {
	root := closed(object{
		"pipeline":  named("The name of the pipeline."),
		"doc":       proseSchema("What the pipeline is for."),
		"params":    keyed(paramName.String(), ref("param"), "Numbers that --set can change and expressions can use."),
		"pools":     keyed(plainName.String(), ref("pool"), "Numbers of bytes that buffers come from."),
		"buffers":   keyed(plainName.String(), ref("class"), "Buffer classes: what a buffer is, and the pool that it lies in."),
		"resources": keyed(plainName.String(), ref("resource"), "What only so many bodies can hold at once."),
		"stages":    keyed(plainName.String(), ref("stage"), "The stages, by their names."),
		"edges":     object{"type": nullable("array"), "items": ref("edge"), "description": "Which output feeds which input."},
		"fail": object{"enum": []string{"job", "pipeline"}, "default": "job",
			"description": "What a failed item ends: its job, or the whole pipeline."},
		"in_flight": countSchema("How many items may be under way at once; without it memory alone decides.", 1, maxCount),
	}, "pipeline", "stages")
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "proofgraph pipeline"
	root["$defs"] = object{
		"param": paramSchema(), "pool": poolSchema(), "class": classSchema(), "resource": resourceSchema(),
		"edge": edgeSchema(), "stage": stageSchema(registry),
	}
	return root
}

func paramSchema() object {
	return closed(object{
		"default": sizeSchema("The value without --set: an integer, a size or an expression.", 0, 0),
		"range": object{"type": "array", "minItems": 2, "maxItems": 2, "items": sizeSchema("", 0, 0),
			"description": "The least and the greatest value."},
		"doc": proseSchema("What the parameter does."),
	}, "default")
}

func poolSchema() object {
	limit := sizeSchema("", 1, 0)["anyOf"].([]object)
	return closed(object{
		"limit": object{"anyOf": append([]object{{"enum": []string{"auto", "none"}}}, limit...),
			"description": "A size; auto: what the machine offers; none: counted and never refused."},
		"margin": sizeSchema("Bytes kept free of a limit that auto finds.", 0, 0),
		"memory": object{"enum": budget.Memories(), "default": budget.Host.String(),
			"description": "Whose memory it is: the host's, page-locked memory of the host, or a pool of each device's own."},
	}, "limit")
}

func resourceSchema() object {
	of := closed(object{
		"count": countSchema("How many there are.", 1, maxCount),
		"per":   object{"enum": []string{"device"}, "description": "Every device has as many of its own."},
	}, "count")
	number := countSchema("", 1, maxCount)["anyOf"].([]object)
	return object{"anyOf": append([]object{of}, number...), "description": "How many there are."}
}

func classSchema() object {
	return closed(object{
		"pool":   named("The pool that buffers of the class lie in."),
		"cached": object{"type": "boolean", "default": false, "description": "Buffers of the class outlive their items while there is room."},
	}, "pool")
}

func edgeSchema() object {
	end := object{"type": "string", "pattern": `^[A-Za-z_][A-Za-z0-9_-]*(\.[A-Za-z_][A-Za-z0-9_-]*)?$`}
	share := object{"type": "string", "pattern": "%$"}
	return closed(object{
		"from":     described(end, "The output: stage.port, or the stage where it has one output."),
		"to":       described(end, "The input: stage.port, or the stage where it has one input."),
		"capacity": countSchema("How many items may wait on the edge.", 1, maxCount),
		"bytes": object{"anyOf": append([]object{share}, sizeSchema("", 1, 0)["anyOf"].([]object)...),
			"description": "How many bytes may lie on the edge: a size, or a share of the pool such as 25%."},
	}, "from", "to", "capacity")
}

// stageSchema has the keys of every stage, and for each kind an if/then with its options.
func stageSchema(registry *stage.Registry) object {
	var choices, options []object
	for _, name := range registry.Names() {
		k := registry.Find(name)
		choices = append(choices, object{"const": name, "description": k.Doc})
		options = append(options, kindSchema(k))
	}
	s := object{"type": "object", "required": []string{"kind"}, "properties": conductSchema(choices)}
	if len(options) > 0 { // an empty allOf is no schema
		s["allOf"] = options
	}
	return s
}

// conductSchema has the keys of every stage, in the sense of stageKeys.
func conductSchema(kinds []object) object {
	kind := textSchema("What the stage is.")
	if len(kinds) > 0 {
		kind["oneOf"] = kinds
	}
	return object{
		"kind":    kind,
		"workers": withDefault(countSchema("Bodies that may run at once.", 1, maxBodies), 1),
		"threads": withDefault(countSchema("Threads that a body may keep busy; 0: as many as the machine has.", 0, maxCount), 0),
		"release": object{"enum": []string{"on_complete", "after_send", "on_consume"}, "default": "after_send",
			"description": "When a worker is free again: when its body has ended, when its output lies on the edges, or when every consumer has taken it."},
		"async":   object{"type": "boolean", "default": false, "description": "Free the worker at once and finish the work beside."},
		"pending": withDefault(countSchema("Bodies of an async stage that may be under way at once.", 1, maxBodies), 1),
		"uses":    keyed(plainName.String(), countSchema("How much of the resource a body holds.", 1, maxCount), "Resources that a body holds while it runs."),
		"buffers": keyed(plainName.String(), named(""), "Other classes for outputs and scratch than those the kind names."),
	}
}

func kindSchema(k *stage.Kind) object {
	properties := object{}
	for _, key := range stageKeys {
		properties[key] = true
	}
	required := []string{}
	for _, o := range k.Options {
		properties[o.Name] = optionSchema(o)
		if o.Required {
			required = append(required, o.Name)
		}
	}
	return object{
		"if":   object{"properties": object{"kind": object{"const": k.Name}}, "required": []string{"kind"}},
		"then": closed(properties, required...),
	}
}

func optionSchema(o stage.Option) object {
	s := object{}
	switch o.Type {
	case stage.Bool:
		s = object{"type": "boolean", "description": o.Doc}
	case stage.Int:
		s = countSchema(o.Doc, o.Min, o.Max)
	case stage.Size:
		s = sizeSchema(o.Doc, o.Min, o.Max)
	default:
		s = textSchema(o.Doc)
		if o.Enum != nil {
			s = object{"anyOf": []object{{"enum": o.Enum}, computed}, "description": o.Doc}
		}
	}
	if o.Default != "" {
		return withDefault(s, defaultValue(o))
	}
	return s
}

// defaultValue gives a default as a pipeline writes it in JSON.
func defaultValue(o stage.Option) any {
	value, sized, err := expr.ParseLiteral(o.Default)
	switch {
	case o.Type == stage.Bool:
		return o.Default == "true"
	case o.Type == stage.String || err != nil || sized:
		return o.Default
	}
	return value
}

// computed is any value with an expression in it.
var computed = object{"type": "string", "pattern": `\$\{`}

// countSchema is an integer from low to high (0: no bound), or an expression.
func countSchema(doc string, low, high int64) object {
	number := object{"type": "integer", "minimum": low}
	if high != 0 {
		number["maximum"] = high
	}
	quoted := object{"type": "string", "pattern": `^[+-]?(0|[1-9][0-9]*)$`}
	return described(object{"anyOf": []object{number, quoted, computed}}, doc)
}

// sizeSchema is a size, a number of bytes from low to high where they are not both 0, or an expression.
func sizeSchema(doc string, low, high int64) object {
	number := object{"type": "integer"}
	if low != 0 || high != 0 {
		number["minimum"] = low
	}
	if high != 0 {
		number["maximum"] = high
	}
	units := make([]string, len(expr.Units))
	for i, u := range expr.Units {
		units[i] = u.Name
	}
	size := object{"type": "string", "pattern": fmt.Sprintf(`^[+-]?(0|[1-9][0-9]*)((\.[0-9]+)?(%s))?$`, strings.Join(units, "|"))}
	return described(object{"anyOf": []object{number, size, computed}}, doc)
}

func textSchema(doc string) object { return described(object{"type": "string"}, doc) }

// proseSchema is text for people, who may write a number where they mean its digits.
func proseSchema(doc string) object {
	return object{"type": []string{"string", "number", "boolean"}, "description": doc}
}

func named(doc string) object {
	return described(object{"type": "string", "pattern": plainName.String()}, doc)
}

func described(s object, doc string) object {
	if doc == "" {
		return s
	}
	copied := withDefault(s, nil)
	copied["description"] = doc
	return copied
}

// withDefault copies a schema and adds a default (nil: none).
func withDefault(s object, value any) object {
	copied := make(object, len(s)+1)
	for k, v := range s {
		copied[k] = v
	}
	if value != nil {
		copied["default"] = value
	}
	return copied
}

func ref(name string) object { return object{"$ref": "#/$defs/" + name} }

// nullable lets a section be there with nothing in it.
func nullable(kind string) []string { return []string{kind, "null"} }

// keyed is a mapping of names to values.
func keyed(names string, values object, doc string) object {
	return object{"type": nullable("object"), "propertyNames": object{"pattern": names},
		"additionalProperties": values, "description": doc}
}

// closed is a mapping with these keys and no others.
func closed(properties object, required ...string) object {
	return object{"type": "object", "properties": properties, "additionalProperties": false, "required": sortedNames(required)}
}

// sortedNames is a list even where it is empty, which JSON tells from null.
func sortedNames(names []string) []string {
	return append([]string{}, slices.Sorted(slices.Values(names))...)
}
