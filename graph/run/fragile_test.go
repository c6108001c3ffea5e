package run_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// A body that reads memory which is not there fails its item: of a mapped file that was cut short, say.
func TestAFaultOfABodyIsItsItems(t *testing.T) {
	gone, err := unix.Mmap(-1, 0, 4096, unix.PROT_NONE, unix.MAP_ANON|unix.MAP_PRIVATE)
	require.NoError(t, err)
	defer unix.Munmap(gone)
	read := func(context.Context) error { return errors.New(string(gone[:8])) }
	r := start(t, context.Background(), diamond, &faults{at: 2, how: read})
	failed := 0
	for _, result := range r.feed(3, 8192) {
		if result.Err != nil {
			var panicked *run.PanicError
			assert.ErrorAs(t, result.Err, &panicked)
			failed++
		}
	}
	assert.Equal(t, 1, failed)
	r.end(t)
}

// changing is a value that changes when it is told to.
type changing struct{ changed atomic.Pointer[error] }

func (f *changing) Intact() error {
	if err := f.changed.Load(); err != nil {
		return *err
	}
	return nil
}

// What changes while a body works on it fails the item, whatever the body says; what has changed before is not worked on.
func TestAValueThatChangesFailsItsItem(t *testing.T) {
	changed := errors.New("changed")
	for name, c := range map[string]struct {
		at     string
		bodies []string
		says   error
	}{
		"while it is made":            {"make", []string{"make"}, nil},
		"while it is used":            {"use", []string{"make", "use"}, nil},
		"while it is used and missed": {"use", []string{"make", "use"}, errors.New("the body's own")},
		"never":                       {"", []string{"make", "use"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			value, bodies := &changing{}, []string{}
			body := func(name string) func(stage.Options) (stage.Body, error) {
				return func(stage.Options) (stage.Body, error) {
					return stage.BodyFunc(func(_ context.Context, task *stage.Task) error {
						if bodies = append(bodies, name); name == c.at {
							value.changed.Store(&changed)
						}
						if name == "make" {
							return task.Set("out", value)
						}
						return c.says
					}), nil
				}
			}
			r := startOf(t, makeAndUse,
				&stage.Kind{Name: "test.make", Outputs: []stage.Port{{Name: "out", Type: stage.T("value")}}, New: body("make")},
				&stage.Kind{Name: "test.use", Inputs: []stage.Port{{Name: "in", Type: stage.T("value")}}, New: body("use")},
			)
			result := r.feed(1, 0)["0"]
			if c.at == "" {
				require.NoError(t, result.Err)
			} else {
				require.ErrorIs(t, result.Err, changed)
				require.NotContains(t, result.Err.Error(), "own")
			}
			require.Equal(t, c.bodies, bodies)
			r.end(t)
		})
	}
}

const makeAndUse = `
pipeline: fragile
stages:
  make: { kind: test.make }
  use: { kind: test.use }
edges:
  - { from: make.out, to: use.in, capacity: 1 }
`
