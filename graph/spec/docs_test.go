package spec

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

const languageDoc = "../../docs/pipeline-language.md"

// A fence is a block of code in Markdown.
type fence struct {
	info, text string
	line       int
}

func fences(t *testing.T, text string) []fence {
	t.Helper()
	var all []fence
	var open *fence
	for i, line := range strings.Split(text, "\n") {
		switch {
		case open != nil && line == "```":
			all = append(all, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		case strings.HasPrefix(line, "```"):
			open = &fence{info: strings.TrimPrefix(line, "```"), line: i + 1}
		}
	}
	require.Nil(t, open, "a fence is not closed")
	return all
}

// A yaml fence is a pipeline that loads, a yaml fragment is YAML, and a text fence after a yaml broken one is its errors.
func TestExamplesOfTheDocument(t *testing.T) {
	text, err := os.ReadFile(languageDoc)
	require.NoError(t, err)
	seen := map[string]int{}
	broken := ""
	for _, f := range fences(t, string(text)) {
		seen[f.info]++
		at := fmt.Sprintf("%s:%d", languageDoc, f.line)
		switch f.info {
		case "yaml":
			_, err := Load(at, []byte(f.text), photoKinds(t), nil)
			require.NoError(t, err)
			assert.NoError(t, resolvedSchema(t).Validate(instance(t, []byte(f.text))), at)
		case "yaml fragment":
			require.NoError(t, yaml.Unmarshal([]byte(f.text), new(any)), at)
		case "yaml broken":
			_, err := Load("pipeline.yaml", []byte(f.text), photoKinds(t), nil)
			require.Error(t, err, at)
			broken = err.Error() + "\n"
		case "text":
			assert.Equal(t, broken, f.text, at)
		}
	}
	assert.GreaterOrEqual(t, seen["yaml"], 5)
	assert.Equal(t, seen["yaml broken"], seen["text"])
}

var codeRow = regexp.MustCompile(`(?m)^\| (E\d+) \| (.*) \|$`)

func TestDocumentListsEveryCode(t *testing.T) {
	text, err := os.ReadFile(languageDoc)
	require.NoError(t, err)
	listed := map[Code]string{}
	var order []Code
	for _, row := range codeRow.FindAllStringSubmatch(string(text), -1) {
		listed[Code(row[1])] = row[2]
		order = append(order, Code(row[1]))
	}
	assert.True(t, slices.IsSorted(order))
	if !assert.Equal(t, meanings, listed) {
		for _, code := range slices.Sorted(maps.Keys(meanings)) {
			t.Logf("| %s | %s |", code, meanings[code])
		}
	}
}

func TestEveryCodeHasAMeaning(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "codes.go", nil, 0)
	require.NoError(t, err)
	seen := map[Code]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, constant := n.(*ast.ValueSpec)
		if !constant || spec.Type == nil || len(spec.Values) == 0 {
			return true
		}
		literal, isLiteral := spec.Values[0].(*ast.BasicLit)
		if !isLiteral {
			return true
		}
		value, err := strconv.Unquote(literal.Value)
		require.NoError(t, err)
		assert.False(t, seen[Code(value)], "two constants are %s", value)
		seen[Code(value)] = true
		assert.NotEmpty(t, Code(value).Meaning(), value)
		return true
	})
	assert.Len(t, seen, len(meanings))
}
