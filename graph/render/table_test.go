package render

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func report() *Table {
	t := &Table{Columns: []Column{{Title: "stage"}, {Title: "busy", Right: true}, {Title: "peak", Right: true}}}
	t.Add("synthesize", "12.4 s", "12 GiB")
	t.Add("日本", "3.1 s", "512 MiB")
	t.Add("a\nb\x1b[31m")
	t.Add("one", "two", "three", "too many")
	t.Foot("total", "15.5 s", "12.5 GiB")
	t.Note("a note that is longer than the table, which stays as narrow as its cells")
	return t
}

func TestTable(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, report().Write(&b))
	assert.Equal(t, `stage         busy      peak
────────────────────────────
synthesize  12.4 s    12 GiB
日本         3.1 s   512 MiB
a b [31m
one            two     three
────────────────────────────
total       15.5 s  12.5 GiB
a note that is longer than the table, which stays as narrow as its cells
`, b.String())
}

func TestTableInColor(t *testing.T) {
	table := report()
	table.Color = true
	var b bytes.Buffer
	require.NoError(t, table.Write(&b))
	assert.Contains(t, b.String(), "\x1b[1mstage         busy      peak\x1b[0m\n")
	assert.Contains(t, b.String(), "\x1b[1mtotal")
	assert.Contains(t, b.String(), "\nsynthesize", "rows are not bold")
}

func TestColorAllowed(t *testing.T) {
	for _, c := range []struct {
		name      string
		terminal  bool
		variables map[string]string
		want      bool
	}{
		{"a terminal", true, nil, true},
		{"a file", false, nil, false},
		{"NO_COLOR", true, map[string]string{"NO_COLOR": "1"}, false},
		{"a dumb terminal", true, map[string]string{"TERM": "dumb"}, false},
	} {
		got := ColorAllowed(c.terminal, func(name string) string { return c.variables[name] })
		assert.Equal(t, c.want, got, c.name)
	}
}
