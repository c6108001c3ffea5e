package expr

import (
	"strconv"
	"strings"
)

// A Text is a value as a pipeline writes it: characters, with the value of an expression wherever ${...} stands.
// "$${" stands for the characters "${".
type Text struct {
	parts []part
}

// A part is either characters or an expression.
type part struct {
	characters string
	expression *Expr
}

// ParseText reads a value. Errors are of type *Error.
func ParseText(text string) (*Text, error) {
	t := &Text{}
	for at := 0; at < len(text); {
		start := strings.Index(text[at:], "${")
		if start < 0 {
			t.add(text[at:])
			break
		}
		start += at
		if start > at && text[start-1] == '$' {
			t.add(text[at:start-1] + "${")
			at = start + 2
			continue
		}
		t.add(text[at:start])
		end := strings.IndexByte(text[start:], '}')
		if end < 0 {
			return nil, &Error{Syntax, start, len(text), "${ is not closed", `write } after the expression, or $${ for the characters "${"`}
		}
		expression, err := parse(text, start+2, start+end)
		if err != nil {
			return nil, err
		}
		t.parts = append(t.parts, part{expression: expression})
		at = start + end + 1
	}
	return t, nil
}

func (t *Text) add(characters string) {
	if characters != "" {
		t.parts = append(t.parts, part{characters: characters})
	}
}

// References lists the names that the expressions use, in the order they are written.
func (t *Text) References() []Reference {
	var all []Reference
	for _, p := range t.parts {
		if p.expression != nil {
			all = append(all, p.expression.References()...)
		}
	}
	return all
}

// Computed reports whether there is an expression in the text.
func (t *Text) Computed() bool {
	for _, p := range t.parts {
		if p.expression != nil {
			return true
		}
	}
	return false
}

// Eval gives the text with the decimal value of each expression in its place.
func (t *Text) Eval(resolve Resolver) (string, error) {
	var b strings.Builder
	for _, p := range t.parts {
		if p.expression == nil {
			b.WriteString(p.characters)
			continue
		}
		value, err := p.expression.Eval(resolve)
		if err != nil {
			return "", err
		}
		b.WriteString(strconv.FormatInt(value, 10))
	}
	return b.String(), nil
}
