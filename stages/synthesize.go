package stages

import (
	"context"
	"fmt"

	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
	"github.com/proofgraph/proofgraph/proving/groth16"
)

// synthesize is groth16.synthesize: the rows of the constraint system.
func synthesize(engines *Engines) *stage.Kind {
	inputs := []stage.Port{
		{Name: "key", Type: typeKey, Doc: "the key, which holds the coefficients"},
		{Name: "witness", Type: typeWitness(host), Doc: "the witness"},
		{Name: "after", Type: typeSignal, Optional: true, Doc: "waits for this, if it is connected"},
	}
	return &stage.Kind{
		Name: "groth16.synthesize",
		Doc: "Evaluates the rows of A·w, B·w and their product, over the whole domain. With vectors ab or c it makes a " +
			"part of them, so that a pipeline can hold two vectors at a time (see groth16.product and groth16.subtract).",
		Options: []stage.Option{engines.backend(), {
			Name: "vectors", Type: stage.String, Default: "abc", Enum: []string{"abc", "ab", "c"}, Doc: "which rows to make",
		}},
		Inputs:  inputs,
		Outputs: []stage.Port{rowsPort("abc")},
		PortsFor: func(o stage.Options) ([]stage.Port, []stage.Port, error) {
			return inputs, []stage.Port{rowsPort(o.String("vectors"))}, nil
		},
		Footprint: func(o stage.Options, item stage.Item) (stage.Footprint, error) {
			n := int64(len(o.String("vectors")))
			return stage.Footprint{
				Outputs: map[string]int64{o.String("vectors"): vectorBytes(item.Facts, n)}, Traffic: rowsTraffic(item.Facts, n),
			}, nil
		},
		New: func(o stage.Options) (stage.Body, error) { return &synthesizer{engines, o}, nil },
	}
}

func rowsPort(vectors string) stage.Port {
	return stage.Port{
		Name: vectors, Type: typeRows(vectors), Class: ClassRows, Doc: "the vectors one after another, Montgomery form",
	}
}

type synthesizer struct {
	engines *Engines
	options stage.Options
}

// Run implements stage.Body.
func (s *synthesizer) Run(ctx context.Context, t *stage.Task) error {
	key, err := stage.In[*zkey.Key](t, "key")
	if err != nil {
		return err
	}
	w, err := stage.In[*Witness](t, "witness")
	if err != nil {
		return err
	}
	e, err := s.engines.open(s.options, key.Curve)
	if err != nil {
		return err
	}
	vectors := s.options.String("vectors")
	rows, err := evaluations(vectors, t.OutBytes(vectors))
	if err != nil {
		return err
	}
	defer key.Forget(key.Records)
	return groth16.Synthesize(ctx, e, key, rows, w.Values, t.Threads)
}

// evaluations lays vectors out one after another in memory.
func evaluations(vectors string, memory []byte) (engine.Evaluations, error) {
	n := len(memory) / len(vectors)
	part := func(i int) []byte { return memory[i*n : (i+1)*n] }
	switch vectors {
	case "abc":
		return engine.Evaluations{A: part(0), B: part(1), C: part(2)}, nil
	case "ab":
		return engine.Evaluations{A: part(0), B: part(1)}, nil
	case "c":
		return engine.Evaluations{C: part(0)}, nil
	}
	return engine.Evaluations{}, fmt.Errorf("there are no rows %q", vectors)
}
