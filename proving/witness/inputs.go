package witness

import (
	"cmp"
	"fmt"
	"io"
	"math/big"
	"strings"
)

// What bounds a document, so that it takes little memory however long it is: every value in a deep object has the whole way
// to it in its name.
const (
	longestNumber = 1 << 12 // characters
	longestName   = 1 << 10 // bytes, fields and indices and all
	deepest       = 64      // objects and arrays in each other
)

// readInputs reads an input.json and gives its values one by one, in the order of the document, each with the name of its
// signal; x is used again for the next. A document is an object of numbers, strings of numbers (decimal, or with 0x, 0o or
// 0b), and nested arrays and objects of them. The elements of an array follow each other under one name, row by row; the
// fields of a bus are named like point.x, its elements in an array like points[2].x. What is no whole number is refused by
// its name. Of the document no more is held than a token.
func readInputs(from io.Reader, value func(name string, x *big.Int) error) error {
	w := &walk{scanner: newScanner(from), value: value}
	switch t, err := w.must(); {
	case err != nil:
		return err
	case t.kind != '{':
		return badInput("the document is no object")
	}
	if err := w.object(); err != nil {
		return err
	}
	if _, err := w.next(); err != io.EOF {
		return badInput("something follows the object of inputs")
	}
	return nil
}

func badInput(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrInput, fmt.Errorf(format, args...))
}

// walk is a way through a document.
type walk struct {
	*scanner
	value  func(name string, x *big.Int) error
	within []step
	name   string // of the last value
	buffer []byte // for the next name
	number big.Int
}

// step is an object or an array that the walk is in.
type step struct {
	field string // of an object
	array order  // none for an object
	index int    // of an array's element
}

// order says whether the elements of an array have names of their own. Its first value tells, however deep that lies: where
// that is an object, the element's index goes into the names of its fields.
type order byte

const (
	none order = iota
	open       // nothing has come yet
	plain
	indexed
)

// must gives the next token where the document cannot end.
func (w *walk) must() (token, error) {
	t, err := w.next()
	return t, w.early(err)
}

// early is an error where the document cannot end.
func (w *walk) early(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return badInput("%w", io.ErrUnexpectedEOF)
	}
	return err
}

// read reads a value that begins with a token.
func (w *walk) read(t token) error {
	switch t.kind {
	case '{':
		return w.object()
	case '[':
		return w.array()
	case 'n', '"':
		w.settle(plain)
		return w.take(t.text)
	case 'w':
		return badInput("input %q: %s is no number", w.path(), t.text)
	}
	return badInput("%c begins no value", t.kind)
}

// object reads the rest of an object.
func (w *walk) object() error {
	w.settle(indexed)
	return w.each('}', step{}, func(at *step, t token) error {
		if t.kind != '"' {
			return badInput("a field begins with its name, and not with %c", t.kind)
		}
		at.field = t.text
		if t, err := w.must(); err != nil || t.kind != ':' {
			return cmp.Or(err, badInput("field %.40q wants a colon", at.field))
		}
		t, err := w.must()
		if err != nil {
			return err
		}
		return w.read(t)
	})
}

// array reads the rest of an array.
func (w *walk) array() error {
	return w.each(']', step{array: open, index: -1}, func(at *step, t token) error {
		at.index++
		return w.read(t)
	})
}

// each reads what follows the beginning of an object or array up to its end: member reads one of its members, which begins
// with a token and stands at the step.
func (w *walk) each(end byte, at step, member func(at *step, t token) error) error {
	if len(w.within) == deepest {
		return w.tooDeep()
	}
	w.within = append(w.within, at)
	top := len(w.within) - 1
	defer func() { w.within = w.within[:top] }()
	t, err := w.must()
	if err == nil && t.kind == end {
		w.settle(plain)
		return nil
	}
	for ; err == nil; t, err = w.must() {
		if err := member(&w.within[top], t); err != nil {
			return err
		}
		switch t, err := w.must(); {
		case err != nil:
			return err
		case t.kind == end:
			return nil
		case t.kind != ',':
			return badInput("%c follows %.40q, where a comma or %c belongs", t.kind, w.path(), end)
		}
	}
	return err
}

// settle tells the innermost arrays of which nothing has come yet what they are.
func (w *walk) settle(o order) {
	for i := len(w.within) - 1; i >= 0 && w.within[i].array == open; i-- {
		w.within[i].array = o
	}
}

// take gives a number away under its name.
func (w *walk) take(text string) error {
	name := w.path()
	if len(name) > longestName {
		return w.tooDeep()
	}
	if err := parse(&w.number, strings.TrimSpace(text)); err != nil {
		return badInput("input %q: %w", name, err)
	}
	return w.value(name, &w.number)
}

// path is the name of the value that the walk has come to.
func (w *walk) path() string {
	w.buffer = w.buffer[:0]
	for i, s := range w.within {
		switch {
		case s.array == indexed:
			w.buffer = fmt.Appendf(w.buffer, "[%d]", s.index)
		case s.array == none && i > 0:
			w.buffer = append(append(w.buffer, '.'), s.field...)
		case s.array == none:
			w.buffer = append(w.buffer, s.field...)
		}
	}
	if string(w.buffer) != w.name {
		w.name = string(w.buffer)
	}
	return w.name
}

func (w *walk) tooDeep() error {
	return badInput("input %.40q...: a name has at most %d bytes, and values lie at most %d deep", w.path(), longestName, deepest)
}

// parse reads a whole number.
func parse(into *big.Int, text string) error {
	if len(text) > longestNumber {
		return fmt.Errorf("a number of %d characters is too long", len(text))
	}
	if _, ok := into.SetString(text, baseOf(text)); !ok || strings.ContainsRune(text, '_') {
		return fmt.Errorf("%.40q is no whole number", text)
	}
	return nil
}

// baseOf is 0, the base that the prefix tells, for what has one, and else 10, where leading zeros mean nothing.
func baseOf(text string) int {
	digits := strings.TrimPrefix(text, "-")
	if len(digits) > 2 && digits[0] == '0' && strings.ContainsRune("xXoObB", rune(digits[1])) {
		return 0
	}
	return 10
}
