package spec

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// A node is a YAML node of a source: a place where errors can be reported.
type node struct {
	*yaml.Node
	src *source
}

func (n node) pos() Pos { return Pos{n.Line, n.Column} }

// fail reports an error that underlines the node.
func (n node) fail(code Code, hint, format string, args ...any) {
	n.failAt(0, len(n.Value), code, hint, fmt.Sprintf(format, args...))
}

// failAt reports an error that underlines the bytes from start to end of a scalar's value.
func (n node) failAt(start, end int, code Code, hint, message string) {
	pos, endColumn := n.span(start, end)
	n.src.report(pos, endColumn, code, hint, message)
}

// span gives the columns of the bytes from start to end of a scalar's value; of the whole scalar where its text in the
// file is not its value letter by letter (escapes, folding).
func (n node) span(start, end int) (Pos, int) {
	line := []rune(n.src.line(n.Line))
	if n.Kind != yaml.ScalarNode || n.Column < 1 || n.Column > len(line) {
		return n.pos(), n.Column + 1
	}
	rest := string(line[n.Column-1:])
	quote := 0
	if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		quote = 1
	}
	switch {
	case !strings.HasPrefix(rest[quote:], n.Value):
		return n.pos(), n.Column + utf8.RuneCountInString(strings.TrimRight(rest, " \t"))
	case start == 0 && end == len(n.Value):
		return n.pos(), n.Column + utf8.RuneCountInString(n.Value) + 2*quote
	}
	column := n.Column + quote + utf8.RuneCountInString(n.Value[:start])
	return Pos{n.Line, column}, column + utf8.RuneCountInString(n.Value[start:end])
}

// plain reports what pipelines do without, here and below: anchors, aliases, merge keys, tags, too much of anything.
func (n node) plain(depth int) bool {
	switch {
	case depth > maxDepth:
		n.fail(CodeTooLarge, "", "mappings and lists are nested more than %d deep", maxDepth)
	case len(n.Content) > 2*maxEntries:
		n.fail(CodeTooLarge, "", "more than %d entries", maxEntries)
	case n.Kind == yaml.AliasNode:
		n.fail(CodeFeature, "write the value out, or make it a parameter", "aliases are not read")
	case n.Anchor != "":
		n.fail(CodeFeature, "write values out where they are used, or make them parameters", "anchors are not read")
	case n.Style&yaml.TaggedStyle != 0:
		n.fail(CodeFeature, "leave the tag out", "tags such as %s are not read", n.Tag)
	case n.Kind == yaml.ScalarNode && n.Tag == "!!merge":
		n.fail(CodeFeature, "write the keys out", "merge keys are not read")
	default:
		return n.plainBelow(depth)
	}
	return false
}

func (n node) plainBelow(depth int) bool {
	good := true
	for _, child := range n.Content {
		good = node{child, n.src}.plain(depth+1) && good
	}
	return good
}

// An entry is one key of a mapping and its value.
type entry struct{ key, value node }

// A fields is a mapping whose keys were checked to be scalars and single.
type fields struct {
	at      node   // what to underline where a key is missing
	what    string // as messages name it: `stage "ntt"`
	entries []entry
	meant   []string // keys that were reported as mistyped
}

// mapping reads a node as a mapping; nothing at all is an empty one. Where a key is missing, at is underlined.
func (n node) mapping(at node, what string) (fields, bool) {
	f := fields{at: at, what: what}
	if n.null() {
		return f, true
	}
	if n.Kind != yaml.MappingNode {
		n.fail(CodeShape, "", "%s is a mapping of keys to values, not %s", what, n.shape())
		return f, false
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		f.add(entry{node{n.Content[i], n.src}, node{n.Content[i+1], n.src}})
	}
	return f, true
}

func (f *fields) add(e entry) {
	if e.key.Kind != yaml.ScalarNode {
		e.key.fail(CodeShape, "", "a key of %s is a name, not %s", f.what, e.key.shape())
		return
	}
	if first, found := f.find(e.key.Value); found {
		e.key.fail(CodeDuplicate, "", "key %q stands twice in %s, first in line %d", e.key.Value, f.what, first.key.Line)
		return
	}
	f.entries = append(f.entries, e)
}

func (f *fields) find(key string) (entry, bool) {
	i := slices.IndexFunc(f.entries, func(e entry) bool { return e.key.Value == key })
	if i < 0 {
		return entry{}, false
	}
	return f.entries[i], true
}

// get gives the value of a key that may be missing.
func (f *fields) get(key string) (node, bool) {
	e, found := f.find(key)
	return e.value, found
}

// need gives the value of a key that may not be missing.
func (f *fields) need(key, hint string) (node, bool) {
	e, found := f.find(key)
	if !found && !slices.Contains(f.meant, key) {
		at := f.at
		for _, e := range f.entries {
			if e.glued(key) {
				at, hint = e.key, apart(e)
			}
		}
		at.fail(CodeMissing, hint, "%s has no %s", f.what, key)
	}
	return e.value, found
}

// glued says whether an entry is a key whose colon has no space behind it, so that key and value are one word to YAML.
func (e entry) glued(key string) bool {
	return strings.HasPrefix(e.key.Value, key+":") && e.value.null()
}

// apart is the hint for such an entry.
func apart(e entry) string {
	key, value, _ := strings.Cut(e.key.Value, ":")
	return fmt.Sprintf("put a space behind the colon: %s: %s", key, value)
}

// only reports the keys that are none of those known.
func (f *fields) only(known ...string) {
	for _, e := range f.entries {
		if !slices.Contains(known, e.key.Value) {
			meant, hint := e.meant(known)
			f.meant = append(f.meant, meant)
			e.key.fail(CodeUnknownKey, hint, "unknown key %q in %s", e.key.Value, f.what)
		}
	}
}

// meant gives the known key that an unknown one stands for, or "", and a hint.
func (e entry) meant(known []string) (key, hint string) {
	if i := slices.IndexFunc(known, e.glued); i >= 0 {
		return known[i], apart(e)
	}
	return nearest(e.key.Value, known), suggest(e.key.src, e.key.Value, known)
}

// has reports whether a node is a mapping that has a key; nothing is reported of one that is none.
func (n node) has(key string) bool {
	if n.Node == nil || n.Kind != yaml.MappingNode {
		return false
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return true
		}
	}
	return false
}

// list reads a node as a list; nothing at all is an empty one.
func (n node) list(what string) []node {
	if n.null() {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		n.fail(CodeShape, "", "%s is a list, not %s", what, n.shape())
		return nil
	}
	items := make([]node, len(n.Content))
	for i, child := range n.Content {
		items[i] = node{child, n.src}
	}
	return items
}

func (n node) null() bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

func (n node) shape() string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.null():
		return "nothing"
	}
	return "a single value"
}

// emptied stands for a section that is not there.
func (n node) emptied() node {
	return node{&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Line: n.Line, Column: n.Column}, n.src}
}
