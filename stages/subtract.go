package stages

import (
	"context"

	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/groth16"
)

// subtract is groth16.subtract: the second half of the quotient.
func subtract(engines *Engines) *stage.Kind {
	return &stage.Kind{
		Name:    "groth16.subtract",
		Doc:     "Takes c to the coset, in place, and subtracts it from the product a·b: what is left is h.",
		Options: []stage.Option{engines.backend()},
		Inputs: []stage.Port{
			{Name: "product", Type: typeProduct, Doc: "a·b on the coset; it is overwritten"},
			{Name: "c", Type: typeRows("c"), Doc: "rows of c; they are overwritten"},
		},
		Outputs:   []stage.Port{{Name: "h", Type: typeH(host), Class: ClassH, Takes: "product", Doc: "a·b − c on the coset"}},
		Scratch:   []string{ClassScratch},
		Footprint: domainFootprint(engines, "h", 1, 2),
		New: func(o stage.Options) (stage.Body, error) {
			return domainBody(engines, o, func(ctx context.Context, t *stage.Task, e engine.Engine) error {
				c := t.InBytes("c")
				if err := groth16.CosetExtend(ctx, e, c, t.Scratch(ClassScratch), t.Threads); err != nil {
					return err
				}
				return groth16.SubtractInto(ctx, e, t.InBytes("product"), c, t.Threads)
			}), nil
		},
	}
}
