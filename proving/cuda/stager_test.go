package cuda

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/cudabind/standin"
)

// Memory of many pieces goes to the device and back through little staging, in one lane and in several.
func TestBytesComeBackThroughLittleStaging(t *testing.T) {
	standin.Use(t)
	m := NewMachine()
	require.NoError(t, m.Problem())
	t.Cleanup(func() { require.NoError(t, m.Close()) })
	d, err := m.Device(0)
	require.NoError(t, err)
	for _, size := range []int{0, 1, 63, 64, 65, 128, 1000, 4096} {
		thereAndBack(t, d, size, leastStaging, 2, 1)
	}
	for threads, lanes := range map[int]int{0: 1, 1: 1, 2: 2, 3: 3, 7: 4} {
		for _, size := range []int{0, 1, 1 << 18, 3<<20 + 5} {
			thereAndBack(t, d, size, 4*leastLane+100, threads, lanes)
		}
	}
}

func thereAndBack(t *testing.T, d *Device, size, stagingBytes, threads, lanes int) {
	data, back := randomBytes(size), make([]byte, size)
	on, err := d.Alloc(max(size, 1))
	require.NoError(t, err)
	staging, err := cudabind.AllocPinned(stagingBytes)
	require.NoError(t, err)
	p, err := d.perform(false, func(ctx context.Context, s *cudabind.Stream) error {
		st, err := newStager(s, staging, threads)
		if err != nil {
			return err
		}
		defer st.close()
		require.Equal(t, lanes, st.lanes)
		if err := st.upload(ctx, on, data); err != nil {
			return err
		}
		return st.download(ctx, back, on)
	})
	require.NoError(t, err)
	require.NoError(t, p.Wait(context.Background()))
	require.True(t, bytes.Equal(data, back), "%d bytes, %d threads", size, threads)
	require.NoError(t, on.Free())
	require.NoError(t, cudabind.FreePinned(staging))
}

func randomBytes(n int) []byte {
	source, data := rand.New(rand.NewPCG(6, 0)), make([]byte, n)
	for i := range data {
		data[i] = byte(source.Uint32())
	}
	return data
}
