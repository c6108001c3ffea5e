//go:build cgo && linux

package standin_test

import (
	"math/rand/v2"
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	blsfr "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind"
)

// The whole way of a sum from a precomputed table, against gnark-crypto. testing/gpu does this and all the rest at
// length; see `make test-standin`.
func TestSumFromTable(t *testing.T) {
	const n = 60
	m, source := start(t), rand.New(rand.NewPCG(1, 2))
	_, _, _, generator := bls.Generators()
	logs, scalars := scalarsOf(source, n), scalarsOf(source, n)
	points := bls.BatchScalarMultiplicationG2(&generator, logs)
	want, err := new(bls.G2Affine).MultiExp(points, scalars, ecc.MultiExpConfig{})
	require.NoError(t, err)

	config, err := cudabind.MSMConfig{Group: cudabind.BLS12381G2, Copies: 3, ScalarsMontgomery: true}.Configure(n)
	require.NoError(t, err)
	bases := m.alloc(n * 192)
	require.NoError(t, m.stream.FixedBase(config.Group, n, bytesOf([]bls.G2Affine{generator}), m.upload(bytesOf(logs)),
		true, m.alloc(cudabind.FixedBaseScratchBytes(config.Group, n)), bases))
	table := m.alloc(config.Copies * n * 192)
	require.NoError(t, m.stream.BuildTable(config, n, bases, table, m.alloc(config.TableScratchBytes(n))))
	parts, point := m.pinned(config.ResultBytes()), make([]byte, 192)
	require.NoError(t, m.stream.MSMStart(config, n, table, m.upload(bytesOf(scalars)), m.alloc(config.ScratchBytes(n)), parts))
	require.NoError(t, m.stream.Synchronize())
	require.NoError(t, cudabind.MSMFinish(config, parts, point))
	require.Equal(t, bytesOf(points), m.download(bases))
	require.Equal(t, bytesOf([]bls.G2Affine{*want}), point)
}

func scalarsOf(source *rand.Rand, n int) []blsfr.Element {
	scalars := make([]blsfr.Element, n)
	for i := range scalars {
		scalars[i] = blsfr.Element{source.Uint64(), source.Uint64(), source.Uint64(), source.Uint64() >> 2}
	}
	scalars[0] = blsfr.Element{}
	return scalars
}
