package cuda

import (
	"fmt"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/proving/engine"
)

// sumLayout is how a sum is cut into slices and what each place in its scratch takes.
type sumLayout struct {
	terms, size, slices int // size: terms of a slice, but for the last
	configs             []cudabind.MSMConfig

	buffers         int   // for what arrives from the host: two, so that one fills while the other is summed
	points, scalars int64 // bytes of one such buffer; 0 where the operand is on the device
	scratch         int64 // of the kernels
	results         int   // sums of slices that the CPU has not added up yet
	result          int64 // bytes of one
	staging         int64
}

// mostResults lets one result be added up while a slice is summed and the next is queued.
const mostResults = 3

// lay cuts a sum. Slices are of one size, so that the last is no small one that costs as much as any.
func (s Sum) lay(bases, scalars Place) (sumLayout, error) {
	l := sumLayout{terms: s.Bases.Count}
	if s.Slice < 0 || s.Bases.hasTable() && bases != OnDevice {
		return l, fmt.Errorf("%w: slices of %d terms, %d multiples on the host", engine.ErrOperand, s.Slice, s.Bases.Multiples)
	}
	if l.terms == 0 {
		return l, nil
	}
	l.slices = divideUp(l.terms, s.mostTerms(bases))
	l.size = divideUp(l.terms, l.slices)
	l.slices = divideUp(l.terms, l.size)
	l.buffers, l.results = min(l.slices, 2), min(l.slices, mostResults)
	var err error
	if l.configs, err = s.configs(l.size); err != nil {
		return l, err
	}
	l.scratch, l.result = mostScratch(l.configs, l.size), aligned(mostResult(l.configs))
	if bases != OnDevice {
		l.points = s.Bases.pointBytes(l.size)
	}
	if scalars != OnDevice {
		l.scalars = scalarBytes(l.size)
	}
	l.staging = max(stagingFor(s.Bases.pointBytes(l.terms), bases), stagingFor(scalarBytes(l.terms), scalars))
	return l, nil
}

// mostTerms is the size of a slice at most.
func (s Sum) mostTerms(bases Place) int {
	switch {
	case s.Bases.hasTable():
		return s.Bases.Count
	case s.Slice > 0:
		return s.Slice
	case bases == OnDevice:
		return s.Bases.Count
	}
	return SliceBytes / int(s.Bases.pointBytes(1))
}

func divideUp(a, b int) int { return (a + b - 1) / b }

func (l sumLayout) need() Need {
	return Need{
		Device: int64(l.buffers)*(aligned(l.points)+aligned(l.scalars)) + aligned(l.scratch),
		Pinned: aligned(l.staging) + int64(l.results)*l.result,
	}
}

// queuesAtOnce says that queueing never waits: for staging, or for a result's place.
func (l sumLayout) queuesAtOnce() bool { return l.staging == 0 && l.slices <= l.results }

// configFor is the configuration for sums with so many dense scalars in all slices; 0 stands for any number.
func (l sumLayout) configFor(dense int) (config cudabind.MSMConfig) {
	if l.slices == 0 {
		return config
	}
	if dense == 0 {
		dense = l.terms
	}
	return chooseConfig(l.configs, l.size, divideUp(min(dense, l.terms), l.slices))
}

// slice is the place of the i-th slice.
func (l sumLayout) slice(i int) (first, count int) {
	first = i * l.size
	return first, min(l.size, l.terms-first)
}
