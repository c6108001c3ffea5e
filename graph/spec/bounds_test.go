package spec

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/stage"
)

func errorsOf(t testing.TB, text string) Errors {
	t.Helper()
	_, err := Loader{Registry: photoKinds(t), Cores: 4}.Load("test.yaml", []byte(text))
	var all Errors
	require.ErrorAs(t, err, &all)
	return all
}

func TestHostileFilesAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		code Code
	}{
		"huge":             {"pipeline: a\n#" + strings.Repeat("x", maxFile), CodeTooLarge},
		"deep lists":       {"pipeline: " + strings.Repeat("[", 500) + strings.Repeat("]", 500), CodeTooLarge},
		"deeper lists":     {"pipeline: " + strings.Repeat("[", 100_000), CodeSyntax},
		"deep mappings":    {strings.Repeat("{a: ", 50) + "b" + strings.Repeat("}", 50), CodeTooLarge},
		"many stages":      {"pipeline: a\nstages: {" + repeated(maxEntries+1, "s%d: {}") + "}", CodeTooLarge},
		"billion laughs":   {laughs(), CodeFeature},
		"alias of itself":  {"pipeline: &a [*a]", CodeFeature},
		"unknown alias":    {"pipeline: *a", CodeSyntax},
		"not UTF-8":        {"pipeline: \xff\xfe", CodeSyntax},
		"control":          {"pipeline: \x01", CodeSyntax},
		"a list":           {"[pipeline]", CodeShape},
		"a word":           {"pipeline", CodeShape},
		"nothing":          {"", CodeMissing},
		"long expression":  {"pipeline: a\nstages: {}\nparams: {a: {default: \"${" + strings.Repeat("1+", 3000) + "1}\"}}", CodeExpression},
		"deep expression":  {"pipeline: a\nstages: {}\nparams: {a: {default: \"${" + strings.Repeat("(", 300) + "}\"}}", CodeExpression},
		"long name":        {"pipeline: " + strings.Repeat("a", 65) + "\nstages: {}", CodeName},
		"long digits":      {"pipeline: a\nstages: {}\nresources: {a: " + strings.Repeat("9", 100) + "}", CodeOverflow},
		"tag of a binary":  {"pipeline: !!binary aGVsbG8=\nstages: {}", CodeFeature},
		"mapping as a key": {"pipeline: a\nstages:\n  ? {a: b}\n  : c\n", CodeShape},
	} {
		t.Run(name, func(t *testing.T) {
			all := errorsOf(t, c.text)
			assert.Equal(t, c.code, all[0].Code, all.Error())
			assert.Less(t, len(all.Error()), 100_000)
		})
	}
}

func repeated(n int, format string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(parts, ", ")
}

func laughs() string {
	var b strings.Builder
	b.WriteString("a0: &a0 [lol]\n")
	for i := 1; i < 30; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [*a%d, *a%d]\n", i, i, i-1, i-1)
	}
	return b.String()
}

func TestManyErrorsAreCut(t *testing.T) {
	all := errorsOf(t, "pipeline: a\nstages: {}\n"+strings.ReplaceAll(repeated(1000, "key%d: 1"), ", ", "\n"))
	require.Len(t, all, maxErrors+1)
	assert.Equal(t, CodeTooMany, all[maxErrors].Code)
	assert.Equal(t, "900 more errors follow", all[maxErrors].Message)
	assert.Equal(t, "key99", all[99].Line[:5])
}

func TestManyCirclesEnd(t *testing.T) {
	stages := repeated(500, "s%d: { kind: photo.scale, width: 1 }")
	edges := strings.ReplaceAll(repeated(500, "{ from: s%[1]d; to: s%[1]d; capacity: 1 }"), ";", ",")
	all := errorsOf(t, "pipeline: a\nstages: { "+stages+" }\nedges: [ "+edges+" ]")
	assert.Equal(t, CodeCycle, all[0].Code)
	assert.LessOrEqual(t, len(all), maxErrors+1)
}

// A long chain of parameters and of stages is neither deep recursion nor slow.
func TestLongChains(t *testing.T) {
	var params, stages, edges strings.Builder
	n := 3000
	for i := range n {
		fmt.Fprintf(&params, "  p%d: { default: \"${p%d + 1}\" }\n", i, i+1)
		fmt.Fprintf(&stages, "  s%d: { kind: photo.scale, width: 1 }\n", i)
		fmt.Fprintf(&edges, "  - { from: s%d, to: s%d, capacity: 1 }\n", i+1, i)
	}
	text := fmt.Sprintf("pipeline: a\nparams:\n%s  p%d: { default: 0 }\nstages:\n%s  s%d: { kind: photo.decode, threads: \"${p0}\" }\n"+
		"  read: { kind: photo.read }\n", params.String(), n, stages.String(), n)
	text += "edges:\n" + strings.ReplaceAll(edges.String(), "capacity: 1", "capacity: 1, bytes: 1%") +
		fmt.Sprintf("  - { from: read, to: s%d, capacity: 1, bytes: 1%% }\n", n) +
		"pools: { host: { limit: auto } }\nbuffers: { file: { pool: host }, pixels: { pool: host }, tables: { pool: host } }\n"
	p, err := Load("chain.yaml", []byte(text), photoKinds(t), nil)
	require.NoError(t, err)
	assertConsistent(t, p)
	assert.Equal(t, n, p.stageNamed(fmt.Sprintf("s%d", n)).Threads)
	assert.Equal(t, "pixels(space=rgb)", p.stageNamed("s0").Outputs[0].Type.String())
}

func TestKindsThatAreDeclaredWrongly(t *testing.T) {
	port := func(name, takes string) stage.Port {
		return stage.Port{Name: name, Type: stage.T("x"), Takes: takes}
	}
	for want, k := range map[string]stage.Kind{
		"has the name of a key":      {Options: []stage.Option{{Name: "workers", Type: stage.Int}}},
		"cannot write":               {Options: []stage.Option{{Name: "a.b", Type: stage.Int}}},
		"unknown type":               {Options: []stage.Option{{Name: "a", Type: "float"}}},
		"required and has a default": {Options: []stage.Option{{Name: "a", Type: stage.Int, Required: true, Default: "1"}}},
		"cannot be read":             {Options: []stage.Option{{Name: "a", Type: stage.Size, Default: "1 MiB"}}},
		"outside of its bounds":      {Options: []stage.Option{{Name: "a", Type: stage.Int, Default: "9", Max: 8}}},
		"not true or false":          {Options: []stage.Option{{Name: "a", Type: stage.Bool, Default: "yes"}}},
		"not among its values":       {Options: []stage.Option{{Name: "a", Type: stage.String, Default: "z", Enum: []string{"x"}}}},
		"is declared twice":          {Inputs: []stage.Port{port("a", ""), port("a", "")}},
		`output "a" of kind "bad.kind" is declared twice`: {Outputs: []stage.Port{port("a", ""), port("a", "")}},
		"which there is not":                              {Outputs: []stage.Port{port("a", "b")}},
		"which another output takes":                      {Inputs: []stage.Port{port("i", "")}, Outputs: []stage.Port{port("a", "i"), port("b", "i")}},
		"without a type":                                  {Outputs: []stage.Port{{Name: "a"}}},
		"name that a pipeline cannot":                     {Inputs: []stage.Port{port("a.b", "")}},
	} {
		t.Run(want, func(t *testing.T) {
			k.Name, k.New = "bad.kind", idle
			require.ErrorContains(t, CheckKind(&k), want)
			registry, err := stage.NewRegistry(&k)
			require.NoError(t, err)
			_, err = Load("x.yaml", []byte("pipeline: a\nstages: { s: { kind: bad.kind } }"), registry, nil)
			var all Errors
			require.ErrorAs(t, err, &all)
			assert.Equal(t, CodeKind, all[0].Code)
		})
	}
}

func TestKindsOfTheseTestsAreSound(t *testing.T) {
	registry := photoKinds(t)
	for _, name := range registry.Names() {
		require.NoError(t, CheckKind(registry.Find(name)))
	}
}

func TestErrorsAreErrors(t *testing.T) {
	_, err := Load("x.yaml", []byte("pipeline: a"), photoKinds(t), nil)
	var one *Error
	require.ErrorAs(t, fmt.Errorf("load: %w", err), &one)
	assert.Equal(t, CodeMissing, one.Code)
	assert.False(t, errors.Is(err, context.Canceled))
}

func TestExcerpts(t *testing.T) {
	e := Error{File: "f", Pos: Pos{3, 3}, EndColumn: 5, Code: CodeSyntax, Message: "m", Line: "\tabc\x1b[31m"}
	assert.Equal(t, "f:3:3: error[E100]: m\n  \tabc\uFFFD[31m\n  \t ^^", e.Error())
	e.Line, e.Pos.Column, e.EndColumn = strings.Repeat("é", 500), 300, 400
	lines := strings.Split(e.Error(), "\n")
	assert.Equal(t, excerptWidth+2, len([]rune(lines[1])))
	assert.Equal(t, 40+2, strings.Index(lines[2], "^"))
	assert.Equal(t, excerptWidth+2, len(lines[2]))
	e.Line, e.Pos.Column, e.EndColumn = "short", 99, 120
	assert.Equal(t, "  short\n       ^", strings.SplitN(e.Error(), "\n", 2)[1])
}

func TestColumnsCountCharacters(t *testing.T) {
	all := errorsOf(t, "pipeline: a\ndoc: é\nstages: { ä: {}, \"ö\": { x: 1 }, s: { kind: ü } }\n")
	var columns []int
	for _, e := range all {
		columns = append(columns, e.Pos.Column)
	}
	assert.Equal(t, []int{11, 11, 18, 18, 44}, columns, all.Error())
}

func FuzzLoad(f *testing.F) {
	for _, pattern := range []string{"testdata/*.yaml", "testdata/errors/*.yaml"} {
		files, err := filepath.Glob(pattern)
		require.NoError(f, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(f, err)
			f.Add(text, "decoders=3")
		}
	}
	registry, schema := photoKinds(f), resolvedSchema(f)
	f.Fuzz(func(t *testing.T, text []byte, override string) {
		p, err := Loader{Registry: registry, Cores: 4, Overrides: []string{override}}.Load("fuzz.yaml", text)
		if err == nil {
			assertConsistent(t, p)
			if value, err := jsonValue(text); err == nil {
				require.NoError(t, schema.Validate(value))
			}
			return
		}
		var all Errors
		require.ErrorAs(t, err, &all)
		for _, e := range all {
			require.NotEmpty(t, e.Code.Meaning())
			require.Positive(t, e.Pos.Line)
			require.Greater(t, e.EndColumn, e.Pos.Column)
			require.NotContains(t, e.Error(), "\x1b")
		}
	})
}
