package stages

import (
	"context"

	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
	"github.com/proofgraph/proofgraph/proving/groth16"
)

// sumFootprint is that of a sum by an engine of the CPU.
func sumFootprint(engines *Engines, o stage.Options, item stage.Item) (stage.Footprint, error) {
	q, h, e, err := msmOf(engines, o, item.Facts)
	if err != nil {
		return stage.Footprint{}, err
	}
	f := needs(groth16.SumNeed(e, q, min(sliceSize(o), q.Terms(h)), o.Threads))
	f.Traffic = sumTraffic(q, h)
	return f, nil
}

// sliceSize gives the option's terms, all being as many as there can be.
func sliceSize(o stage.Options) int {
	if n := o.Int("slice"); n > 0 {
		return int(n)
	}
	return 1 << 31
}

// msmOf gives what a stage's options and an item's facts come to.
func msmOf(engines *Engines, o stage.Options, f stage.Facts) (q groth16.Query, h zkey.Header, e engine.Engine, err error) {
	if q, err = groth16.ParseQuery(o.String("query")); err != nil {
		return q, h, nil, err
	}
	if h, err = header(f); err != nil {
		return q, h, nil, err
	}
	e, err = engines.open(o, h.Curve)
	return q, h, e, err
}

type summer struct {
	engines *Engines
	options stage.Options
}

// Run implements stage.Body.
func (s *summer) Run(ctx context.Context, t *stage.Task) error {
	key, err := stage.In[*zkey.Key](t, "key")
	if err != nil {
		return err
	}
	q, h, e, err := msmOf(s.engines, s.options, t.Item.Facts)
	if err != nil {
		return err
	}
	scalars, err := scalarsOf(t, q)
	if err != nil {
		return err
	}
	var total []byte
	for _, slice := range q.Slices(h, sliceSize(s.options)) {
		sum := make([]byte, h.Curve.PointSize(q.Group()))
		if err := groth16.Sum(ctx, e, key, q, slice, sum, scalars, t.Scratch(ClassScratch), t.Threads); err != nil {
			return err
		}
		if total, err = add(q, h.Curve, total, sum); err != nil {
			return err
		}
		key.Forget(q.Points(key, slice))
	}
	return t.Set("sum", total)
}

// scalarsOf gives the vector that weights the query's points.
func scalarsOf(t *stage.Task, q groth16.Query) ([]byte, error) {
	if q == groth16.QueryH {
		return t.InBytes("h"), nil
	}
	w, err := stage.In[*Witness](t, "witness")
	if err != nil {
		return nil, err
	}
	return w.Values, nil
}

func add(q groth16.Query, id curve.ID, total, sum []byte) ([]byte, error) {
	if total == nil {
		return sum, nil
	}
	return q.Add(id, total, sum)
}
