package stages

import (
	"context"

	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/engine"
)

// domainFootprint is that of a stage that transforms so many vectors over the domain, and makes one of the last ones.
func domainFootprint(engines *Engines, output string, vectors, last int64) func(stage.Options, stage.Item) (stage.Footprint, error) {
	return func(o stage.Options, item stage.Item) (stage.Footprint, error) {
		h, err := header(item.Facts)
		if err != nil {
			return stage.Footprint{}, err
		}
		e, err := engines.open(o, h.Curve)
		if err != nil {
			return stage.Footprint{}, err
		}
		f := needs(e.DomainNeed(h.DomainSize))
		f.Outputs = map[string]int64{output: vectorBytes(item.Facts, 1)}
		f.Traffic = transformTraffic(item.Facts, vectors, last)
		return f, nil
	}
}

// needs is the scratch of an operation as a footprint.
func needs(n engine.Need) stage.Footprint {
	return stage.Footprint{
		Scratch: map[string]int64{ClassScratch: n.Scratch}, Heap: map[string]int64{ClassScratch: n.Heap},
	}
}

// domainBody is a body that works on vectors alone; the curve is that of the item.
func domainBody(engines *Engines, o stage.Options, work func(context.Context, *stage.Task, engine.Engine) error) stage.Body {
	return stage.BodyFunc(func(ctx context.Context, t *stage.Task) error {
		h, err := header(t.Item.Facts)
		if err != nil {
			return err
		}
		e, err := engines.open(o, h.Curve)
		if err != nil {
			return err
		}
		return work(ctx, t, e)
	})
}
