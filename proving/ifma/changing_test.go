package ifma

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// Scalars may lie in a mapped file. Whatever somebody writes there while they are read, nothing outside the memory for digits is
// written, and the digits that come of it are those of some scalars.
func TestScalarsThatChangeWhileTheyAreRead(t *testing.T) {
	if ok, why := Available(); !ok {
		t.Skip(why)
	}
	const n, guard = 1 << 12, 4096
	ctx := context.Background()
	scalars := make([]byte, n*ScalarBytes)
	need := DigitsBytes(n)
	memory := make([]byte, need+guard)
	for i := range guard {
		memory[need+i] = 0xa5
	}
	var stop, ended = make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		writeForEver(scalars, stop)
	}()
	changed := 0
	for range 2000 {
		_, err := Decompose(ctx, BN254, scalars, Canonical, memory[:need:need], 2)
		if err != nil {
			require.ErrorIs(t, err, ErrChanged)
			changed++
		}
	}
	close(stop)
	<-ended
	for i := range guard {
		require.Equal(t, byte(0xa5), memory[need+i], "byte %d beyond the memory", i)
	}
	require.Positive(t, changed)
	_, err := Decompose(ctx, BN254, scalars, Canonical, memory[:need:need], 2)
	require.NoError(t, err)
}

// writeForEver makes scalars 0, 1 or large at random places, as another process would.
func writeForEver(scalars []byte, stop <-chan struct{}) {
	random := rand.New(rand.NewPCG(1, 2))
	for {
		select {
		case <-stop:
			return
		default:
		}
		at := random.IntN(len(scalars)/ScalarBytes) * ScalarBytes
		words := [4]uint64{random.Uint64N(2)}
		if random.IntN(2) == 0 {
			words = [4]uint64{random.Uint64(), random.Uint64(), random.Uint64(), random.Uint64() >> 4}
		}
		for i, w := range words {
			atomic.StoreUint64((*uint64)(unsafe.Pointer(&scalars[at+8*i])), w)
		}
	}
}
