package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// An Error is one thing that is wrong with a pipeline, and its place.
type Error struct {
	File      string // as given to Load; "--set" for an override
	Pos       Pos
	EndColumn int // the column after the last that is wrong, on the same line
	Code      Code
	Message   string
	Hint      string // how to mend it; may be empty
	Line      string // the text of the line
}

// Errors are all the things that are wrong with a pipeline, in the order of their places.
type Errors []*Error

// Error gives all errors, each as Error.Error does, separated by newlines.
func (e Errors) Error() string {
	texts := make([]string, len(e))
	for i, one := range e {
		texts[i] = one.Error()
	}
	return strings.Join(texts, "\n")
}

// Unwrap gives the single errors to errors.As and errors.Is.
func (e Errors) Unwrap() []error {
	all := make([]error, len(e))
	for i, one := range e {
		all[i] = one
	}
	return all
}

// Error gives "file:line:col: error[CODE]: message", the line with the wrong part underlined, and the hint.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d:%d: error[%s]: %s", e.File, e.Pos.Line, e.Pos.Column, e.Code, e.Message)
	if strings.TrimSpace(e.Line) != "" {
		line, under := e.excerpt()
		fmt.Fprintf(&b, "\n  %s\n  %s", line, under)
	}
	if e.Hint != "" {
		fmt.Fprintf(&b, "\n  hint: %s", e.Hint)
	}
	return b.String()
}

// excerptWidth bounds what is shown of a long line.
const excerptWidth = 120

// excerpt gives the part of the line around the error, safe to print on a terminal, and the carets that go under it.
func (e *Error) excerpt() (line, under string) {
	runes := []rune(e.Line)
	start := min(e.Pos.Column-1, len(runes))
	end := max(start+1, min(e.EndColumn-1, len(runes)))
	from := max(0, min(start-excerptWidth/3, len(runes)-excerptWidth))
	to := min(len(runes), from+excerptWidth)
	shown := make([]rune, 0, to-from)
	blank := make([]rune, 0, start-from)
	for i, r := range runes[from:to] {
		if r != '\t' && !unicode.IsPrint(r) {
			r = unicode.ReplacementChar
		}
		shown = append(shown, r)
		if from+i < start {
			blank = append(blank, blankFor(r))
		}
	}
	carets := max(1, min(end, to)-start)
	return strings.TrimRight(string(shown), " \t"), string(blank) + strings.Repeat("^", carets)
}

// blankFor keeps tabs, so that carets stand under the text whatever a tab's width.
func blankFor(r rune) rune {
	if r == '\t' {
		return r
	}
	return ' '
}

// maxErrors bounds what one Load reports.
const maxErrors = 100

// sorted orders errors by place and bounds their number.
func (e Errors) sorted() Errors {
	slices.SortStableFunc(e, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column))
	})
	if len(e) <= maxErrors {
		return e
	}
	last := *e[maxErrors]
	last.Code, last.Hint, last.Line = CodeTooMany, "", ""
	last.Message = fmt.Sprintf("%d more errors follow", len(e)-maxErrors)
	return append(e[:maxErrors:maxErrors], &last)
}
