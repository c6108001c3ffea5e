package run_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/stage"
)

const parts = 6

// severalKeyed is a pipeline in which every item takes several cached parts, which are loaded side by side.
func severalKeyed() (source string, kinds []*stage.Kind) {
	var loads, edges strings.Builder
	use := &stage.Kind{Name: "t.use", Outputs: []stage.Port{{Name: "used", Type: stage.T("name")}}}
	for i := range parts {
		name := fmt.Sprintf("part%d", i)
		fmt.Fprintf(&loads, "  %s: { kind: t.%s, workers: 4 }\n", name, name)
		fmt.Fprintf(&edges, "  - { from: %s.key, to: use.%s, capacity: 4, bytes: 64KiB }\n", name, name)
		kinds = append(kinds, partKind(name))
		use.Inputs = append(use.Inputs, stage.Port{Name: name, Type: stage.T("key")})
	}
	use.New = func(stage.Options) (stage.Body, error) { return stage.BodyFunc(useParts), nil }
	return "pipeline: several\npools: { host: { limit: 1MiB } }\nbuffers: { key: { pool: host, cached: true } }\nstages:\n" +
		loads.String() + "  use: { kind: t.use, workers: 4 }\nedges:\n" + edges.String(), append(kinds, use)
}

func partKind(name string) *stage.Kind {
	return &stage.Kind{
		Name: "t." + name, Outputs: []stage.Port{{Name: "key", Type: stage.T("key"), Class: "key"}},
		Footprint: func(_ stage.Options, item stage.Item) (stage.Footprint, error) {
			return stage.Footprint{
				Outputs: map[string]int64{"key": 4 << 10}, CacheKeys: map[string]string{"key": name + item.Payload.(string)},
			}, nil
		},
		New: func(stage.Options) (stage.Body, error) {
			return stage.BodyFunc(func(_ context.Context, t *stage.Task) error { return t.Set("key", name) }), nil
		},
	}
}

func useParts(_ context.Context, t *stage.Task) error {
	for i := range parts {
		name := fmt.Sprintf("part%d", i)
		got, err := stage.In[string](t, name)
		if err == nil && got != name {
			err = fmt.Errorf("input %s holds %q", name, got)
		}
		if err != nil {
			return err
		}
	}
	return t.Set("used", true)
}

// What an item holds of the cache is noted by several workers at once.
func TestItemsThatTakeSeveralCachedBuffers(t *testing.T) {
	before := ours()
	source, kinds := severalKeyed()
	r := startOf(t, source, kinds...)
	for id, result := range r.feedKeyed(numbered(300, func(i int) string { return fmt.Sprint(i / 100) })...) {
		require.NoError(t, result.Err, id)
	}
	r.end(t)
	requireNoGoroutines(t, before)
}
