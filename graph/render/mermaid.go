package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/proofgraph/proofgraph/graph/spec"
)

// Mermaid writes the pipeline as a Mermaid flowchart, as Markdown on many sites shows it, with the budgets on the edges
// and the pools in a note. Nodes are called s0, s1, ...: no name can be taken for a word of the language.
func Mermaid(w io.Writer, p *spec.Pipeline, o Options) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "---\ntitle: %s\n---\nflowchart %s\n", yamlString(p.Name), strings.Replace(rankdir(o.Direction), "TB", "TD", 1))
	for i, s := range p.Stages {
		opening, closing := "(", ")"
		if s.Async {
			opening, closing = "[[", "]]"
		}
		fmt.Fprintf(&b, "  s%d%s%s%s\n", i, opening, mermaidString(stageLines(p, o, i)...), closing)
	}
	for i, e := range p.Edges {
		fmt.Fprintf(&b, "  s%d %s|%s| s%d\n", e.From, mermaidArrow(p.Stages[e.From]), mermaidString(edgeLines(p, o, i)...), e.To)
	}
	if lines := poolLines(p, o); len(lines) > 0 {
		fmt.Fprintf(&b, "  pools[/%s/]\n", mermaidString(lines...))
	}
	for i, e := range p.Edges {
		fmt.Fprintf(&b, "  linkStyle %d stroke:%s\n", i, colorOf(classOf(p, e)).light)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func mermaidArrow(s spec.Stage) string {
	if s.Async {
		return "-.->"
	}
	return "-->"
}

// mermaidString quotes lines as one label. Everything but letters, digits and a few signs that mean nothing to Mermaid is
// written as a numbered entity: its grammar has no other escape, and directives and styles are cut out of the text
// before it is parsed.
func mermaidString(lines ...string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i, line := range lines {
		if i > 0 {
			b.WriteString("<br/>")
		}
		for _, r := range oneLine(line) {
			if plainInMermaid(r) {
				b.WriteRune(r)
				continue
			}
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func plainInMermaid(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(" _.,·×−…", r)
}

// yamlString gives a text as a JSON string, which YAML reads as well; '%' may not begin a directive of Mermaid's.
func yamlString(s string) string {
	quoted, err := json.Marshal(oneLine(s))
	if err != nil { // cannot be: a string always has a JSON form
		return `""`
	}
	return strings.ReplaceAll(string(quoted), "%", `\u0025`)
}
