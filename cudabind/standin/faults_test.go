//go:build cgo && linux

package standin_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/cudabind/standin"
)

func TestFailuresOnRequest(t *testing.T) {
	m := start(t, standin.Fail("pg_fill:2", "pg_device_alloc:2"))
	buffer := m.alloc(64)
	_, err := m.device.Alloc(64)
	requireCode(t, err, 2, "pg_device_alloc: a failure that PG_STANDIN_FAIL asked for")
	require.NoError(t, m.stream.Fill(buffer, 0))
	requireCode(t, m.stream.Fill(buffer, 0), 700, "pg_fill: a failure")
	require.NoError(t, m.stream.Fill(buffer, 0), "the third call")
	require.NoError(t, m.stream.Synchronize())
}

func TestFailuresOnRequestLater(t *testing.T) {
	m := start(t, standin.Fail("pg_fill:1:later"))
	buffer := m.alloc(64)
	require.NoError(t, m.stream.Fill(buffer, 0))
	requireCode(t, m.stream.Synchronize(), 700, "pg_fill: a failure")
}

func TestAFailureForEver(t *testing.T) {
	m := start(t, standin.Fail("pg_fill:2:ever"))
	buffer := m.alloc(64)
	require.NoError(t, m.stream.Fill(buffer, 0))
	requireCode(t, m.stream.Fill(buffer, 0), 700, "pg_fill: a failure")
	_, err := m.device.Alloc(64)
	requireCode(t, err, 700, "pg_device_alloc: a failure")
	requireCode(t, m.stream.Synchronize(), 700, "pg_stream_synchronize: a failure")
	_, err = cudabind.MSMConfig{Group: cudabind.BN254G1}.Configure(100)
	require.NoError(t, err, "what needs no device")
	standin.Use(t)
	m.openDevice(0)
	require.NoError(t, m.stream.Fill(buffer, 0))
}

func TestCallsAreCountedAnewWithTheList(t *testing.T) {
	m := start(t, standin.Fail("pg_fill:2"))
	buffer := m.alloc(64)
	require.NoError(t, m.stream.Fill(buffer, 0))
	m.openDevice(0) // the same list: the count goes on
	require.Error(t, m.stream.Fill(buffer, 0))
	standin.Use(t, standin.Fail("pg_fill:1"))
	m.openDevice(0)
	require.Error(t, m.stream.Fill(buffer, 0))
}

func TestFailuresOnRequestThatAreNone(t *testing.T) {
	for _, list := range []string{"pg_fill", "pg_fill:", "pg_fill:0", ":1", "pg_fill:1:now"} {
		m := start(t)
		standin.Use(t, standin.Fail(list))
		_, err := m.loaded.Devices()
		requireRefused(t, err, "is not function:call")
	}
}

func TestADeviceThatHasBrokenDown(t *testing.T) {
	m := start(t, standin.Devices(2))
	standin.Use(t, standin.Devices(2), standin.Broken(1))
	broken, err := m.loaded.Device(1)
	require.NoError(t, err)
	_, err = broken.Alloc(64)
	requireCode(t, err, 700, "device 1 has broken down")
	stream, err := broken.NewStream()
	require.NoError(t, err)
	requireCode(t, stream.Synchronize(), 700, "device 1 has broken down")
	require.NoError(t, m.stream.Fill(m.alloc(64), 0), "the other one works")
	require.NoError(t, m.stream.Synchronize())
}

func TestADeviceThatBreaksDown(t *testing.T) {
	m := start(t, standin.Devices(2), standin.Broken(1), standin.WorksFor(2))
	breaks, err := m.loaded.Device(1)
	require.NoError(t, err)
	buffer, err := breaks.Alloc(64)
	require.NoError(t, err)
	stream, err := breaks.NewStream()
	require.NoError(t, err)
	require.NoError(t, stream.Fill(buffer, 0))
	requireCode(t, stream.Fill(buffer, 0), 700, "device 1 has broken down")
	kept := breaks.At(buffer.Address(), buffer.Bytes())
	requireCode(t, buffer.Free(), 700, "device 1 has broken down")
	standin.Use(t, standin.Devices(2))
	m.openDevice(1)
	require.NoError(t, stream.Synchronize())
	require.NoError(t, kept.Free(), "it kept its memory")
}
