package cuda_test

import (
	"bytes"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/proving/cuda"
)

const (
	guard  = 4096 // bytes before and after a loan
	poison = 0xA5
)

// lending is a test, or a round of a property test.
type lending interface {
	require.TestingT
	Cleanup(func())
}

// loan is memory as a step is given it: exactly as much as it asked for, full of what is no result, with guards around
// that it must not touch.
type loan struct {
	t      lending
	device *cuda.Device
	stream *cudabind.Stream
}

func lender(t lending, d *cuda.Device) *loan {
	s, err := d.NewStream()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return &loan{t, d, s}
}

// scratch lends what a step needs.
func (l *loan) scratch(n cuda.Need) cuda.Scratch {
	return cuda.Scratch{Device: l.onDevice(n.Device), Pinned: l.pinned(n.Pinned)}
}

func (l *loan) onDevice(size int64) *cudabind.Buffer {
	whole, err := l.device.Alloc(int(size) + 2*guard)
	require.NoError(l.t, err)
	require.NoError(l.t, l.stream.Fill(whole, poison))
	require.NoError(l.t, l.stream.Synchronize())
	l.t.Cleanup(func() {
		l.requireGuards(l.read(whole), "device")
		require.NoError(l.t, whole.Free(), "nothing may use the memory any more")
	})
	return l.device.At(unsafe.Add(whole.Address(), guard), int(size))
}

func (l *loan) pinned(size int64) []byte {
	whole, err := cudabind.AllocPinned(int(size) + 2*guard)
	require.NoError(l.t, err)
	copy(whole, bytes.Repeat([]byte{poison}, len(whole)))
	l.t.Cleanup(func() {
		l.requireGuards(whole, "pinned")
		require.NoError(l.t, cudabind.FreePinned(whole), "nothing may use the memory any more")
	})
	return whole[guard:][:size:size]
}

func (l *loan) requireGuards(whole []byte, what string) {
	want := bytes.Repeat([]byte{poison}, guard)
	require.Equal(l.t, want, whole[:guard], "%s memory before a loan", what)
	require.Equal(l.t, want, whole[len(whole)-guard:], "%s memory behind a loan", what)
}

func (l *loan) read(b *cudabind.Buffer) []byte {
	data := make([]byte, b.Bytes())
	require.NoError(l.t, l.stream.Download(data, b))
	require.NoError(l.t, l.stream.Synchronize())
	return data
}

// upload lends device memory that holds data.
func (l *loan) upload(data []byte) *cudabind.Buffer {
	b := l.onDevice(int64(len(data)))
	require.NoError(l.t, l.stream.Upload(b, data))
	require.NoError(l.t, l.stream.Synchronize())
	return b
}

// pin lends pinned memory that holds data, at no alignment.
func (l *loan) pin(data []byte) []byte {
	memory := l.pinned(int64(len(data)) + 1)[1:]
	copy(memory, data)
	return memory
}
