package render

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/spec"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with testdata/name, which -update writes.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got), "see %s; -update writes it anew", path)
}

func TestGolden(t *testing.T) {
	writers := map[string]func(io.Writer, *spec.Pipeline, Options) error{
		"svg": SVG, "dot": DOT, "mmd": Mermaid,
		"txt": func(w io.Writer, p *spec.Pipeline, _ Options) error { return Text(w, p) },
	}
	for _, c := range cases {
		for extension, write := range writers {
			t.Run(c.name+"/"+extension, func(t *testing.T) {
				var first, second bytes.Buffer
				require.NoError(t, write(&first, c.pipeline, c.options))
				require.NoError(t, write(&second, c.pipeline, c.options))
				assert.Equal(t, first.Bytes(), second.Bytes(), "the same pipeline gives the same bytes")
				golden(t, c.name+"."+extension, first.Bytes())
			})
		}
	}
}
