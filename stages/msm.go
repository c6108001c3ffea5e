package stages

import (
	"context"

	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
	"github.com/proofgraph/proofgraph/proving/groth16"
)

// msm is groth16.msm: one of the five sums of a proof.
func msm(engines *Engines) *stage.Kind {
	return &stage.Kind{
		Name: "groth16.msm",
		Doc: "Sums the points of one query of the key, weighted by the witness or, for query h, by the quotient. " +
			"In slices it needs scratch for one slice only.",
		Options: []stage.Option{
			{Name: "query", Type: stage.String, Required: true, Enum: []string{"a", "b_g1", "b_g2", "l", "h"}, Doc: "which points"},
			engines.backend(),
			{Name: "slice", Type: stage.Int, Default: "0", Doc: "terms summed at once; 0 is all", Max: 1 << 30},
		},
		Inputs:   msmInputs(groth16.QueryA),
		Outputs:  msmOutputs("?query"),
		PortsFor: msmPorts,
		Scratch:  []string{ClassScratch},
		Footprint: func(o stage.Options, item stage.Item) (stage.Footprint, error) {
			q, h, e, err := msmOf(engines, o, item.Facts)
			if err != nil {
				return stage.Footprint{}, err
			}
			return needs(groth16.SumNeed(e, q, min(sliceSize(o), q.Terms(h)), o.Threads)), nil
		},
		New: func(o stage.Options) (stage.Body, error) { return &summer{engines, o}, nil },
	}
}

func msmPorts(o stage.Options) (inputs, outputs []stage.Port, err error) {
	q, err := groth16.ParseQuery(o.String("query"))
	if err != nil {
		return nil, nil, err
	}
	return msmInputs(q), msmOutputs(q.String()), nil
}

func msmInputs(q groth16.Query) []stage.Port {
	key := stage.Port{Name: "key", Type: typeKey, Doc: "the key, which holds the points"}
	if q == groth16.QueryH {
		return []stage.Port{key, {Name: "h", Type: typeH(host), Doc: "the quotient (query h)"}}
	}
	return []stage.Port{key, {Name: "witness", Type: typeWitness(host), Doc: "the witness (all other queries)"}}
}

func msmOutputs(query string) []stage.Port {
	return []stage.Port{{Name: "sum", Type: typeSum(query), Doc: "the sum, a point"}}
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
