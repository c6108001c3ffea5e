package spec

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/proofgraph/proofgraph/graph/spec/expr"
)

// Numbers that a pipeline counts with.
const (
	maxCount  = 1 << 20 // threads, items on an edge
	maxBodies = 1 << 10 // workers and pending of a stage: a goroutine each
	maxBytes  = 1 << 60
)

// count reads an integer without a unit between low and high.
func (l *loader) count(n node, what string, low, high int64) (int64, bool) {
	value, sized, good := l.scope.quantity(n)
	if good && sized {
		n.fail(CodeValue, "leave the unit out", "%s is a number without a unit", what)
		return 0, false
	}
	return value, good && n.within(what, value, low, high, plainNumber)
}

// size reads a number of bytes between low and high.
func (l *loader) size(n node, what string, low, high int64) (int64, bool) {
	value, good := l.scope.number(n)
	return value, good && n.within(what, value, low, high, expr.FormatSize)
}

func plainNumber(value int64) string { return fmt.Sprint(value) }

func (n node) within(what string, value, low, high int64, format func(int64) string) bool {
	switch {
	case low <= value && value <= high:
		return true
	case high == math.MaxInt64:
		n.fail(CodeRange, "", "%s is %s, but at least %s", what, format(value), format(low))
	default:
		n.fail(CodeRange, "", "%s is %s, outside of its range from %s to %s", what, format(value), format(low), format(high))
	}
	return false
}

// countOr reads the count under a key that may be missing.
func (l *loader) countOr(f *fields, key string, missing, low, high int64) int {
	n, found := f.get(key)
	if !found {
		return int(missing)
	}
	value, good := l.count(n, key, low, high)
	if !good {
		return int(missing)
	}
	return int(value)
}

// flagOr reads true or false under a key that may be missing.
func (f *fields) flagOr(key string, missing bool) bool {
	n, found := f.get(key)
	if !found {
		return missing
	}
	value, _ := n.flag(key)
	return value
}

// flag reads true or false, and refuses all other ways in which some readers of YAML write them.
func (n node) flag(what string) (value, good bool) {
	if !n.scalar("true or false") {
		return false, false
	}
	if n.Style == 0 && (n.Value == "true" || n.Value == "false") {
		return n.Value == "true", true
	}
	if meant, found := otherFlags[strings.ToLower(n.Value)]; found {
		n.fail(CodeAmbiguous, fmt.Sprintf("write %t", meant), "%s is true or false, not %s", what, n.written())
		return false, false
	}
	n.fail(CodeValue, "", "%s is true or false, not %s", what, n.written())
	return false, false
}

// otherFlags are the words that YAML 1.1 also reads as true and false.
var otherFlags = map[string]bool{
	"true": true, "yes": true, "on": true, "y": true, "false": false, "no": false, "off": false, "n": false,
}

// written gives a scalar with the quotes that stand in the file.
func (n node) written() string {
	if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		return fmt.Sprintf("%q", n.Value)
	}
	return n.Value
}

// ambiguous reports text without quotes that some readers of YAML do not take for text.
func (n node) ambiguous(what string) bool {
	_, flag := otherFlags[strings.ToLower(n.Value)]
	if n.Style != 0 || n.Tag == "!!str" && (!flag || len(n.Value) == 1) { // no reader in use takes y or n for a flag
		return false
	}
	n.fail(CodeAmbiguous, fmt.Sprintf("write %q", n.Value), "%s is text, but readers of YAML take %s for something else", what, n.Value)
	return true
}

// words reads one of several words under a key that may be missing; the first is the default.
func (f *fields) words(key string, choices ...string) int {
	n, found := f.get(key)
	if !found || !n.scalar("one of "+strings.Join(choices, ", ")) {
		return 0
	}
	i := slices.Index(choices, n.Value)
	if i < 0 {
		n.fail(CodeChoice, suggestChoice(n.src, n.Value, choices), "%s cannot be %q", key, n.Value)
		return 0
	}
	return i
}

// prose reads text for people under a key that may be missing.
func (f *fields) prose(key string) string {
	n, found := f.get(key)
	if !found || !n.scalar("text") {
		return ""
	}
	return strings.TrimSpace(n.Value)
}

// name reads the name under a key, without expressions.
func (f *fields) name(key, hint string) (node, bool) {
	n, found := f.need(key, hint)
	return n, found && n.scalar("a name")
}

var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{0,63}$`)

// named checks a name that the pipeline gives to something.
func (n node) named(what string, allowed *regexp.Regexp, letters string) bool {
	if !allowed.MatchString(n.Value) {
		n.fail(CodeName, fmt.Sprintf("use up to 64 %s, beginning with a letter", letters), "%q cannot be the name of %s", n.Value, what)
		return false
	}
	return !n.ambiguous("the name of " + what)
}

// namedPlainly checks a name of letters, digits, _ and -.
func (n node) namedPlainly(what string) bool {
	return n.named(what, plainName, "letters, digits, _ and -")
}
