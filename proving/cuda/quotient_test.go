package cuda_test

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/proving/cuda"
	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/proving/engine/gnark"
	"github.com/proofgraph/proofgraph/proving/format/wtns"
	"github.com/proofgraph/proofgraph/proving/format/zkey"
	"github.com/proofgraph/proofgraph/proving/groth16"
	"github.com/proofgraph/proofgraph/proving/internal/view"
)

// circuit is a constraint system as a key has it, with a witness.
type circuit struct {
	cuda.System
	records, witness []byte
}

// randomCircuit has rows of 0 to `most` terms, `long` more in one of them, and 200 different coefficients, or `distinct`.
func randomCircuit(t require.TestingT, id curve.ID, source *rand.Rand, log, most, long, distinct int) *circuit {
	size, err := cuda.NewDomainSize(id, 1<<log)
	require.NoError(t, err)
	c := &circuit{System: cuda.System{DomainSize: size, Wires: 40, Distinct: distinct}}
	c.witness = randomScalars(source, c.Wires)
	copy(c.witness, make([]byte, 32))
	values := randomScalars(source, cmp.Or(distinct, 200))
	for row := range size.Elements() {
		terms := source.IntN(most + 1)
		if row == size.Elements()/2 {
			terms += long
		}
		for range terms {
			c.add(source, row, values)
		}
	}
	return c
}

func (c *circuit) add(source *rand.Rand, row int, values []byte) {
	for _, n := range []int{source.IntN(2), row, source.IntN(c.Wires)} {
		c.records = binary.LittleEndian.AppendUint32(c.records, uint32(n))
	}
	value := source.IntN(len(values) / 32)
	c.records = append(c.records, values[32*value:][:32]...)
	c.Records++
}

// rows are those of a, b and c, one vector after another.
func (c *circuit) rows(t require.TestingT) []byte {
	n := int(c.VectorBytes())
	abc := view.Allocate(int64(3 * n))
	e, err := gnark.New(c.Curve)
	require.NoError(t, err)
	dst := engine.Evaluations{A: abc[:n], B: abc[n : 2*n], C: abc[2*n:]}
	require.NoError(t, e.Evaluate(ctx, dst, c.records, c.witness, 1))
	return abc
}

// quotient is h by the CPU.
func (c *circuit) quotient(t require.TestingT) []byte {
	n, abc := int(c.VectorBytes()), c.rows(t)
	e, err := gnark.New(c.Curve)
	require.NoError(t, err)
	require.NoError(t, groth16.Quotient(ctx, e, abc[:n], abc[n:2*n], abc[2*n:], nil, 1))
	return abc[:n]
}

// constraints loads a circuit.
func (l *loan) constraints(c *circuit) *cuda.Constraints {
	k, p, err := l.device.LoadConstraints(c.System, c.records, l.onDevice(c.Bytes()), l.scratch(c.LoadNeed()), 2)
	require.NoError(l.t, err)
	require.NoError(l.t, p.Wait(ctx))
	return k
}

// domain builds a domain.
func (l *loan) domain(size cuda.DomainSize) *cuda.Domain {
	d, p, err := l.device.BuildDomain(size, l.onDevice(size.Bytes()))
	require.NoError(l.t, err)
	require.NoError(l.t, p.Wait(ctx))
	return d
}

// quotient is h of a circuit by the device.
func (l *loan) quotient(k *cuda.Constraints, domain *cuda.Domain, witness []byte) []byte {
	h, scratch := l.onDevice(k.VectorBytes()), l.scratch(k.QuotientNeed(domain != nil))
	p, err := l.device.QuotientOfWitness(k, domain, l.upload(witness), h, scratch)
	require.NoError(l.t, err)
	require.NoError(l.t, p.Wait(ctx))
	return l.read(h)
}

func TestQuotientOfCircuitsOfEverySize(t *testing.T) {
	d := openDevice(t)
	for _, id := range curve.All() {
		for _, c := range []struct{ log, most, long, distinct int }{
			{1, 0, 0, 0}, {1, 3, 0, 0}, {2, 3, 0, 7}, {3, 2, 5000, 0}, {6, 4, 3000, 30}, {9, 6, 0, 250}, {11, 1, 0, 0}, {13, 5, 2000, 0},
		} {
			t.Run(fmt.Sprintf("%s/%+v", id, c), func(t *testing.T) {
				l := lender(t, d)
				given := randomCircuit(t, id, rand.New(rand.NewPCG(1, uint64(c.log))), c.log, c.most, c.long, c.distinct)
				k, want := l.constraints(given), given.quotient(t)
				require.Equal(t, want, l.quotient(k, nil, given.witness))
				require.Equal(t, want, l.quotient(k, l.domain(given.DomainSize), given.witness))
			})
		}
	}
}

func TestQuotientOfAnyCircuit(t *testing.T) {
	d := openDevice(t)
	rapid.Check(t, func(t *rapid.T) {
		l := lender(t, d)
		id := rapid.SampledFrom(curve.All()).Draw(t, "curve")
		source := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		c := randomCircuit(t, id, source, rapid.IntRange(1, 7).Draw(t, "log"), rapid.IntRange(0, 40).Draw(t, "most"),
			rapid.SampledFrom([]int{0, 0, 1023, 1024, 1025, 2100}).Draw(t, "long"), rapid.SampledFrom([]int{0, 2, 100}).Draw(t, "distinct"))
		require.Equal(t, c.quotient(t), l.quotient(l.constraints(c), nil, c.witness))
	})
}

func TestQuotientOfGoldenKeys(t *testing.T) {
	d := openDevice(t)
	for _, id := range curve.All() {
		t.Run(id.String(), func(t *testing.T) {
			for _, distinct := range []int{0, 20} {
				c := goldenCircuit(t, id)
				c.Distinct = distinct
				l := lender(t, d)
				require.Equal(t, c.quotient(t), l.quotient(l.constraints(c), nil, c.witness))
			}
		})
	}
}

// goldenCircuit is that of a key made by snarkjs.
func goldenCircuit(t *testing.T, id curve.ID) *circuit {
	dir := filepath.Join("..", "testdata", id.String())
	key, err := zkey.Open(ctx, filepath.Join(dir, "cells.zkey"), 1)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, key.Close()) })
	w, err := wtns.Open(filepath.Join(dir, "cells.wtns"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.Close()) })
	size, err := cuda.NewDomainSize(id, key.DomainSize)
	require.NoError(t, err)
	records := len(key.Records) / zkey.RecordSize
	return &circuit{cuda.System{DomainSize: size, Wires: key.NVars, Records: records}, key.Records, w.Values}
}

func TestQuotientOfRowsOfTheHost(t *testing.T) {
	d := openDevice(t)
	for _, id := range curve.All() {
		for _, log := range []int{1, 2, 7, 13} {
			c := randomCircuit(t, id, rand.New(rand.NewPCG(2, uint64(log))), log, 3, 0, 0)
			want := c.quotient(t)
			for _, pinned := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/2^%d/pinned=%v", id, log, pinned), func(t *testing.T) {
					checkQuotientOfRows(t, lender(t, d), c, want, pinned)
				})
			}
		}
	}
}

func checkQuotientOfRows(t *testing.T, l *loan, c *circuit, want []byte, pinned bool) {
	rows := func(uploaded func() error) cuda.HostRows {
		place := cuda.OnHost
		if pinned {
			place = cuda.InPinned
		}
		return cuda.HostRows{Size: c.DomainSize, Rows: l.place(c.rows(t), place), Uploaded: uploaded}
	}
	run := func(r cuda.HostRows, domain *cuda.Domain, h *cudabind.Buffer) {
		p, err := l.device.QuotientOfRows(r, domain, h, l.scratch(c.RowsNeed(r.Rows.Place(), domain != nil, h != nil)), 2)
		require.NoError(t, err)
		require.NoError(t, p.Wait(ctx))
	}
	for _, domain := range []*cuda.Domain{nil, l.domain(c.DomainSize)} {
		toHost := rows(func() error { t.Error("rows that take h in are not free"); return nil })
		run(toHost, domain, nil)
		require.Equal(t, want, toHost.Rows.Host[:c.VectorBytes()])

		h, uploads := l.onDevice(c.VectorBytes()), 0
		toDevice := rows(nil)
		toDevice.Uploaded = func() error { uploads++; clear(toDevice.Rows.Host); return nil }
		run(toDevice, domain, h)
		require.Equal(t, want, l.read(h))
		require.Equal(t, 1, uploads)
	}
}
