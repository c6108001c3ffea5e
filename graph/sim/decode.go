package sim

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
)

// Decode reads a YAML file of which every key must mean something. Errors tell the line, and which keys there are; what
// says what the file should be, for one that is a pipeline. A text without a document changes nothing.
func Decode(text []byte, what string, into any) error {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	err := decoder.Decode(into)
	if err == nil || errors.Is(err, io.EOF) {
		return nil
	}
	var other struct {
		Pipeline string    `yaml:"pipeline"`
		Stages   yaml.Node `yaml:"stages"`
	}
	if yaml.Unmarshal(text, &other) == nil && other.Pipeline != "" {
		return fmt.Errorf("this is a pipeline, and no %s", what)
	}
	var wrong *yaml.TypeError
	if !errors.As(err, &wrong) {
		return errors.New(strings.TrimPrefix(err.Error(), "yaml: ") + tabHint(text))
	}
	known := map[string][]string{}
	keysBelow(reflect.TypeOf(into), known)
	lines := make([]string, len(wrong.Errors))
	for i, text := range wrong.Errors {
		lines[i] = inWords(text, known)
	}
	return errors.New(strings.Join(lines, "\n"))
}

// tabHint says what is most often wrong with a file that is no YAML.
func tabHint(text []byte) string {
	if tabIndent.Match(text) {
		return "; YAML indents with spaces, never with tabs"
	}
	return ""
}

var (
	tabIndent    = regexp.MustCompile(`(?m)^ *\t`)
	unknownField = regexp.MustCompile(`^(line \d+): field (.+) not found in type (\S+)$`)
	otherType    = regexp.MustCompile("^(line \\d+): cannot unmarshal !!(\\w+)(?: `(.*)`)? into (\\S+)$")
)

// inWords gives what the YAML library finds wrong without Go's types.
func inWords(text string, known map[string][]string) string {
	if m := unknownField.FindStringSubmatch(text); m != nil {
		return m[1] + ": " + unknownKey(m[2], known[m[3]])
	}
	if m := otherType.FindStringSubmatch(text); m != nil {
		found := map[string]string{"map": "a mapping", "seq": "a list", "null": "nothing"}[m[2]]
		if found == "" {
			found = fmt.Sprintf("%q", m[3])
		}
		return fmt.Sprintf("%s: %s stands where %s belongs", m[1], found, kindOf(m[4]))
	}
	return text
}

func unknownKey(key string, known []string) string {
	return fmt.Sprintf("unknown key %q; there are %s", key, strings.Join(known, ", "))
}

// kindOf says what a Go type is in YAML.
func kindOf(goType string) string {
	switch {
	case strings.HasPrefix(goType, "int"), strings.HasPrefix(goType, "uint"):
		return "a whole number"
	case strings.HasPrefix(goType, "float"):
		return "a number"
	case strings.HasPrefix(goType, "[]"):
		return "a list"
	case goType == "string":
		return "text"
	case goType == "bool":
		return "true or false"
	case goType == "time.Duration":
		return "a time such as 1.5s"
	}
	return "a mapping of keys to values"
}

// keysBelow collects the keys of a type and of those below it, by the names of the types.
func keysBelow(t reflect.Type, known map[string][]string) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		keysBelow(t.Elem(), known)
	case reflect.Struct:
		if known[t.String()] != nil {
			return
		}
		known[t.String()] = keysOf(t)
		for i := range t.NumField() {
			keysBelow(t.Field(i).Type, known)
		}
	}
}

// keysOf gives the keys of a type, those of inlined types among them, in the order of its fields.
func keysOf(t reflect.Type) []string {
	var keys []string
	for i := range t.NumField() {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
		switch {
		case options == "inline":
			keys = append(keys, keysOf(t.Field(i).Type)...)
		case name != "" && name != "-":
			keys = append(keys, name)
		}
	}
	return keys
}
