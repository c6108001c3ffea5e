package witness

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"
)

// A token of a JSON document.
type token struct {
	kind byte   // one of { } [ ] : , or " for a string, n for a number, w for true, false and null
	text string // of a string without quotes and escapes, of all others as it stands
}

// A scanner reads a document token by token and holds no more of it than one, which is bounded: encoding/json would hold all
// of a string, however long.
type scanner struct {
	from *bufio.Reader
	raw  []byte
}

// longestToken is the most bytes that a number or a string has in the document. An escaped character takes six.
const longestToken = 6 * longestNumber

func newScanner(from io.Reader) *scanner { return &scanner{from: bufio.NewReaderSize(from, 1<<16)} }

// next gives the next token; io.EOF where there is none.
func (s *scanner) next() (token, error) {
	c, err := s.skipSpace()
	if err != nil {
		return token{}, err
	}
	switch c {
	case '{', '}', '[', ']', ':', ',':
		return token{kind: c}, nil
	case '"':
		return s.quoted()
	}
	return s.bare(c)
}

func (s *scanner) skipSpace() (byte, error) {
	for {
		c, err := s.from.ReadByte()
		if err != nil || !isSpace(c) {
			return c, err
		}
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// quoted reads the rest of a string.
func (s *scanner) quoted() (token, error) {
	s.raw = append(s.raw[:0], '"')
	for escaped := false; len(s.raw) <= longestToken; {
		c, err := s.from.ReadByte()
		if err != nil {
			return token{}, inside(err)
		}
		s.raw = append(s.raw, c)
		if c == '"' && !escaped {
			var text string
			if err := json.Unmarshal(s.raw, &text); err != nil {
				return token{}, badInput("%.40q: %w", s.raw, err)
			}
			return token{'"', text}, nil
		}
		escaped = c == '\\' && !escaped
	}
	return token{}, badInput("%.40q...: a name or number has at most %d bytes", s.raw, longestToken)
}

// bare reads the rest of a number, or of true, false or null: as far as there is no space and no punctuation.
func (s *scanner) bare(first byte) (token, error) {
	s.raw = append(s.raw[:0], first)
	for len(s.raw) <= longestToken {
		c, err := s.from.Peek(1)
		if err != nil && err != io.EOF {
			return token{}, err
		}
		if err == io.EOF || endsBare(c[0]) {
			return bareToken(s.raw)
		}
		s.raw = append(s.raw, c[0])
		s.from.Discard(1)
	}
	return token{}, badInput("%.40q...: a number has at most %d bytes", s.raw, longestToken)
}

func endsBare(c byte) bool { return isSpace(c) || strings.IndexByte(`{}[]:,"`, c) >= 0 }

func bareToken(raw []byte) (token, error) {
	if !json.Valid(raw) {
		return token{}, badInput("%.40q is no number", raw)
	}
	if c := raw[0]; c == '-' || '0' <= c && c <= '9' {
		return token{'n', string(raw)}, nil
	}
	return token{'w', string(raw)}, nil
}

// inside is an error within a token, where the document cannot end.
func inside(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
