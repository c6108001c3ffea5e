//go:build cgo && linux

package standin_test

import (
	"bytes"
	"reflect"
	"runtime/debug"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/proofgraph/proofgraph/cudabind"
	"github.com/proofgraph/proofgraph/cudabind/standin"
)

func TestDevicesSayWhatTheyAre(t *testing.T) {
	m := start(t, standin.Devices(3), standin.Memory(1<<20))
	devices, err := m.loaded.Devices()
	require.NoError(t, err)
	require.Len(t, devices, 3)
	for _, d := range devices {
		require.Equal(t, "CPU stand-in (tests only)", d.Name)
		require.EqualValues(t, 1<<20, d.TotalBytes)
	}
	_, err = m.loaded.Device(3)
	requireCode(t, err, 101, "device 3 of 3")
}

func TestNoDevices(t *testing.T) {
	m := start(t)
	standin.Use(t, standin.Devices(0))
	_, err := m.loaded.Devices()
	requireCode(t, err, 100, "")
}

func TestSettingsThatAreNone(t *testing.T) {
	m := start(t)
	t.Setenv("PG_STANDIN_MEMORY", "1GiB")
	_, err := m.loaded.Devices()
	requireRefused(t, err, "PG_STANDIN_MEMORY=1GiB is no number")
}

func TestMemoryIsLimitedAndCounted(t *testing.T) {
	m := start(t, standin.Memory(1<<20), standin.Devices(2))
	half := m.alloc(1 << 19)
	free, total, err := m.device.Memory()
	require.NoError(t, err)
	require.EqualValues(t, 1<<20, total)
	require.EqualValues(t, 1<<19, free)
	_, err = m.device.Alloc(1<<19 + 1)
	requireCode(t, err, 2, "of device 0")
	m.allocOn(m.openDevice(1), 1<<20) // the other device's memory is its own
	require.NoError(t, half.Free())
	m.alloc(1 << 20)
}

func TestFreshMemoryIsPoisoned(t *testing.T) {
	m := start(t)
	want := bytes.Repeat([]byte{poison}, 1000)
	require.Equal(t, want, m.download(m.alloc(1000)))
	require.Equal(t, want, m.pinned(1000))
}

func TestHostCannotTouchMemory(t *testing.T) {
	m := start(t)
	freed, err := cudabind.AllocPinned(100)
	require.NoError(t, err)
	kept := unsafe.SliceData(freed)
	require.NoError(t, cudabind.FreePinned(freed))
	for name, address := range map[string]*byte{"a device's": address(m.alloc(100)), "freed": kept} {
		t.Run(name, func(t *testing.T) { require.True(t, faults(func() byte { return *address })) })
	}
	require.False(t, faults(func() byte { return *unsafe.SliceData(m.pinned(100)) }))
}

// address is a buffer's device pointer, which cudabind does not give away.
func address(buffer *cudabind.Buffer) *byte {
	return (*byte)(reflect.ValueOf(buffer).Elem().FieldByName("pointer").UnsafePointer())
}

func faults(read func() byte) (faulted bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { faulted = recover() != nil }()
	_ = read()
	return false
}

func TestOperandsMustBeWhatTheySay(t *testing.T) {
	m := start(t, standin.Devices(2))
	foreign := m.allocOn(m.openDevice(1), 256)
	gone := m.alloc(256)
	view := slice(t, gone, 0, 256)
	require.NoError(t, gone.Free())
	own := m.alloc(512)
	cases := map[string]struct {
		operand *cudabind.Buffer
		words   string
	}{
		"another device's": {foreign, "a is memory of device 1, the stream runs on device 0"},
		"freed":            {view, "lies in device memory that has been freed"},
		"unaligned":        {slice(t, own, 8, 256), "a lies at byte 8 of its allocation, no multiple of 16"},
		"overlapping":      {slice(t, own, 128, 256), "a and out overlap"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			out := slice(t, own, 0, 256)
			requireRefused(t, m.stream.Pointwise(cudabind.BN254, cudabind.ToCanonical, 8, c.operand, nil, nil, out), c.words)
		})
	}
	require.NoError(t, m.stream.Synchronize(), "what was refused was not queued")
}

func TestDevicePointersAreNoHostMemory(t *testing.T) {
	m := start(t)
	device := unsafe.Slice(address(m.alloc(64)), 64)
	requireRefused(t, m.stream.Upload(m.alloc(64), device), "is memory of a device, wanted is the host's")
}

func TestPinnedMemoryHasAnEnd(t *testing.T) {
	m := start(t)
	memory := m.pinned(100)
	longer := unsafe.Slice(unsafe.SliceData(memory), 101)
	requireRefused(t, m.stream.Upload(m.alloc(101), longer), "needs 101 bytes, its pinned memory has 100")
}

func TestFreeingTwice(t *testing.T) {
	m := start(t)
	buffer, err := m.device.Alloc(64)
	require.NoError(t, err)
	again := slice(t, buffer, 0, 64)
	require.NoError(t, buffer.Free())
	requireRefused(t, again.Free(), "has been freed already")
	inside := slice(t, m.alloc(64), 16, 16)
	requireRefused(t, inside.Free(), "was not allocated")
}

func TestRegisteredMemory(t *testing.T) {
	m := start(t)
	memory, err := unix.Mmap(-1, 0, 1<<16, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	require.NoError(t, err)
	defer func() { require.NoError(t, unix.Munmap(memory)) }()
	require.NoError(t, cudabind.Register(memory))
	requireCode(t, cudabind.Register(memory[4096:8192]), 712, "overlaps")
	require.NoError(t, m.stream.Upload(m.alloc(len(memory)), memory))
	require.NoError(t, m.stream.Synchronize())
	require.NoError(t, cudabind.Unregister(memory))
	requireCode(t, cudabind.Unregister(memory), 713, "is not registered")
}
