package stages

import (
	"context"
	"fmt"

	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/cuda"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
	"github.com/proofgraph/proofgraph/proving/groth16"
)

// deviceSumFootprint is that of a sum by a GPU.
func deviceSumFootprint(o stage.Options, item stage.Item) (stage.Footprint, error) {
	s, err := deviceSumOf(o, item.Facts)
	if err != nil {
		return stage.Footprint{}, err
	}
	need, err := s.Need(placeOf(o.String(optionBases)), placeOf(o.String(optionScalars)))
	return stage.Footprint{Scratch: scratchOf(need), Traffic: deviceSumTraffic(s, o)}, err
}

// placeOf is where an operand is expected. What turns out to be page-locked takes less.
func placeOf(option string) cuda.Place {
	if option == device {
		return cuda.OnDevice
	}
	return cuda.OnHost
}

// deviceSum is a sum of a query on a GPU.
type deviceSum struct {
	cuda.Sum
	query  groth16.Query
	header zkey.Header
}

// deviceSumOf gives what a stage's options and an item's facts come to.
func deviceSumOf(o stage.Options, f stage.Facts) (s deviceSum, err error) {
	if s.query, err = groth16.ParseQuery(o.String("query")); err != nil {
		return s, err
	}
	if s.header, err = header(f); err != nil {
		return s, err
	}
	form := s.query.Form()
	s.Sum = cuda.Sum{Form: form, Sparse: form == engine.Canonical, Slice: int(o.Int("slice"))}
	s.Bases, err = basesOf(s.query, s.header, int(o.Int(optionMultiples)))
	return s, err
}

// deviceSummer is the body of sums on a GPU.
func deviceSummer(engines *Engines, o stage.Options) launcher {
	return func(_ context.Context, t *stage.Task) (wait, error) {
		s, err := deviceSumOf(o, t.Item.Facts)
		if err != nil {
			return nil, err
		}
		d, err := engines.device(t)
		if err != nil {
			return nil, err
		}
		from, err := s.operands(d, o, t)
		if err != nil {
			return nil, err
		}
		sum := make([]byte, s.header.Curve.PointSize(s.query.Group()))
		pending, err := d.Sum(s.Sum, from, sum, deviceScratch(d, t), t.Threads)
		if err != nil {
			return nil, fmt.Errorf("query %s: %w", s.query, err)
		}
		return then(pending, func() error { return s.forget(t) }, func() error { return t.Set("sum", sum) }), nil
	}
}

// forget lets the pages of a mapped key's points go.
func (s deviceSum) forget(t *stage.Task) error {
	if key, err := stage.In[*zkey.Key](t, "key"); err == nil {
		key.Forget(s.query.Bases(key))
	}
	return nil
}
