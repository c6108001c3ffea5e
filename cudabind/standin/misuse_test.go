//go:build cgo && linux

package standin_test

import (
	"testing"
	"unsafe"

	"github.com/consensys/gnark-crypto/ecc/bn254/fr"
	"github.com/consensys/gnark-crypto/ecc/bn254/fr/fft"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/cudabind/standin"
)

const bn = cudabind.BN254

func bytesOf[T any](values []T) []byte {
	var one T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(one)))
}

func element(value uint64) []byte { return bytesOf([]fr.Element{fr.NewElement(value)}) }

func root(logN int) []byte { return bytesOf([]fr.Element{fft.NewDomain(1 << logN).Generator}) }

func (m *machine) twiddles(logN int) *cudabind.Buffer {
	m.t.Helper()
	table := m.alloc(cudabind.NTTTableBytes(bn, logN))
	require.NoError(m.t, m.stream.BuildNTTTable(bn, logN, root(logN), table))
	return table
}

func (m *machine) powers(logN int) *cudabind.Buffer {
	m.t.Helper()
	powers := m.alloc(cudabind.PowersBytes(bn, logN))
	require.NoError(m.t, m.stream.BuildPowers(bn, logN, element(3), element(1), powers))
	return powers
}

func TestRootsMustBePrimitive(t *testing.T) {
	m := start(t)
	table := m.alloc(cudabind.NTTTableBytes(bn, 5))
	requireRefused(t, m.stream.BuildNTTTable(bn, 5, root(4), table), "no primitive 2^5-th root of unity")
}

func TestTablesKnowWhatTheyAre(t *testing.T) {
	cases := map[string]struct {
		table, powers func(m *machine) *cudabind.Buffer
		words         string
	}{
		"table of another size": {
			func(m *machine) *cudabind.Buffer { return m.twiddles(4) }, nil,
			"pg_ntt: table was built for curve 1 and 2^4 elements, not curve 1 and 2^3",
		},
		"table never built": {
			func(m *machine) *cudabind.Buffer { return m.alloc(cudabind.NTTTableBytes(bn, 3)) }, nil,
			"pg_ntt: table was not built by pg_ntt_table_build",
		},
		"powers of another size": {
			func(m *machine) *cudabind.Buffer { return m.twiddles(3) },
			func(m *machine) *cudabind.Buffer { return m.powers(6) },
			"pg_ntt: powers was built for curve 1 and 2^6 elements",
		},
		"powers as table": {
			func(m *machine) *cudabind.Buffer { return m.powers(3) }, nil,
			"pg_ntt: table was not built by pg_ntt_table_build",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			m := start(t)
			var powers *cudabind.Buffer
			if c.powers != nil {
				powers = c.powers(m)
			}
			data := m.upload(make([]byte, 32<<3))
			require.NoError(t, m.stream.NTT(bn, 3, c.table(m), cudabind.Forward, cudabind.Natural, powers, data))
			requireRefused(t, m.stream.Synchronize(), c.words)
		})
	}
}

func TestTablesAreAligned(t *testing.T) {
	m := start(t)
	table := slice(t, m.alloc(16+cudabind.NTTTableBytes(bn, 3)), 16, cudabind.NTTTableBytes(bn, 3))
	requireRefused(t, m.stream.BuildNTTTable(bn, 3, root(3), table), "no multiple of 256")
}

func TestQuotientConsumesItsOperands(t *testing.T) {
	m := start(t)
	const logN, bytes = 3, 32 << 3
	a, b, c := m.upload(make([]byte, bytes)), m.upload(make([]byte, bytes)), m.upload(make([]byte, bytes))
	table, forth := m.twiddles(logN), m.powers(logN)
	requireRefused(t, m.stream.Quotient(bn, logN, table, forth, nil, false, a, b, b), "b and c overlap")
	require.NoError(t, m.stream.Quotient(bn, logN, table, forth, nil, false, a, b, c))
	require.Equal(t, make([]byte, bytes), m.download(a))
	require.EqualValues(t, poison, m.download(b)[5])
	require.EqualValues(t, poison, m.download(c)[5])
}

// sum is a started sum of one point, its config and its parts.
func (m *machine) sum(bases *cudabind.Buffer) (cudabind.MSMConfig, []byte) {
	m.t.Helper()
	config, err := cudabind.MSMConfig{Group: cudabind.BN254G1}.Configure(1)
	require.NoError(m.t, err)
	parts := m.pinned(config.ResultBytes())
	scalars, scratch := m.upload(bytesOf([]fr.Element{{1}})), m.alloc(config.ScratchBytes(1))
	require.NoError(m.t, m.stream.MSMStart(config, 1, bases, scalars, scratch, parts))
	return config, parts
}

func TestSumsMustBeWaitedFor(t *testing.T) {
	m := start(t, standin.Delay(slow))
	config, parts := m.sum(m.upload(make([]byte, 64)))
	point := make([]byte, 64)
	requireRefused(t, cudabind.MSMFinish(config, parts, point), "was the stream waited for?")
	require.NoError(t, m.stream.Synchronize())
	require.NoError(t, cudabind.MSMFinish(config, parts, point))
}

func TestSumsKnowTheirConfig(t *testing.T) {
	m := start(t)
	config, parts := m.sum(m.upload(make([]byte, 64)))
	require.NoError(t, m.stream.Synchronize())
	config.WindowBits++
	requireRefused(t, cudabind.MSMFinish(config, parts, make([]byte, 64)), "the sum of another config")
}

func TestUnwrittenBasesAreRefused(t *testing.T) {
	m := start(t)
	m.sum(m.alloc(64))
	requireRefused(t, m.stream.Synchronize(), "pg_msm_start: bases[0] has a coordinate not below the modulus")
}

func TestScratchIsApart(t *testing.T) {
	m := start(t)
	config, err := cudabind.MSMConfig{Group: cudabind.BN254G1}.Configure(1)
	require.NoError(t, err)
	bases, scratch := m.alloc(64), m.alloc(config.ScratchBytes(1))
	parts := m.pinned(config.ResultBytes())
	requireRefused(t, m.stream.MSMStart(config, 1, bases, slice(t, scratch, 64, 32), scratch, parts),
		"scalars and scratch overlap")
	config.WindowBits = 40
	requireRefused(t, m.stream.MSMStart(config, 1, bases, bases, scratch, parts), "window_bits is 40")
}
