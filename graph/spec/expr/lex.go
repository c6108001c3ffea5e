package expr

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

type tokenKind int

const (
	endToken tokenKind = iota
	numberToken
	nameToken
	signToken // one of + - * / % ( ) ,
)

// A token is a piece of an expression, from start to end in the whole text.
type token struct {
	kind       tokenKind
	text       string
	value      int64
	start, end int
}

// A lexer cuts text[at:limit] into tokens.
type lexer struct {
	text      string
	at, limit int
}

func (l *lexer) next() (token, error) {
	for l.at < l.limit && strings.IndexByte(" \t\r\n", l.text[l.at]) >= 0 {
		l.at++
	}
	if l.at == l.limit {
		return token{kind: endToken, start: l.limit, end: l.limit}, nil
	}
	switch c := l.text[l.at]; {
	case isDigit(c):
		return l.number()
	case isLetter(c):
		return l.take(nameToken, l.run(func(c byte) bool { return isLetter(c) || isDigit(c) })), nil
	case strings.IndexByte("+-*/%(),", c) >= 0:
		return l.take(signToken, 1), nil
	}
	_, width := utf8.DecodeRuneInString(l.text[l.at:l.limit])
	t := l.take(signToken, width)
	return t, &Error{Syntax, t.start, t.end, fmt.Sprintf("unexpected %q", t.text),
		"an expression has integers, sizes, names, + - * / % ( ), min and max"}
}

func (l *lexer) number() (token, error) {
	t := l.take(numberToken, l.run(func(c byte) bool { return isLetter(c) || isDigit(c) || c == '.' }))
	value, _, err := parseNumber(t.text, false, t.start)
	t.value = value
	return t, err
}

// run counts the bytes from here on that belong.
func (l *lexer) run(belongs func(byte) bool) int {
	end := l.at
	for end < l.limit && belongs(l.text[end]) {
		end++
	}
	return end - l.at
}

func (l *lexer) take(kind tokenKind, width int) token {
	start := l.at
	l.at += width
	return token{kind: kind, text: l.text[start:l.at], start: start, end: l.at}
}
