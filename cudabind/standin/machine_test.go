//go:build cgo && linux

package standin_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/cudabind/standin"
)

const (
	poison          = 0xDB
	invalidArgument = 10001
)

// machine is one device of the stand-in with a stream; what it makes ends with the test.
type machine struct {
	t      testing.TB
	loaded *cudabind.Library
	device *cudabind.Device
	stream *cudabind.Stream
}

func start(t testing.TB, options ...standin.Option) *machine {
	t.Helper()
	standin.Use(t, options...)
	library, err := cudabind.Open()
	require.NoError(t, err)
	m := &machine{t: t, loaded: library}
	m.device = m.openDevice(0)
	m.stream = m.newStream(m.device)
	return m
}

func (m *machine) openDevice(index int) *cudabind.Device {
	m.t.Helper()
	device, err := m.loaded.Device(index)
	require.NoError(m.t, err)
	return device
}

func (m *machine) newStream(device *cudabind.Device) *cudabind.Stream {
	m.t.Helper()
	stream, err := device.NewStream()
	require.NoError(m.t, err)
	m.t.Cleanup(func() { require.NoError(m.t, stream.Close()) })
	return stream
}

func (m *machine) newEvent() *cudabind.Event {
	m.t.Helper()
	event, err := m.device.NewEvent()
	require.NoError(m.t, err)
	m.t.Cleanup(func() { require.NoError(m.t, event.Close()) })
	return event
}

func (m *machine) alloc(bytes int) *cudabind.Buffer { return m.allocOn(m.device, bytes) }

func (m *machine) allocOn(device *cudabind.Device, bytes int) *cudabind.Buffer {
	m.t.Helper()
	buffer, err := device.Alloc(bytes)
	require.NoError(m.t, err)
	m.t.Cleanup(func() {
		_ = m.stream.Synchronize() // whatever came of it, nothing uses the buffer afterwards
		if buffer.Bytes() > 0 {    // not freed by the test
			require.NoError(m.t, buffer.Free())
		}
	})
	return buffer
}

func (m *machine) upload(data []byte) *cudabind.Buffer {
	m.t.Helper()
	buffer := m.alloc(len(data))
	require.NoError(m.t, m.stream.Upload(buffer, data))
	return buffer
}

func (m *machine) download(buffer *cudabind.Buffer) []byte {
	m.t.Helper()
	data := make([]byte, buffer.Bytes())
	require.NoError(m.t, m.stream.Download(data, buffer))
	return data
}

func (m *machine) pinned(bytes int) []byte {
	m.t.Helper()
	memory, err := cudabind.AllocPinned(bytes)
	require.NoError(m.t, err)
	m.t.Cleanup(func() {
		_ = m.stream.Synchronize()
		require.NoError(m.t, cudabind.FreePinned(memory))
	})
	return memory
}

func slice(t testing.TB, buffer *cudabind.Buffer, offset, bytes int) *cudabind.Buffer {
	t.Helper()
	view, ok := buffer.Slice(offset, bytes)
	require.True(t, ok)
	return view
}

// requireCode wants the library's error with this code and these words.
func requireCode(t testing.TB, err error, code int, words string) {
	t.Helper()
	var e *cudabind.Error
	require.True(t, errors.As(err, &e), "%v", err)
	require.Equal(t, code, e.Code, "%v", err)
	require.Contains(t, e.Expression, words)
}

func requireRefused(t testing.TB, err error, words string) {
	t.Helper()
	requireCode(t, err, invalidArgument, words)
}
