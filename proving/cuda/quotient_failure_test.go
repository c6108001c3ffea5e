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

// Bytes are what steps take, neither more nor less.
func TestLessMemoryThanNeededIsRefused(t *testing.T) {
	l := lender(t, openDevice(t))
	c := randomCircuit(t, curve.BN254, rand.New(rand.NewPCG(5, 0)), 5, 3, 0, 0)
	less := func(bytes int64) *cudabind.Buffer { return l.onDevice(bytes - 1) }
	k, w, h := l.constraints(c), l.upload(c.witness), l.onDevice(c.VectorBytes())
	rows := cuda.HostRows{Size: c.DomainSize, Rows: cuda.Vector{Host: c.rows(t)}}
	need, load := c.RowsNeed(cuda.OnHost, false, true), c.LoadNeed()
	for name, step := range map[string]func() error{
		"constraints": func() error {
			_, _, err := l.device.LoadConstraints(c.System, c.records, less(c.Bytes()), l.scratch(load), 1)
			return err
		},
		"staging": func() error {
			_, _, err := l.device.LoadConstraints(c.System, c.records, l.onDevice(c.Bytes()), cuda.Scratch{Pinned: l.pinned(load.Pinned - 1)}, 1)
			return err
		},
		"a record": func() error {
			_, _, err := l.device.LoadConstraints(c.System, c.records[44:], l.onDevice(c.Bytes()), l.scratch(load), 1)
			return err
		},
		"domain": func() error { _, _, err := l.device.BuildDomain(c.DomainSize, less(c.DomainSize.Bytes())); return err },
		"scratch": func() error {
			_, err := l.device.QuotientOfWitness(k, nil, w, h, cuda.Scratch{Device: less(c.QuotientNeed(false).Device)})
			return err
		},
		"h": func() error {
			_, err := l.device.QuotientOfWitness(k, nil, w, less(c.VectorBytes()), l.scratch(c.QuotientNeed(false)))
			return err
		},
		"no h": func() error {
			_, err := l.device.QuotientOfWitness(k, nil, w, nil, l.scratch(c.QuotientNeed(false)))
			return err
		},
		"rows": func() error {
			short := rows
			short.Rows.Host = short.Rows.Host[:len(short.Rows.Host)-32]
			_, err := l.device.QuotientOfRows(short, nil, h, l.scratch(need), 1)
			return err
		},
		"pinned": func() error {
			_, err := l.device.QuotientOfRows(rows, nil, h, cuda.Scratch{Device: l.onDevice(need.Device), Pinned: l.pinned(need.Pinned - 1)}, 1)
			return err
		},
		"another domain": func() error {
			size, err := cuda.NewDomainSize(curve.BN254, 4)
			require.NoError(t, err)
			_, err = l.device.QuotientOfRows(rows, l.domain(size), h, l.scratch(need), 1)
			return err
		},
	} {
		require.ErrorIs(t, step(), engine.ErrOperand, name)
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
