package stages

import (
	"context"

	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/groth16"
)

// product is groth16.product: the first half of the quotient.
func product(engines *Engines) *stage.Kind {
	return &stage.Kind{
		Name: "groth16.product",
		Doc: "Takes a and b to the coset, in place, and multiplies them; one of the two vectors is freed. With " +
			"groth16.subtract it does what groth16.ntt does, and holds two vectors where that holds three.",
		Options: []stage.Option{engines.backend()},
		Inputs:  []stage.Port{{Name: "ab", Type: typeRows("ab"), Doc: "rows of a and b; they are overwritten"}},
		Outputs: []stage.Port{
			{Name: "product", Type: typeProduct, Class: ClassH, Takes: "ab", Doc: "a·b on the coset"},
			{Name: "done", Type: typeSignal, Doc: "says that a vector is free; a stage that shall wait for that takes it"},
		},
		Scratch:   []string{ClassScratch},
		Footprint: domainFootprint(engines, "product", 2, 2),
		New: func(o stage.Options) (stage.Body, error) {
			return domainBody(engines, o, func(ctx context.Context, t *stage.Task, e engine.Engine) error {
				rows, err := evaluations("ab", t.InBytes("ab"))
				if err != nil {
					return err
				}
				for _, v := range [][]byte{rows.A, rows.B} {
					if err := groth16.CosetExtend(ctx, e, v, t.Scratch(ClassScratch), t.Threads); err != nil {
						return err
					}
				}
				return groth16.MultiplyInto(ctx, e, rows.A, rows.B, t.Threads)
			}), nil
		},
	}
}

// typeSignal is that of a value that says only that a stage has ended.
var typeSignal = stage.T("signal")

var typeProduct = stage.T("vector", "curve", "form=montgomery", "domain=coset", "of=ab")
