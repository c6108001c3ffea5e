package cli_test

import (
	"bytes"
	"encoding/xml"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/pipelines"
)

// checked is what check prints as JSON.
type checked struct {
	Pipeline, Error string
	OK              bool
	Problems        []struct {
		Line, Column        int
		Code, Message, Hint string
	}
	Pools, Edges []struct {
		Name        string
		Limit, Most int64
		One         int64 `json:"one_proof"`
	}
}

func TestCheckEveryPipeline(t *testing.T) {
	for _, name := range pipelines.Names() {
		t.Run(name, func(t *testing.T) {
			got := proofgraph(t, "check", name, "--zkey", golden("bn254", "cells.zkey"), "--memory", "64MiB", "--verbose")
			got.requireEnds(t, done)
			for _, words := range []string{"names, types and budgets agree", "one proof needs", "64 MiB", "→"} {
				assert.Contains(t, got.stdout, words)
			}
			found := decode[[]checked](t, proofgraph(t, "check", name, "--zkey", golden("bls12-381", "cells.zkey"), "--json").stdout)
			require.Len(t, found, 1)
			assert.True(t, found[0].OK)
			for _, e := range found[0].Edges {
				assert.LessOrEqual(t, e.Most, e.Limit, e.Name)
			}
			proofgraph(t, "check", name, "--zkey", golden("bn254", "cells.zkey"), "--memory", "10KiB").
				requireEnds(t, tooLarge, name+" cannot fit", "the least that would do")
		})
	}
}

func TestCheckTellsEveryErrorOfEveryPipeline(t *testing.T) {
	dir := t.TempDir()
	bad := write(t, dir, "bad.yaml", []byte(`pipeline: bad
pools: { host: { limit: 1MiB } }
stages:
  load: { kind: groth16.load_keys }
  ntt: { kind: groth16.ntt, workers: none }
edges:
  - { from: load.key, to: nowhere.key, capacity: 1 }
`))
	got := proofgraph(t, "check", bad, "groth16", filepath.Join(dir, "nowhere.yaml"))
	got.requireEnds(t, invalid, "bad.yaml:4:17: error[", "groth16.load_keys", "^^^", "hint: ", "bad.yaml:5:", "bad.yaml:7:", "there is no file")
	assert.Contains(t, got.stdout, "groth16: 12 stages", "the good one is checked all the same")
	found := decode[[]checked](t, proofgraph(t, "check", "--json", bad, "groth16").stdout)
	assert.False(t, found[0].OK)
	assert.NotEmpty(t, found[0].Error)
	require.NotEmpty(t, found[0].Problems)
	first := found[0].Problems[0]
	assert.Equal(t, []any{4, 17, "E301"}, []any{first.Line, first.Column, first.Code})
	assert.Contains(t, first.Hint, "groth16.load_key")
	assert.True(t, found[1].OK)
}

func TestCheckTellsTheEdgeThatIsTooSmall(t *testing.T) {
	source, _ := pipelines.Read("groth16")
	file := write(t, t.TempDir(), "narrow.yaml", bytes.Replace(source, []byte("bytes: 100%"), []byte("bytes: 100"), 1))
	got := proofgraph(t, "check", file, "--zkey", golden("bn254", "cells.zkey"))
	got.requireEnds(t, tooLarge, "narrow.yaml cannot fit: the edge from synthesize.abc", "give that edge more bytes, in line 70 of "+file)
	assert.Contains(t, proofgraph(t, "check", file).stdout, "with --zkey KEY")
}

func TestAssumedGPUsAreAtLeastOne(t *testing.T) {
	for _, count := range []string{"0", "-1", "two"} {
		proofgraph(t, "check", "groth16", "--device-count", count).requireEnds(t, usage, "how many GPUs there are, from 1 on")
	}
}

func TestCheckSchema(t *testing.T) {
	got := proofgraph(t, "check", "--schema")
	got.requireEnds(t, done)
	assert.Contains(t, decode[map[string]any](t, got.stdout), "properties")
}

func TestMemoryBoundsThePoolHostAlone(t *testing.T) {
	other := write(t, t.TempDir(), "other.yaml", []byte(`pipeline: other
pools: { ram: { limit: 1MiB } }
buffers: { key: { pool: ram, cached: true } }
stages: { load: { kind: groth16.load_key } }
`))
	proofgraph(t, "check", other).requireEnds(t, done)
	proofgraph(t, "check", other, "--memory", "1GiB").requireEnds(t, usage, "pipeline other has none of that name")
}

func TestGraph(t *testing.T) {
	for _, name := range pipelines.Names() {
		t.Run(name, func(t *testing.T) {
			svg := proofgraph(t, "graph", name)
			svg.requireEnds(t, done)
			requireXML(t, svg.stdout)
			dot := proofgraph(t, "graph", name, "--format", "dot", "--direction", "down")
			dot.requireEnds(t, done)
			assert.True(t, strings.HasPrefix(dot.stdout, "digraph"), dot.stdout[:20])
			mermaid := proofgraph(t, "graph", name, "--format", "mermaid")
			mermaid.requireEnds(t, done)
			assert.Contains(t, mermaid.stdout, "flowchart")
			for _, drawing := range []outcome{svg, dot, mermaid} {
				assert.Contains(t, drawing.stdout, "msm_b_g2")
			}
			file := filepath.Join(t.TempDir(), "drawing.svg")
			proofgraph(t, "graph", name, "-o", file).requireEnds(t, done)
			assert.Equal(t, svg.stdout, string(read(t, file)))
		})
	}
	proofgraph(t, "graph", "groth16", "-o", filepath.Join(t.TempDir(), "nowhere", "x.svg")).requireEnds(t, failed, "cannot be written")
	proofgraph(t, "graph", "groth17").requireEnds(t, invalid, `there is no pipeline "groth17"`)
}

func requireXML(t *testing.T, text string) {
	decoder := xml.NewDecoder(strings.NewReader(text))
	for {
		_, err := decoder.Token()
		if err == io.EOF {
			return
		}
		require.NoError(t, err)
	}
}

func TestPipelinesAreListedAndPrinted(t *testing.T) {
	listed := decode[[]struct{ Name, Doc string }](t, proofgraph(t, "pipelines", "--json").stdout)
	table := proofgraph(t, "pipelines")
	table.requireEnds(t, done)
	for _, name := range slices.Concat(pipelines.Names(), pipelines.Devices(), pipelines.Costed()) {
		i := slices.IndexFunc(listed, func(l struct{ Name, Doc string }) bool { return l.Name == name })
		require.GreaterOrEqual(t, i, 0, name)
		assert.NotEmpty(t, listed[i].Doc)
		assert.Contains(t, table.stdout, listed[i].Doc)
		source, _ := pipelines.Read(name)
		assert.Equal(t, string(source), proofgraph(t, "pipelines", name).stdout)
	}
	proofgraph(t, "pipelines", "groth17").requireEnds(t, invalid, `there is no pipeline "groth17"`)
}

func TestStagesAndExplain(t *testing.T) {
	listed := proofgraph(t, "stages")
	listed.requireEnds(t, done)
	kinds := decode[[]struct {
		Name, Doc string
		Options   []struct{ Name, Doc string }
	}](t, proofgraph(t, "stages", "--json").stdout)
	assert.Len(t, kinds, 14, "thirteen of the prover and one model")
	for _, kind := range kinds {
		assert.Contains(t, listed.stdout, kind.Name)
		assert.Equal(t, kind.Name, decode[struct{ Name string }](t, proofgraph(t, "explain", "--json", kind.Name).stdout).Name)
		explained := proofgraph(t, "explain", kind.Name)
		explained.requireEnds(t, done)
		assert.True(t, strings.HasPrefix(explained.stdout, kind.Name+": "+kind.Doc), explained.stdout)
		for _, option := range kind.Options {
			assert.Contains(t, explained.stdout, option.Name)
			assert.NotEmpty(t, option.Doc)
		}
	}
	proofgraph(t, "explain", "groth16.nothing").requireEnds(t, invalid, "proofgraph stages lists them")
}
