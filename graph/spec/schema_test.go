package spec

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/proofgraph/proofgraph/graph/stage"
)

func resolvedSchema(t testing.TB) *jsonschema.Resolved {
	t.Helper()
	text, err := Schema(photoKinds(t))
	require.NoError(t, err)
	var schema jsonschema.Schema
	require.NoError(t, json.Unmarshal(text, &schema))
	resolved, err := schema.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	require.NoError(t, err)
	return resolved
}

// jsonValue reads YAML as the JSON value that a schema is held against.
func jsonValue(text []byte) (value any, err error) {
	if err = yaml.Unmarshal(text, &value); err != nil {
		return nil, err
	}
	if text, err = json.Marshal(value); err != nil {
		return nil, err
	}
	err = json.Unmarshal(text, &value)
	return value, err
}

func instance(t testing.TB, text []byte) any {
	t.Helper()
	value, err := jsonValue(text)
	require.NoError(t, err)
	return value
}

func TestSchemaAcceptsWhatLoadAccepts(t *testing.T) {
	text, err := os.ReadFile("testdata/photos.yaml")
	require.NoError(t, err)
	require.NoError(t, resolvedSchema(t).Validate(instance(t, text)))
}

func TestSchemaRefusesBrokenForms(t *testing.T) {
	schema := resolvedSchema(t)
	for _, name := range []string{"edges-shape", "names", "values", "traps"} {
		text, err := os.ReadFile(fmt.Sprintf("testdata/errors/%s.yaml", name))
		require.NoError(t, err)
		assert.Error(t, schema.Validate(instance(t, text)), name)
	}
}

// Each fragment breaks one thing of a pipeline that is good without it.
func TestSchemaRefusesOneThingAtATime(t *testing.T) {
	schema := resolvedSchema(t)
	good := "pipeline: a\nstages: { s: { kind: photo.scale, width: 3 } }\n"
	require.NoError(t, schema.Validate(instance(t, []byte(good))))
	for name, text := range map[string]string{
		"unknown key":         good + "buffer: {}",
		"no name":             "stages: {}",
		"no stages":           "pipeline: a",
		"unknown kind":        "pipeline: a\nstages: { s: { kind: photo.scal, width: 3 } }",
		"no kind":             "pipeline: a\nstages: { s: { width: 3 } }",
		"unknown option":      "pipeline: a\nstages: { s: { kind: photo.scale, width: 3, quality: 3 } }",
		"another's option":    "pipeline: a\nstages: { s: { kind: photo.read, width: 3 } }",
		"required option":     "pipeline: a\nstages: { s: { kind: photo.scale } }",
		"option out of range": "pipeline: a\nstages: { s: { kind: photo.scale, width: 0 } }",
		"option of a type":    "pipeline: a\nstages: { s: { kind: photo.scale, width: wide } }",
		"not in the enum":     "pipeline: a\nstages: { s: { kind: photo.decode, space: grey } }",
		"no boolean":          "pipeline: a\nstages: { s: { kind: photo.decode, exact: \"true\" } }",
		"no size":             good + "pools: { host: { limit: 3 GiB } }",
		"no limit":            good + "pools: { host: {} }",
		"no workers":          "pipeline: a\nstages: { s: { kind: photo.read, workers: 0 } }",
		"release rule":        "pipeline: a\nstages: { s: { kind: photo.read, release: never } }",
		"no capacity":         good + "edges: [ { from: a.b, to: c.d } ]",
		"not an end":          good + "edges: [ { from: a.b.c, to: c.d, capacity: 1 } ]",
		"range of one":        good + "params: { a: { default: 1, range: [1] } }",
		"no default":          good + "params: { a: { range: [1, 2] } }",
		"name":                good + "params: { a-b: { default: 1 } }",
		"octal":               good + "params: { a: { default: \"010\" } }",
		"fail":                good + "fail: never",
	} {
		t.Run(name, func(t *testing.T) {
			assert.Error(t, schema.Validate(instance(t, []byte(text))))
			_, err := Load(name, []byte(text), photoKinds(t), nil)
			assert.Error(t, err, "Load refuses what the schema refuses")
		})
	}
}

func TestSchemaWithoutKinds(t *testing.T) {
	registry, err := stage.NewRegistry()
	require.NoError(t, err)
	text, err := Schema(registry)
	require.NoError(t, err)
	assert.NotContains(t, string(text), "allOf")
	assert.NotContains(t, string(text), ": null")
}

func TestSchemaIsTheSameEveryTime(t *testing.T) {
	first, err := Schema(photoKinds(t))
	require.NoError(t, err)
	for range 10 {
		again, err := Schema(photoKinds(t))
		require.NoError(t, err)
		require.Equal(t, string(first), string(again))
	}
}

func TestExplain(t *testing.T) {
	assert.Equal(t, `photo.decode: turns a JPEG or PNG file into pixels
inputs:
  file  bytes
outputs:
  pixels  pixels(space=?space)  class pixels  the picture, a row after another
  (ports and types may change with the options)
options:
  space  rgb | gray   default rgb    the colours of the result
  exact  bool         default false  refuse files with trailing bytes
  depth  int 8 to 16  default 8      bits of a colour
scratch classes: tables
`, Explain(decodeKind()))
	assert.Equal(t, `photo.scale: makes a picture smaller, in place
inputs:
  pixels  pixels(space=?space)
outputs:
  pixels  pixels(space=?space)  takes over pixels
options:
  width  int 1 to 65536  required  columns of the result
`, Explain(scaleKind()))
	ported := nodeKind()
	ported.Options[0].Default = "2"
	assert.Contains(t, Explain(ported), "inputs:\n  i0  t(v=?v)  optional\n  i1  t(v=?v)  optional\n  (ports")
	assert.Contains(t, Explain(storeKind()), "counts  counts(of=?of)  optional  what to write beside the file")
	assert.Contains(t, Explain(readKind()), "ahead  size 4KiB to 1GiB  default 1MiB  bytes to read at once")
}
