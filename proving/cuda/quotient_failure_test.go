package cuda_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/cudabind/standin"
	"github.com/proofgraph/proofgraph/proving/cuda"
	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
)

// quotientAttempt is every step of a quotient, or what became of it.
type quotientAttempt struct {
	*loan
	*circuit
	constraints, domain, witness, h, onDevice *cudabind.Buffer
	load, make, rows                          cuda.Scratch
}

func newQuotientAttempt(t *testing.T, d *cuda.Device) *quotientAttempt {
	l, c := lender(t, d), randomCircuit(t, curve.BN254, rand.New(rand.NewPCG(3, 0)), 4, 3, 0, 0)
	return &quotientAttempt{
		loan: l, circuit: c, constraints: l.onDevice(c.Bytes()), domain: l.onDevice(c.DomainSize.Bytes()),
		witness: l.upload(c.witness), h: l.onDevice(c.VectorBytes()), onDevice: l.onDevice(c.VectorBytes()),
		load: l.scratch(c.LoadNeed()), make: l.scratch(c.QuotientNeed(false)), rows: l.scratch(c.RowsNeed(cuda.OnHost, true, false)),
	}
}

// run takes all steps; memory of the loan ends with the test, which the stand-in refuses while a step uses it.
func (a *quotientAttempt) run(ctx context.Context) (ofWitness, ofRows []byte, err error) {
	k, p, err := a.device.LoadConstraints(a.System, a.records, a.constraints, a.load, 1)
	if err = ended(ctx, p, err); err != nil {
		return nil, nil, err
	}
	domain, p, err := a.device.BuildDomain(a.DomainSize, a.domain)
	if err = ended(ctx, p, err); err != nil {
		return nil, nil, err
	}
	p, err = a.device.QuotientOfWitness(k, nil, a.witness, a.h, a.make)
	if err = ended(ctx, p, err); err != nil {
		return nil, nil, err
	}
	rows := cuda.HostRows{Size: a.DomainSize, Rows: cuda.Vector{Host: a.circuit.rows(a.t)}}
	p, err = a.device.QuotientOfRows(rows, domain, nil, a.rows, 1)
	return a.read(a.h), rows.Rows.Host[:a.VectorBytes()], ended(ctx, p, err)
}

func ended(ctx context.Context, p *cuda.Pending, err error) error {
	if err != nil {
		return err
	}
	return p.Wait(ctx)
}

func (a *quotientAttempt) requireWorks(t *testing.T) {
	ofWitness, ofRows, err := a.run(ctx)
	require.NoError(t, err)
	require.Equal(t, a.circuit.quotient(t), ofWitness)
	require.Equal(t, a.circuit.quotient(t), ofRows)
}

func TestFailuresOfQuotients(t *testing.T) {
	for _, call := range []string{
		"pg_stream_create:1", "pg_event_create:1", "pg_event_create:2", "pg_event_create:4", "pg_copy_to_device:1",
		"pg_copy_to_device:2", "pg_copy_to_device:3:later", "pg_copy_to_device:5", "pg_event_record:1", "pg_event_synchronize:1",
		"pg_ntt_table_build:1", "pg_ntt_table_build:2:later", "pg_powers_build:1", "pg_powers_build:1:later", "pg_evaluate:1",
		"pg_evaluate:1:later", "pg_quotient:1", "pg_quotient:1:later", "pg_quotient:2", "pg_quotient:2:later",
		"pg_copy_to_device:7:later", "pg_copy_to_host:2", "pg_copy_to_host:2:later",
	} {
		t.Run(call, func(t *testing.T) {
			a := newQuotientAttempt(t, openDevice(t))
			inject(t, call)
			_, _, err := a.run(ctx)
			inject(t)
			requireFailure(t, err)
			a.requireWorks(t)
		})
	}
}

func TestCancelledQuotientsDrain(t *testing.T) {
	d := openDevice(t, standin.Delay(time.Millisecond))
	for after := time.Duration(0); after < 14*time.Millisecond; after += 2 * time.Millisecond {
		t.Run(after.String(), func(t *testing.T) {
			a := newQuotientAttempt(t, d)
			stopping, stop := context.WithTimeout(ctx, after)
			defer stop()
			_, _, err := a.run(stopping)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			a.requireWorks(t)
		})
	}
}

func TestMoreDistinctCoefficientsThanAllowedAreRefused(t *testing.T) {
	l := lender(t, openDevice(t))
	c := randomCircuit(t, curve.BLS12381, rand.New(rand.NewPCG(4, 0)), 9, 4, 0, 0)
	c.Distinct = 100
	_, p, err := l.device.LoadConstraints(c.System, c.records, l.onDevice(c.Bytes()), l.scratch(c.LoadNeed()), 1)
	require.ErrorIs(t, ended(ctx, p, err), cuda.ErrCoefficients)
}

// Bytes and Needs are what steps take, neither more nor less.
func TestLoadsInLessMemoryThanNeededAreRefused(t *testing.T) {
	l := lender(t, openDevice(t))
	c := randomCircuit(t, curve.BN254, rand.New(rand.NewPCG(5, 0)), 5, 3, 0, 0)
	need := c.LoadNeed()
	load := func(records []byte, to *cudabind.Buffer, scratch cuda.Scratch) error {
		_, _, err := l.device.LoadConstraints(c.System, records, to, scratch, 1)
		return err
	}
	for name, err := range map[string]error{
		"constraints": load(c.records, l.onDevice(c.Bytes()-1), l.scratch(need)),
		"staging":     load(c.records, l.onDevice(c.Bytes()), cuda.Scratch{Pinned: l.pinned(need.Pinned - 1)}),
		"a record":    load(c.records[44:], l.onDevice(c.Bytes()), l.scratch(need)),
	} {
		require.ErrorIs(t, err, engine.ErrOperand, name)
	}
	_, _, err := l.device.BuildDomain(c.DomainSize, l.onDevice(c.DomainSize.Bytes()-1))
	require.ErrorIs(t, err, engine.ErrOperand, "domain")
}

func TestQuotientsInLessMemoryThanNeededAreRefused(t *testing.T) {
	l := lender(t, openDevice(t))
	c := randomCircuit(t, curve.BN254, rand.New(rand.NewPCG(5, 0)), 5, 3, 0, 0)
	k, w, h := l.constraints(c), l.upload(c.witness), l.onDevice(c.VectorBytes())
	need := c.QuotientNeed(false)
	quotient := func(h *cudabind.Buffer, scratch cuda.Scratch) error {
		_, err := l.device.QuotientOfWitness(k, nil, w, h, scratch)
		return err
	}
	for name, err := range map[string]error{
		"scratch": quotient(h, cuda.Scratch{Device: l.onDevice(need.Device - 1)}),
		"h":       quotient(l.onDevice(c.VectorBytes()-1), l.scratch(need)),
		"no h":    quotient(nil, l.scratch(need)),
	} {
		require.ErrorIs(t, err, engine.ErrOperand, name)
	}
}

func TestQuotientsOfRowsInLessMemoryThanNeededAreRefused(t *testing.T) {
	l := lender(t, openDevice(t))
	c := randomCircuit(t, curve.BN254, rand.New(rand.NewPCG(5, 0)), 5, 3, 0, 0)
	rows, h, need := c.rows(t), l.onDevice(c.VectorBytes()), c.RowsNeed(cuda.OnHost, false, true)
	quotient := func(rows []byte, domain *cuda.Domain, scratch cuda.Scratch) error {
		of := cuda.HostRows{Size: c.DomainSize, Rows: cuda.Vector{Host: rows}}
		_, err := l.device.QuotientOfRows(of, domain, h, scratch, 1)
		return err
	}
	another, err := cuda.NewDomainSize(curve.BN254, 4)
	require.NoError(t, err)
	for name, err := range map[string]error{
		"rows":           quotient(rows[:len(rows)-32], nil, l.scratch(need)),
		"pinned":         quotient(rows, nil, cuda.Scratch{Device: l.onDevice(need.Device), Pinned: l.pinned(need.Pinned - 1)}),
		"another domain": quotient(rows, l.domain(another), l.scratch(need)),
	} {
		require.ErrorIs(t, err, engine.ErrOperand, name)
	}
}

func TestDomainsThatCannotBeTransformed(t *testing.T) {
	for _, c := range []struct {
		id       curve.ID
		elements int
	}{{curve.BN254, 0}, {curve.BN254, 1}, {curve.BN254, 3}, {curve.BN254, 1 << 28}, {curve.BLS12381, 1 << 29}, {curve.BN254, -8}} {
		_, err := cuda.NewDomainSize(c.id, c.elements)
		require.ErrorIs(t, err, engine.ErrDomainSize, "%d of %s", c.elements, c.id)
	}
	size, err := cuda.NewDomainSize(curve.BLS12381, 1<<28)
	require.NoError(t, err)
	require.Equal(t, 1<<28, size.Elements())
}
