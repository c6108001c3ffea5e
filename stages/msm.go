package stages

import (
	"cmp"
	"fmt"

	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/groth16"
)

// msm is groth16.msm: one of the five sums of a proof.
func msm(engines *Engines) *stage.Kind {
	s := sums{engines}
	return &stage.Kind{
		Name: "groth16.msm",
		Doc: "Sums the points of one query of the key, weighted by the witness or, for query h, by the quotient, on the CPU " +
			"or a GPU. In slices it needs scratch for one slice only.",
		Options:         s.options(),
		Inputs:          msmInputs(groth16.QueryA, stage.Options{}),
		Outputs:         msmOutputs("?query"),
		PortsFor:        msmPorts,
		Scratch:         []string{ClassScratch},
		OptionalScratch: []string{ClassDeviceScratch, ClassPinned},
		Footprint:       s.footprint,
		New:             s.body,
	}
}

// sums is where sums are computed: on the CPU (msm_host.go) or on a GPU (msm_device.go).
type sums struct{ engines *Engines }

func (s sums) options() []stage.Option {
	return []stage.Option{
		{Name: "query", Type: stage.String, Required: true, Enum: queryNames(), Doc: "which points"},
		s.engines.gpuBackend(),
		{
			Name: "slice", Type: stage.Int, Default: "0", Max: 1 << 30,
			Doc: "terms summed at once; 0 is all, or 64 MiB of points where a GPU sums those of a key: one slice arrives while " +
				"the one before is summed",
		},
		{Name: optionBases, Type: stage.String, Default: inKey, Enum: []string{inKey, device}, Doc: "where the points lie"},
		multiplesOption("of bases on a device: how many multiples of each point were loaded"),
		{Name: optionScalars, Type: stage.String, Default: host, Enum: []string{host, device}, Doc: "where the scalars lie"},
	}
}

func (s sums) footprint(o stage.Options, item stage.Item) (stage.Footprint, error) {
	e, err := s.either(o)
	if err != nil {
		return stage.Footprint{}, err
	}
	return e.footprint(item)
}

// either is a sum by a GPU or by the CPU. What lies on a device can be summed nowhere else.
func (s sums) either(o stage.Options) (either, error) {
	gpu, err := s.onDevice(o)
	return either{
		options: o, gpu: gpu, bound: o.String(optionBases) == device || o.String(optionScalars) == device,
		device: deviceSumFootprint,
		host: func(o stage.Options, item stage.Item) (stage.Footprint, error) {
			return sumFootprint(s.engines, o, item)
		},
	}, err
}

func (s sums) body(o stage.Options) (stage.Body, error) {
	e, err := s.either(o)
	if err != nil {
		return nil, err
	}
	return e.body(s.engines, deviceSummer(s.engines, o), &summer{s.engines, o})
}

// The options that say where operands lie: host, device, or in the key.
const (
	optionBases   = "bases"
	optionScalars = "scalars"
	inKey         = "key"
)

// onDevice says whether a GPU sums. What lies on a device can be summed nowhere else.
func (s sums) onDevice(o stage.Options) (bool, error) {
	gpu, err := s.engines.onDevice(o)
	if err != nil || gpu {
		return gpu, err
	}
	for _, option := range []string{optionBases, optionScalars} {
		if o.String(option) == device {
			return false, fmt.Errorf("%w: %s: %s is for sums on a GPU, and backend %q sums on the CPU here", engine.ErrUnavailable,
				option, device, o.String("backend"))
		}
	}
	return false, nil
}

func msmPorts(o stage.Options) (inputs, outputs []stage.Port, err error) {
	q, err := groth16.ParseQuery(o.String("query"))
	if err != nil {
		return nil, nil, err
	}
	if o.Int(optionMultiples) > 1 && o.String(optionBases) != device {
		return nil, nil, fmt.Errorf("%s: only bases on a device have multiples, and these lie in the key", optionMultiples)
	}
	return msmInputs(q, o), msmOutputs(q.String()), nil
}

func msmInputs(q groth16.Query, o stage.Options) []stage.Port {
	points := stage.Port{Name: "key", Type: typeKey, Doc: "the key, which holds the points (bases: key)"}
	if o.String(optionBases) == device {
		points = stage.Port{Name: "bases", Type: typeBases(q.String(), multiples(o)), Doc: "the points (bases: device)"}
	}
	scalars := cmp.Or(o.String(optionScalars), host)
	if q == groth16.QueryH {
		return []stage.Port{points, {Name: "h", Type: typeH(scalars), Doc: "the quotient (query h)"}}
	}
	return []stage.Port{points, {Name: "witness", Type: typeWitness(scalars), Doc: "the witness (all other queries)"}}
}

func msmOutputs(query string) []stage.Port {
	return []stage.Port{{Name: "sum", Type: typeSum(query), Doc: "the sum, a point"}}
}
