package cuda

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/proving/curve"
)

func TestADictionaryNumbersDistinctValuesUntilItIsFull(t *testing.T) {
	const most = 100
	value := func(i int) []byte {
		v := make([]byte, curve.ScalarSize)
		binary.LittleEndian.PutUint32(v[i%28:], uint32(i*i))
		return v
	}
	d := newDictionary(make([]byte, dictionaryBytes(most)), most)
	for range 3 {
		for i := range most {
			code, ok := d.code(value(i))
			require.True(t, ok)
			require.Equal(t, value(i), d.value(code))
			require.Equal(t, i, code)
		}
	}
	_, ok := d.code(value(most))
	require.False(t, ok, "full")
	code, ok := d.code(value(most - 1))
	require.True(t, ok)
	require.Equal(t, most-1, code)
}
