package run

import (
	"errors"
	"fmt"
	"io"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// prepare leases the outputs and the scratch of a body. The core has seen to it that there is room, so a refusal here is
// the system's or a fault.
func (p *Pipeline) prepare(t *task) error {
	if err := t.flight.ctx.Err(); err != nil {
		return err
	}
	if err := t.Intact(); err != nil {
		return err
	}
	for _, b := range p.program.BufferAt[t.stage] {
		if buffer := &p.program.Graph.Buffers[b]; buffer.Takes >= 0 || buffer.Cached {
			continue
		}
		lease, err := p.lease(t, b)
		if err != nil {
			return err
		}
		t.flight.buffers[b].Lease = lease
	}
	return p.leaseScratch(t)
}

// lease makes the lease of an output, nil where it has no bytes.
func (p *Pipeline) lease(t *task, b int) (*budget.Lease, error) {
	bytes := t.flight.shape.Sched.Carried[b]
	if bytes == 0 {
		return nil, nil
	}
	class, holder := p.program.ClassOn(p.program.ClassOf[b], t.Device), t.flight.holder(p, t.stage)
	if p.stages[t.stage].charged[b-p.program.BufferAt[t.stage][0]] {
		return p.tracker.Charge(class, bytes, holder)
	}
	return p.tracker.Lease(class, bytes, holder)
}

func (f *flight) holder(p *Pipeline, s int) string {
	return fmt.Sprintf("%s[%d] at %s", f.item.Job, f.item.Index, p.program.Spec.Stages[s].Name)
}

func (p *Pipeline) leaseScratch(t *task) error {
	for _, amount := range t.flight.shape.Scratch[t.stage] {
		take := p.tracker.Lease
		if amount.Heap {
			take = p.tracker.Charge
		}
		lease, err := take(p.program.ClassOn(amount.Class, t.Device), amount.Bytes, t.flight.holder(p, t.stage))
		if err != nil {
			return err
		}
		t.Scratches = append(t.Scratches, stage.Scratch{Class: amount.Name, Lease: lease})
	}
	return nil
}

// settle gives back what the body held, before the core hears of its end: scratch, inputs that it was the last to hold,
// outputs that nobody takes. After an error the item's buffers stay until it is dropped. What changed while the body worked on
// it explains every other error.
func (p *Pipeline) settle(t *task, err error) error {
	if changed := t.Intact(); changed != nil {
		err = changed
	}
	for _, scratch := range t.Scratches {
		err = errors.Join(err, release(scratch.Lease))
	}
	t.Scratches = nil
	if err != nil {
		return err
	}
	if err := p.takeOver(t); err != nil {
		return err
	}
	p.keepValues(t)
	for _, e := range p.program.Graph.Stages[t.stage].In {
		err = errors.Join(err, t.flight.let(p.program.Graph.Edges[e].Buffer))
	}
	for _, b := range p.program.BufferAt[t.stage] {
		err = errors.Join(err, t.flight.let(b))
	}
	return err
}

// takeOver turns the lease of an input into that of the output which takes it over.
func (p *Pipeline) takeOver(t *task) error {
	for _, b := range p.program.BufferAt[t.stage] {
		from := p.program.Graph.Buffers[b].Takes
		if from < 0 {
			continue
		}
		lease := t.flight.buffers[from].Lease
		t.flight.buffers[from].Lease = nil
		t.flight.buffers[b].Lease = lease
		if lease == nil {
			continue
		}
		if err := lease.Shrink(min(lease.Size(), t.flight.shape.Sched.Carried[b])); err != nil {
			return err
		}
		if err := lease.Recast(p.program.ClassOn(p.program.ClassOf[b], t.Device)); err != nil {
			return err
		}
		if err := lease.HandOver(t.flight.holder(p, t.stage)); err != nil {
			return err
		}
	}
	return nil
}

// keepValues keeps the small outputs that no edge takes for the job's result. A value that is to be closed is not kept:
// it ends with its buffer.
func (p *Pipeline) keepValues(t *task) {
	for o, b := range p.program.BufferAt[t.stage] {
		if p.program.ClassOf[b] >= 0 || len(p.program.Graph.Buffers[b].Edges) > 0 {
			continue
		}
		if _, ends := t.flight.buffers[b].Value.(io.Closer); ends {
			continue
		}
		port := p.program.Spec.Stages[t.stage].Outputs[o].Port.Name
		p.keepValue(t.flight, p.program.Spec.Stages[t.stage].Name+"."+port, t.flight.buffers[b].Value)
	}
}

func release(l *budget.Lease) error {
	if l == nil {
		return nil
	}
	return l.Release()
}
