package stages

import (
	"fmt"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/cuda"
	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
	"github.com/proofgraph/proofgraph/proving/groth16"
)

// operands are what a task's sum on a GPU adds up, where it lies.
func (s deviceSum) operands(d *cuda.Device, o stage.Options, t *stage.Task) (from cuda.Operands, err error) {
	if o.String(optionBases) == device {
		from.Bases, err = s.residentBases(t)
	} else {
		from.Bases, err = s.keyBases(t)
	}
	if err != nil {
		return from, err
	}
	if o.String(optionScalars) == device {
		return from, s.residentScalars(&from, d, t)
	}
	return from, s.hostScalars(&from, t)
}

func (s deviceSum) residentBases(t *stage.Task) (cuda.Vector, error) {
	b, err := stage.In[*DeviceBases](t, "bases")
	if err != nil {
		return cuda.Vector{}, err
	}
	if b.Bases != s.Bases {
		return cuda.Vector{}, fmt.Errorf("%w: the bases are not those of query %s of the item's key", engine.ErrOperand, s.query)
	}
	return cuda.Vector{Device: b.Memory}, nil
}

func (s deviceSum) keyBases(t *stage.Task) (cuda.Vector, error) {
	key, err := stage.In[*zkey.Key](t, "key")
	if err != nil {
		return cuda.Vector{}, err
	}
	return cuda.Vector{Host: s.query.Bases(key), Pinned: pinned(t.InLease("key"))}, nil
}

// pinned says whether a lease has page-locked memory; one that only counts a mapped file has none.
func pinned(l *budget.Lease) bool { return l.Memory() == budget.Pinned && l.Bytes() != nil }

// hostScalars finds the query's scalars in the whole witness, or in h, and looks how many are neither 0 nor 1.
func (s deviceSum) hostScalars(from *cuda.Operands, t *stage.Task) error {
	whole, err := scalarsOf(t, s.query)
	if err != nil {
		return err
	}
	first, end := s.scalarBytes()
	if len(whole) != end {
		return fmt.Errorf("%w: %d bytes of scalars for query %s, which takes %d", engine.ErrOperand, len(whole), s.query, end)
	}
	from.Scalars = cuda.Vector{Host: whole[first:], Pinned: pinned(t.InLease(scalarsPort(s.query)))}
	if s.Sparse {
		from.Dense = cuda.Dense(whole[first:])
	}
	return nil
}

// residentScalars is hostScalars for a witness or h on the device.
func (s deviceSum) residentScalars(from *cuda.Operands, d *cuda.Device, t *stage.Task) error {
	whole := deviceMemory(d, t.InLease(scalarsPort(s.query)))
	first, end := s.scalarBytes()
	if whole == nil || whole.Bytes() != end {
		return fmt.Errorf("%w: query %s takes %d bytes of scalars on the device", engine.ErrOperand, s.query, end)
	}
	from.Scalars.Device, _ = whole.Slice(first, end-first)
	if !s.Sparse {
		return nil
	}
	w, err := stage.In[*DeviceWitness](t, "witness")
	if err != nil {
		return err
	}
	from.Dense = w.Dense
	return nil
}

// scalarBytes is where the query's scalars begin and end in the whole witness or in h, in bytes.
func (s deviceSum) scalarBytes() (first, end int) {
	first = s.query.FirstScalar(s.header)
	return first * curve.ScalarSize, (first + s.query.Terms(s.header)) * curve.ScalarSize
}

// scalarsPort is the input that the query's scalars come from.
func scalarsPort(q groth16.Query) string {
	if q == groth16.QueryH {
		return "h"
	}
	return "witness"
}
