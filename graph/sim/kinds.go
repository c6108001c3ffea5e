package sim

import (
	"context"
	"fmt"
	"time"

	"github.com/proofgraph/proofgraph/graph/stage"
)

// Kinds gives the costed stage kinds: stages that are known by their ports, bytes and seconds alone. A pipeline of them
// can be simulated and explored before any of its code exists, and run as a rehearsal, where a body sleeps.
func Kinds() []*stage.Kind { return []*stage.Kind{modelStage()} }

// modelName is the name of the kind of all models.
const modelName = "model.stage"

// Modelled says whether a kind is a costed one: all that its bodies do is in the pipeline and the profile.
func Modelled(kind *stage.Kind) bool { return kind.Name == modelName }

// modelStage is model.stage.
func modelStage() *stage.Kind {
	return &stage.Kind{
		Name: modelName,
		Doc: "Stands for a stage whose ports, bytes and time are written in the pipeline. Bytes are expressions over the " +
			"facts of an item; in a simulation a profile says the seconds, and in a run a body sleeps.",
		Options: []stage.Option{
			{Name: "in", Type: stage.String, Doc: `the inputs: "abc aux"`},
			{Name: "out", Type: stage.String, Doc: `the outputs, with class and bytes where they carry any: "abc:rows=96*domain done"`},
			{Name: "takes", Type: stage.String, Doc: `outputs that are made in place of an input: "h=abc"`},
			{Name: "scratch", Type: stage.String, Doc: `scratch by class: "rows=4GiB"`},
			{Name: "cache", Type: stage.String, Doc: "the cache entry that the output is, where its class is cached; one of its own for each value of the fact `circuit`"},
			{Name: "time", Type: stage.String, Default: "0s", Doc: `how long a body takes where no profile says it: "1.5s"`},
		},
		PortsFor:  modelPorts,
		Footprint: modelFootprint,
		New:       newRehearsal,
	}
}

func modelPorts(o stage.Options) (inputs, outputs []stage.Port, err error) {
	m, err := readModel(o)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range m.inputs {
		inputs = append(inputs, stage.Port{Name: name})
	}
	for _, out := range m.outputs {
		outputs = append(outputs, stage.Port{Name: out.name, Class: out.class, Takes: m.takes[out.name], Type: stage.T("model")})
	}
	return inputs, outputs, nil
}

func modelFootprint(o stage.Options, item stage.Item) (stage.Footprint, error) {
	f := stage.Footprint{Outputs: map[string]int64{}, Scratch: map[string]int64{}, CacheKeys: map[string]string{}}
	m, err := readModel(o)
	if err != nil {
		return f, err
	}
	for _, out := range m.outputs {
		if f.Outputs[out.name], err = out.bytes(item.Facts); err != nil {
			return f, fmt.Errorf("output %q: %w", out.name, err)
		}
		if m.cache != "" {
			f.CacheKeys[out.name] = fmt.Sprintf("%s/%d", m.cache, item.Facts["circuit"])
		}
	}
	for _, s := range m.scratch {
		if f.Scratch[s.class], err = s.bytes(item.Facts); err != nil {
			return f, fmt.Errorf("scratch of class %q: %w", s.class, err)
		}
	}
	return f, nil
}

// newRehearsal makes the body of a model stage in a real run: it holds its memory and sleeps.
func newRehearsal(o stage.Options) (stage.Body, error) {
	m, err := readModel(o)
	if err != nil {
		return nil, err
	}
	return stage.BodyFunc(func(ctx context.Context, _ *stage.Task) error { return sleep(ctx, m.time) }), nil
}

func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
