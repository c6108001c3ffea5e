package stages

import (
	"context"
	"fmt"

	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/cuda"
)

// quotient is groth16.quotient: synthesize and ntt on a device.
func quotient(engines *Engines) *stage.Kind {
	q := &quotientLauncher{engines}
	return &stage.Kind{
		Name: kindQuotient,
		Doc: "Evaluates the constraints and makes the quotient on the device: what groth16.synthesize and groth16.ntt do, " +
			"with no rows on the host.",
		Options:   []stage.Option{domainOption()},
		Inputs:    quotientInputs(stage.Options{}),
		Outputs:   quotientOutputs(),
		PortsFor:  q.ports,
		Scratch:   []string{ClassDeviceScratch},
		Footprint: q.footprint,
		New:       func(stage.Options) (stage.Body, error) { return launcher(q.launch), engines.available() },
	}
}

func quotientInputs(o stage.Options) []stage.Port {
	return []stage.Port{
		{Name: "constraints", Type: typeConstraints, Doc: "the coefficients (groth16.load_device, part constraints)"},
		domainInput(o),
		{Name: "witness", Type: typeWitness(device), Doc: "the witness"},
	}
}

func quotientOutputs() []stage.Port {
	return []stage.Port{{Name: "h", Type: typeH(device), Class: ClassDeviceH, Doc: "a·b − c on the coset"}}
}

type quotientLauncher struct{ engines *Engines }

func (*quotientLauncher) ports(o stage.Options) (inputs, outputs []stage.Port, err error) {
	return quotientInputs(o), quotientOutputs(), nil
}

func (q *quotientLauncher) footprint(o stage.Options, item stage.Item) (stage.Footprint, error) {
	if err := q.engines.sized(); err != nil {
		return stage.Footprint{}, err
	}
	size, err := domainOf(item.Facts)
	if err != nil {
		return stage.Footprint{}, err
	}
	return stage.Footprint{
		Outputs: map[string]int64{"h": size.VectorBytes()},
		Scratch: map[string]int64{ClassDeviceScratch: size.QuotientNeed(domainGiven(o)).Device},
	}, nil
}

func (q *quotientLauncher) launch(_ context.Context, t *stage.Task) (wait, error) {
	constraints, err := constraintsOfTask(t)
	if err != nil {
		return nil, err
	}
	w, err := stage.In[*DeviceWitness](t, "witness")
	if err != nil {
		return nil, err
	}
	domain, err := domainOfTask(t)
	if err != nil {
		return nil, err
	}
	d, err := q.engines.device(t)
	if err != nil {
		return nil, err
	}
	p, err := d.QuotientOfWitness(constraints, domain, w.Values, deviceMemory(d, t.OutLease("h")), deviceScratch(d, t))
	if err != nil {
		return nil, err
	}
	return p.Wait, nil
}

// constraintsOfTask gives the constraints of the circuit that the item is for, and no other.
func constraintsOfTask(t *stage.Task) (*cuda.Constraints, error) {
	constraints, err := stage.In[*cuda.Constraints](t, "constraints")
	if err != nil {
		return nil, err
	}
	h, err := header(t.Item.Facts)
	if err == nil && (constraints.Curve != h.Curve || constraints.Elements() != h.DomainSize || constraints.Wires != h.NVars) {
		err = fmt.Errorf("%w: constraints on the device are of %d wires over %s", ErrMismatch, constraints.Wires, constraints.Curve)
	}
	return constraints, err
}
