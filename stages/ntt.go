package stages

import (
	"context"
	"fmt"

	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/cuda"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/groth16"
)

// ntt is groth16.ntt: the quotient.
func ntt(engines *Engines) *stage.Kind {
	n := &transformer{engines}
	return &stage.Kind{
		Name: "groth16.ntt",
		Doc: "Makes the quotient, on the CPU or a GPU: a, b and c go from the domain to its coset by number-theoretic " +
			"transforms, in place, and a·b − c stays as h, the scalars of the h query. Two thirds of the memory are freed; " +
			"all of it, if h stays on the device.",
		Options: []stage.Option{
			engines.gpuBackend(),
			{
				Name: "to", Type: stage.String, Default: host, Enum: []string{host, device},
				Doc: "where h lies: host, in the place of the rows; or device, where a GPU computes it and the rows are freed as " +
					"soon as it has them",
			},
			domainOption(),
		},
		Inputs:          nttInputs(stage.Options{}),
		Outputs:         []stage.Port{nttOutput(host)},
		PortsFor:        n.ports,
		Scratch:         []string{ClassScratch},
		OptionalScratch: []string{ClassDeviceScratch, ClassPinned},
		Footprint:       n.footprint,
		New:             n.body,
	}
}

func nttInputs(o stage.Options) []stage.Port {
	return []stage.Port{{Name: "abc", Type: typeRows("abc"), Doc: "rows of a, b and c; they are overwritten"}, domainInput(o)}
}

func nttOutput(to string) stage.Port {
	if to == device {
		return stage.Port{Name: "h", Type: typeH(device), Class: ClassDeviceH, Doc: "a·b − c on the coset"}
	}
	return stage.Port{Name: "h", Type: typeH(host), Class: ClassH, Takes: "abc", Doc: "a·b − c on the coset"}
}

type transformer struct{ engines *Engines }

func (*transformer) ports(o stage.Options) (inputs, outputs []stage.Port, err error) {
	return nttInputs(o), []stage.Port{nttOutput(o.String("to"))}, nil
}

// onDevice says whether a stage transforms on a device.
func (n *transformer) onDevice(o stage.Options) (bool, error) {
	gpu, err := n.engines.onDevice(o)
	if err == nil && !gpu && o.String("to") == device {
		err = fmt.Errorf("h cannot lie on a device that does not compute it: backend %q with to %q", o.String("backend"), device)
	}
	return gpu, err
}

func (n *transformer) footprint(o stage.Options, item stage.Item) (stage.Footprint, error) {
	e, err := n.either(o)
	if err != nil {
		return stage.Footprint{}, err
	}
	return e.footprint(item)
}

// either is a transform by a GPU or by the CPU. Where h is to lie on the device, it is the GPU's.
func (n *transformer) either(o stage.Options) (either, error) {
	gpu, err := n.onDevice(o)
	return either{
		options: o, gpu: gpu, bound: o.String("to") == device, device: rowsFootprint, host: domainFootprint(n.engines, "h", 3, 3),
	}, err
}

// rowsFootprint is that of a transform by a GPU.
func rowsFootprint(o stage.Options, item stage.Item) (stage.Footprint, error) {
	size, err := domainOf(item.Facts)
	if err != nil {
		return stage.Footprint{}, err
	}
	moved := vectorBytes(item.Facts, 3)
	if o.String("to") == host {
		moved += vectorBytes(item.Facts, 1)
	}
	return stage.Footprint{
		Outputs: map[string]int64{"h": size.VectorBytes()},
		Scratch: scratchOf(size.RowsNeed(cuda.OnHost, domainGiven(o), o.String("to") == device)),
		Traffic: copied(moved),
	}, nil
}

func (n *transformer) body(o stage.Options) (stage.Body, error) {
	e, err := n.either(o)
	if err != nil {
		return nil, err
	}
	return e.body(n.engines, n.launch, n.onHost(o))
}

// onHost is the body of a transform by the CPU.
func (n *transformer) onHost(o stage.Options) stage.Body {
	return domainBody(n.engines, o, func(ctx context.Context, t *stage.Task, e engine.Engine) error {
		rows, err := evaluations("abc", t.InBytes("abc"))
		if err != nil {
			return err
		}
		return groth16.Quotient(ctx, e, rows.A, rows.B, rows.C, t.Scratch(ClassScratch), t.Threads)
	})
}

func (n *transformer) launch(_ context.Context, t *stage.Task) (wait, error) {
	size, err := domainOf(t.Item.Facts)
	if err != nil {
		return nil, err
	}
	domain, err := domainOfTask(t)
	if err != nil {
		return nil, err
	}
	d, err := n.engines.device(t)
	if err != nil {
		return nil, err
	}
	rows := cuda.HostRows{
		Size: size, Rows: cuda.Vector{Host: t.InBytes("abc"), Pinned: pinned(t.InLease("abc"))},
		Uploaded: func() error { return t.Shrink("abc", 0) },
	}
	p, err := d.QuotientOfRows(rows, domain, deviceMemory(d, t.OutLease("h")), deviceScratch(d, t), t.Threads)
	if err != nil {
		return nil, err
	}
	return p.Wait, nil
}
