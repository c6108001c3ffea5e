package spec

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// The stage kinds of these tests and of docs/pipeline-language.md: a pipeline that makes small pictures of large ones.
func photoKinds(t testing.TB) *stage.Registry {
	t.Helper()
	registry, err := stage.NewRegistry(readKind(), decodeKind(), scaleKind(), countKind(), encodeKind(), storeKind())
	require.NoError(t, err)
	return registry
}

// idle is a constructor of bodies that these tests never run.
func idle(stage.Options) (stage.Body, error) {
	return stage.BodyFunc(func(context.Context, *stage.Task) error { return nil }), nil
}

func readKind() *stage.Kind {
	return &stage.Kind{
		Name:    "photo.read",
		Doc:     "reads the file that an item names",
		Options: []stage.Option{{Name: "ahead", Type: stage.Size, Default: "1MiB", Min: 1 << 12, Max: 1 << 30, Doc: "bytes to read at once"}},
		Outputs: []stage.Port{{Name: "file", Type: stage.T("bytes"), Class: "file", Doc: "the file as it lies on the disk"}},
		Memory:  map[string][]budget.Memory{"file": {budget.Host, budget.Pinned}},
		New:     idle,
	}
}

func decodeKind() *stage.Kind {
	ports := func(space string) ([]stage.Port, []stage.Port) {
		return []stage.Port{{Name: "file", Type: stage.T("bytes")}},
			[]stage.Port{{Name: "pixels", Type: stage.T("pixels", "space="+space), Class: "pixels", Doc: "the picture, a row after another"}}
	}
	inputs, outputs := ports("?space")
	return &stage.Kind{
		Name: "photo.decode",
		Doc:  "turns a JPEG or PNG file into pixels",
		Options: []stage.Option{
			{Name: "space", Type: stage.String, Default: "rgb", Enum: []string{"rgb", "gray"}, Doc: "the colours of the result"},
			{Name: "exact", Type: stage.Bool, Default: "false", Doc: "refuse files with trailing bytes"},
			{Name: "depth", Type: stage.Int, Default: "8", Min: 8, Max: 16, Doc: "bits of a colour"},
		},
		Inputs:  inputs,
		Outputs: outputs,
		Scratch: []string{"tables"},
		PortsFor: func(o stage.Options) ([]stage.Port, []stage.Port, error) {
			if o.String("space") == "gray" && o.Int("depth") > 8 {
				return nil, nil, errors.New("gray pictures have 8 bits")
			}
			inputs, outputs := ports(o.String("space"))
			return inputs, outputs, nil
		},
		New: idle,
	}
}

func scaleKind() *stage.Kind {
	return &stage.Kind{
		Name:    "photo.scale",
		Doc:     "makes a picture smaller, in place",
		Options: []stage.Option{{Name: "width", Type: stage.Int, Required: true, Min: 1, Max: 65536, Doc: "columns of the result"}},
		Inputs:  []stage.Port{{Name: "pixels", Type: stage.T("pixels", "space")}},
		Outputs: []stage.Port{{Name: "pixels", Type: stage.T("pixels", "space"), Takes: "pixels"}},
		New:     idle,
	}
}

func countKind() *stage.Kind {
	return &stage.Kind{
		Name:    "photo.count",
		Doc:     "counts how often each colour occurs",
		Options: []stage.Option{{Name: "label", Type: stage.String, Doc: "a name for the counts"}},
		Inputs:  []stage.Port{{Name: "pixels", Type: stage.T("pixels", "space")}},
		Outputs: []stage.Port{{Name: "counts", Type: stage.T("counts", "of=?space")}},
		New:     idle,
	}
}

func encodeKind() *stage.Kind {
	return &stage.Kind{
		Name:    "photo.encode",
		Doc:     "turns pixels into a JPEG file",
		Options: []stage.Option{{Name: "quality", Type: stage.Int, Default: "80", Min: 1, Max: 100, Doc: "100 is the best"}},
		Inputs:  []stage.Port{{Name: "pixels", Type: stage.T("pixels", "space=rgb")}},
		Outputs: []stage.Port{{Name: "file", Type: stage.T("bytes"), Class: "file"}},
		New:     idle,
	}
}

func storeKind() *stage.Kind {
	return &stage.Kind{
		Name: "photo.store",
		Doc:  "writes a file, and the counts beside it where there are any",
		Inputs: []stage.Port{
			{Name: "file", Type: stage.T("bytes")},
			{Name: "counts", Type: stage.T("counts", "of"), Optional: true, Doc: "what to write beside the file"},
		},
		New: idle,
	}
}
