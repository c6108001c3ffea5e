package spec

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// Bounds on a file. They are far beyond any pipeline and keep a hostile one cheap.
const (
	maxFile    = 1 << 20 // bytes
	maxDepth   = 16      // mappings and lists in each other; the language needs 5
	maxEntries = 4096    // of one mapping or list
)

// A source is a text that may have errors in it: the pipeline's file, or one override.
type source struct {
	name   string
	lines  []string
	errors Errors
}

// lineBreaks are what YAML ends a line with.
var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

func newSource(name, text string) *source {
	return &source{name: name, lines: strings.Split(lineBreaks.Replace(text), "\n")}
}

// report adds an error; end is the column after the last that is wrong.
func (s *source) report(pos Pos, end int, code Code, hint, message string) {
	s.errors = append(s.errors, &Error{s.name, pos, max(end, pos.Column+1), code, message, hint, s.line(pos.Line)})
}

func (s *source) line(number int) string {
	if number < 1 || number > len(s.lines) {
		return ""
	}
	return s.lines[number-1]
}

// parse reads a file as one YAML document without the features of YAML that pipelines do without. Where it fails, the
// source has the errors.
func (s *source) parse(text []byte) (node, bool) {
	if len(text) > maxFile {
		s.report(Pos{1, 1}, 2, CodeTooLarge, "", fmt.Sprintf("a pipeline has at most %d bytes, and this file has more", maxFile))
		return node{}, false
	}
	if !utf8.Valid(text) {
		s.report(Pos{1, 1}, 2, CodeSyntax, "save the file as UTF-8", "the file is not UTF-8 text")
		return node{}, false
	}
	documents, err := readDocuments(string(text))
	switch {
	case err != nil:
		s.syntax(err)
	case len(documents) == 0:
		s.report(Pos{1, 1}, 2, CodeMissing, "begin with pipeline: NAME", "the file is empty")
	case len(documents) > 1:
		n := documents[1]
		s.report(Pos{n.Line, n.Column}, 0, CodeFeature, "one file is one pipeline", "a second document begins here")
	default:
		root := node{documents[0].Content[0], s}
		return root, root.plain(0)
	}
	return node{}, false
}

// readDocuments reads the first two documents of a text. A panic of the YAML library becomes an error.
func readDocuments(text string) (documents []*yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	decoder := yaml.NewDecoder(strings.NewReader(text))
	for len(documents) < 2 {
		var n yaml.Node
		if err := decoder.Decode(&n); errors.Is(err, io.EOF) {
			return documents, nil
		} else if err != nil {
			return nil, err
		}
		documents = append(documents, &n)
	}
	return documents, nil
}

var yamlError = regexp.MustCompile(`(?s)^yaml: (?:line (\d+): )?(.*)$`)

// syntax reports an error of the YAML library, which knows the line and no column.
func (s *source) syntax(err error) {
	line, message := 1, err.Error()
	if m := yamlError.FindStringSubmatch(message); m != nil {
		message = m[2]
		if n, err := strconv.Atoi(m[1]); err == nil {
			line = max(1, min(n+late(message), len(s.lines)))
		}
	}
	if strings.HasSuffix(message, "expected key") || strings.HasSuffix(message, "'-' indicator") {
		line = s.breaksAt(message)
	}
	text := s.line(line)
	column := utf8.RuneCountInString(text) - utf8.RuneCountInString(strings.TrimLeft(text, " \t")) + 1
	s.report(Pos{line, column}, utf8.RuneCountInString(text)+1, CodeSyntax, syntaxHint(text, message), message)
}

// breaksAt gives the line at which reading fails with a message. Of a block of lines that goes wrong the YAML library tells
// where the block begins, which may be the first line of the file: so this is the last line of the shortest text that fails
// in the same way.
func (s *source) breaksAt(message string) int {
	return sort.Search(len(s.lines), func(n int) bool {
		_, err := readDocuments(strings.Join(s.lines[:n], "\n"))
		return err != nil && strings.HasSuffix(err.Error(), message)
	})
}

// late is how many lines too early the YAML library puts an error: its parser counts them from 0, its scanner from 1.
func late(message string) int {
	for _, of := range []string{"key", "'-' indicator", "',' or ']'", "',' or '}'", "node content", "<document start>"} {
		if message == "did not find expected "+of {
			return 1
		}
	}
	return 0
}

// bareExpression finds an expression that begins a value without quotes.
var bareExpression = regexp.MustCompile(`[:,\[]\s+\$\{`)

func syntaxHint(line, message string) string {
	switch {
	case strings.HasPrefix(strings.TrimLeft(line, " "), "\t"):
		return "YAML indents with spaces, never with tabs"
	case strings.Contains(message, "mapping values are not allowed"):
		return "the line above may want a colon, or this line another indentation; quote text that has a colon in it"
	case bareExpression.MatchString(line):
		return `put ${...} in quotes: "${n}"; without them, braces mean something else to YAML`
	case strings.HasSuffix(message, "expected key"), strings.HasSuffix(message, "'-' indicator"):
		return "begin this line below the beginning of its neighbours, and look for a missing bracket or quote above"
	case strings.Contains(message, "did not find expected"):
		return "what begins in this line does not go on as it should: look for a missing bracket, quote or comma, or a wrong indentation"
	}
	return ""
}
