package stages

import (
	"context"
	"errors"

	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/cuda"
)

// launcher is a body that leaves its worker while a device works.
type launcher func(context.Context, *stage.Task) (wait, error)

// A wait returns when the device is through with what was launched, and says what became of it.
type wait = func(context.Context) error

// Launch implements stage.Launcher.
func (l launcher) Launch(ctx context.Context, t *stage.Task) (wait, error) { return l(ctx, t) }

// Run implements stage.Body.
func (l launcher) Run(ctx context.Context, t *stage.Task) error {
	ended, err := l(ctx, t)
	if err != nil {
		return err
	}
	return ended(ctx)
}

// then gives the wait of a step that sets an output: release, if it is not nil, follows the step however it ends, and
// succeed follows if neither failed.
func then(p *cuda.Pending, release func() error, succeed func() error) wait {
	return func(ctx context.Context) error {
		err := p.Wait(ctx)
		if release != nil {
			err = errors.Join(err, release())
		}
		if err == nil {
			err = succeed()
		}
		return err
	}
}
