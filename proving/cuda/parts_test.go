package cuda

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/proving/curve"
)

func TestPartsOfAnyRows(t *testing.T) {
	lengths := rapid.OneOf(rapid.Just(0), rapid.IntRange(0, 9), rapid.IntRange(500, 530),
		rapid.IntRange(cudabind.PartTerms-2, cudabind.PartTerms+2))
	rapid.Check(t, func(t *rapid.T) {
		log := rapid.IntRange(1, 12).Draw(t, "log")
		rows := rapid.SliceOfN(lengths, 0, 1<<log).Draw(t, "rows")
		rows = append(rows, make([]int, 1<<log-len(rows))...)
		system := System{DomainSize: DomainSize{curve.BN254, log}}
		for _, terms := range rows {
			system.Records += terms
		}
		list := newPartList(make([]byte, numberBytes*(system.mostParts()+1)))
		for row, terms := range rows {
			list.add(row, terms)
		}
		requireParts(t, list, list.end(len(rows)), rows)
	})
}

// requireParts requires that parts are all rows, each short enough.
func requireParts(t require.TestingT, list *partList, parts int, rows []int) {
	at := func(i int) int { return int(binary.LittleEndian.Uint32(list.numbers[numberBytes*i:])) }
	require.Zero(t, at(0))
	require.Equal(t, len(rows), at(parts))
	for i := range parts {
		first, end, terms := at(i), at(i+1), 0
		require.Less(t, first, end)
		for _, n := range rows[first:end] {
			terms += n
		}
		require.True(t, terms <= cudabind.PartTerms || end == first+1, "rows %d to %d have %d terms", first, end, terms)
		require.LessOrEqual(t, end-first, partRows)
	}
}

// The bound is reached nearly by rows that leave parts half empty.
func TestBoundOfPartsIsNotFarFromTheMost(t *testing.T) {
	system := System{DomainSize: DomainSize{curve.BN254, 10}, Records: 1024 * (cudabind.PartTerms/2 + 1)}
	list := newPartList(make([]byte, numberBytes*(system.mostParts()+1)))
	for row := range 1024 {
		list.add(row, cudabind.PartTerms/2+1)
	}
	require.Equal(t, 1024, list.end(1024))
	require.LessOrEqual(t, system.mostParts(), 1024+4)
}
