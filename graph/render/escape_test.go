package render

import (
	"bytes"
	"encoding/xml"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/spec"
)

// hostile are names that mean something in one of the languages written here.
var hostile = []string{
	"end", "subgraph", "graph", "a\"b", `a\`, `\N`, "<script>alert(1)</script>", "&lt;", "]]>", "a;b", "a-->b", "%%{init: {}}%%",
	"style:#f00;", "`*md*`", "---\ntitle: x", "\x00\x1b[31m", "\xff\xfe", "日本語の名前", strings.Repeat("w", 300), "#quot;", "",
}

// named is a pipeline with the same text everywhere that a person can write one.
func named(name string) *spec.Pipeline {
	b := build(name, name)
	b.Pools[0].Name = name
	b.Resources = []spec.Resource{{Name: name, Count: 1}}
	b = b.class("c", 0).stage("s", name, using(0)).stage("t", name, pendingBeside(1)).edge("s.p", "t.p", name, "c", 1, 1)
	b.Classes[0].Name, b.Stages[0].Name, b.Stages[1].Name = name, name, name
	b.Stages[0].Outputs[0].Port.Name = name
	b.Edges[0].FromName, b.Edges[0].ToName = name, name
	return b.Pipeline
}

func TestHostileNames(t *testing.T) {
	for _, name := range hostile {
		outputsAreSafe(t, named(name))
	}
}

func FuzzNames(f *testing.F) {
	for _, name := range hostile {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) { outputsAreSafe(t, named(name)) })
}

func outputsAreSafe(t *testing.T, p *spec.Pipeline) {
	var svg, dot, mermaid, text bytes.Buffer
	require.NoError(t, SVG(&svg, p, Options{}))
	require.NoError(t, DOT(&dot, p, Options{}))
	require.NoError(t, Mermaid(&mermaid, p, Options{}))
	require.NoError(t, Text(&text, p))
	for element := range xmlElements(t, svg.Bytes()) {
		assert.Contains(t, []string{"svg", "title", "desc", "style", "rect", "g", "path", "text", "circle"}, element)
	}
	x := named("x")
	assert.Equal(t, outsideQuotes(t, DOT, x), outsideQuotes(t, DOT, p), "a name stays in its quotes")
	assert.Equal(t, outsideQuotes(t, Mermaid, x), outsideQuotes(t, Mermaid, p), "a name stays in its quotes")
	for _, out := range []string{svg.String(), dot.String(), mermaid.String(), text.String()} {
		assert.True(t, utf8.ValidString(out))
		assert.NotContains(t, out, "\x1b")
		assert.NotContains(t, out, "\x00")
	}
}

// quoted is a string of DOT or Mermaid; in the labels of Mermaid a backslash means nothing, and none is written.
var quoted = regexp.MustCompile(`"(\\.|[^"\\])*"`)

func outsideQuotes(t *testing.T, write func(io.Writer, *spec.Pipeline, Options) error, p *spec.Pipeline) string {
	var b bytes.Buffer
	require.NoError(t, write(&b, p, Options{}))
	return quoted.ReplaceAllString(b.String(), `""`)
}

// xmlElements counts the elements of a well-formed document.
func xmlElements(t *testing.T, document []byte) map[string]int {
	counts := map[string]int{}
	decoder := xml.NewDecoder(bytes.NewReader(document))
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return counts
		}
		require.NoError(t, err)
		if start, ok := token.(xml.StartElement); ok {
			counts[start.Name.Local]++
		}
	}
}

func TestPicturesAreWellFormed(t *testing.T) {
	for _, c := range cases {
		elements := xmlElements(t, func() []byte {
			var b bytes.Buffer
			require.NoError(t, SVG(&b, c.pipeline, c.options))
			return b.Bytes()
		}())
		assert.Equal(t, 1, elements["svg"], c.name)
		assert.Zero(t, elements["script"]+elements["image"]+elements["foreignObject"], c.name)
	}
}
