package cli_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cmd/cli"
)

// onTerminal carries out a command line on a terminal that is so wide.
func onTerminal(t *testing.T, columns int, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	app := &cli.App{Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" }, Columns: columns}
	require.Equal(t, done, app.RunContext(context.Background(), args), stderr.String())
	return stdout.String()
}

// requireNarrow requires lines of at most so many columns; examples are as wide as they are.
func requireNarrow(t *testing.T, columns int, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if line = strings.TrimSuffix(line, "\n"); !strings.HasPrefix(line, "  proofgraph ") {
			assert.LessOrEqual(t, utf8.RuneCountInString(line), columns, line)
		}
	}
}

func TestTextFitsTheTerminal(t *testing.T) {
	for _, columns := range []int{80, 110} {
		for _, command := range [][]string{{"stages"}, {"explain", "groth16.msm"}, {"explain", "model.stage"}, {"prove", "--help"}, {"demo", "--help"}, {"plan", "--help"}, {"simulate", "porep", "--profile", "threadripper-7995wx"}} {
			text := onTerminal(t, columns, command...)
			wide := onTerminal(t, 1000, command...)
			assert.Equal(t, words(wide), words(text), "no word is lost, and none moved")
			requireNarrow(t, columns, text)
		}
	}
	assert.Less(t, strings.Count(proofgraph(t, "stages").stdout, "\n"), strings.Count(onTerminal(t, 80, "stages"), "\n"), "what is piped keeps its lines")
}

// words gives those of a text, without rules.
func words(text string) []string { return strings.Fields(strings.ReplaceAll(text, "─", "")) }
