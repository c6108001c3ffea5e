//go:build cgo && linux

package standin_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/cudabind/standin"
)

// slow is long enough that queued work has not been done when the call that queued it returns.
const slow = 150 * time.Millisecond

func TestPinnedCopiesReturnAtOnce(t *testing.T) {
	m := start(t, standin.Delay(slow))
	memory, buffer := m.pinned(64), m.alloc(64)
	require.NoError(t, m.stream.Fill(buffer, 7))
	require.NoError(t, m.stream.Download(memory, buffer))
	done, err := m.stream.Done()
	require.NoError(t, err)
	require.False(t, done)
	require.Equal(t, bytes.Repeat([]byte{poison}, 64), memory, "before the wait")
	require.NoError(t, m.stream.Synchronize())
	require.Equal(t, bytes.Repeat([]byte{7}, 64), memory)
}

func TestOtherCopiesWait(t *testing.T) {
	m := start(t, standin.Delay(slow))
	buffer, memory := m.alloc(64), make([]byte, 64)
	require.NoError(t, m.stream.Fill(buffer, 7))
	require.NoError(t, m.stream.Download(memory, buffer))
	require.Equal(t, bytes.Repeat([]byte{7}, 64), memory)
}

func TestMemoryInUseIsNotFreed(t *testing.T) {
	m := start(t, standin.Delay(slow))
	buffer := m.alloc(64)
	view := slice(t, buffer, 0, 64)
	require.NoError(t, m.stream.Fill(buffer, 7))
	requireRefused(t, view.Free(), "is freed while queued work uses it")
	require.NoError(t, m.stream.Synchronize())
	require.NoError(t, buffer.Free())
}

func TestEventsOrderStreams(t *testing.T) {
	m := start(t, standin.Delay(slow))
	other, event := m.newStream(m.device), m.newEvent()
	done, err := event.Done()
	require.NoError(t, err)
	require.True(t, done, "never recorded: nothing to wait for")
	buffer, memory := m.alloc(64), m.pinned(64)
	require.NoError(t, m.stream.Fill(buffer, 1))
	require.NoError(t, m.stream.Fill(buffer, 2))
	require.NoError(t, m.stream.Record(event))
	done, err = event.Done()
	require.NoError(t, err)
	require.False(t, done)
	require.NoError(t, other.Wait(event))
	require.NoError(t, other.Download(memory, buffer))
	require.NoError(t, other.Synchronize())
	require.Equal(t, bytes.Repeat([]byte{2}, 64), memory)
}

func TestEventsTellTime(t *testing.T) {
	m := start(t, standin.Delay(slow))
	from, to := m.newEvent(), m.newEvent()
	_, err := to.Since(from)
	requireCode(t, err, 400, "never recorded")
	require.NoError(t, m.stream.Record(from))
	require.NoError(t, m.stream.Fill(m.alloc(64), 0))
	require.NoError(t, m.stream.Record(to))
	_, err = to.Since(from)
	requireCode(t, err, 600, "has not been passed")
	require.NoError(t, to.Synchronize())
	elapsed, err := to.Since(from)
	require.NoError(t, err)
	require.GreaterOrEqual(t, elapsed, slow)
}

func TestEventsBelongToADevice(t *testing.T) {
	m := start(t, standin.Devices(2))
	event, second := m.newEvent(), m.newStream(m.openDevice(1))
	requireCode(t, second.Record(event), 400, "an event of device 0")
	require.NoError(t, m.stream.Record(event))
	require.NoError(t, second.Wait(event), "waiting across devices is allowed")
	require.NoError(t, second.Synchronize())
}

func TestClosedHandlesAreRefused(t *testing.T) {
	m := start(t)
	stream, err := m.device.NewStream()
	require.NoError(t, err)
	event, err := m.device.NewEvent()
	require.NoError(t, err)
	require.NoError(t, stream.Close())
	require.NoError(t, event.Close())
	requireRefused(t, stream.Close(), "is no stream")
	requireRefused(t, stream.Synchronize(), "is no stream")
	requireRefused(t, event.Close(), "is no event")
	requireRefused(t, m.stream.Wait(event), "is no event")
}

func TestClosedStreamsFinishTheirWork(t *testing.T) {
	m := start(t, standin.Delay(slow))
	stream, err := m.device.NewStream()
	require.NoError(t, err)
	event, memory := m.newEvent(), m.pinned(64)
	require.NoError(t, stream.Download(memory, m.upload(make([]byte, 64))))
	require.NoError(t, stream.Record(event))
	require.NoError(t, stream.Close())
	require.NoError(t, event.Synchronize())
	require.Equal(t, make([]byte, 64), memory)
}

func TestDrainWaitsThoughCancelled(t *testing.T) {
	m := start(t, standin.Delay(slow))
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("enough")
	buffer := m.alloc(64)
	require.NoError(t, m.stream.Fill(buffer, 0))
	cancel(reason)
	require.ErrorIs(t, m.stream.Drain(ctx), reason)
	require.NoError(t, buffer.Free(), "nothing uses it any more")
}

// Unwritten memory makes a kernel fail.
func TestFailuresStayWithTheirStream(t *testing.T) {
	m := start(t)
	other, buffer := m.newStream(m.device), m.alloc(64)
	require.NoError(t, m.stream.Pointwise(cudabind.BN254, cudabind.ToCanonical, 2, buffer, nil, nil, buffer))
	requireRefused(t, m.stream.Synchronize(), "pg_pointwise: a[0] is not below the modulus")
	requireRefused(t, m.stream.Fill(buffer, 0), "pg_pointwise")
	_, err := m.stream.Done()
	requireRefused(t, err, "pg_pointwise")
	require.NoError(t, other.Fill(buffer, 0))
	require.NoError(t, other.Synchronize())
}

func TestEventsCarryFailures(t *testing.T) {
	m := start(t, standin.Delay(slow))
	other, event, buffer := m.newStream(m.device), m.newEvent(), m.alloc(64)
	require.NoError(t, m.stream.Pointwise(cudabind.BN254, cudabind.ToCanonical, 2, buffer, nil, nil, buffer))
	require.NoError(t, m.stream.Record(event))
	require.NoError(t, other.Wait(event))
	requireRefused(t, event.Synchronize(), "not below the modulus")
	requireRefused(t, other.Synchronize(), "not below the modulus")
	requireRefused(t, m.stream.Record(event), "not below the modulus")
	requireRefused(t, event.Synchronize(), "not below the modulus")
}
