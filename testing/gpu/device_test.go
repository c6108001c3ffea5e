//go:build cgo && linux

package gpu_test

import (
	crand "crypto/rand"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cudabind"
)

const poison = 0xA5

// bench is a device with one stream that cleans up after its test.
type bench struct {
	t      testing.TB
	device *cudabind.Device
	stream *cudabind.Stream
}

func open(t testing.TB) *bench {
	t.Helper()
	report := cudabind.Probe()
	if report.Problem != nil || len(report.Devices) == 0 {
		if os.Getenv("PROOFGRAPH_GPU_REQUIRED") != "" {
			t.Fatalf("no GPU: %v", report.Problem)
		}
		t.Skipf("no GPU: %v", report.Problem)
	}
	library, err := cudabind.Open()
	require.NoError(t, err)
	device, err := library.Device(0)
	require.NoError(t, err)
	stream, err := device.NewStream()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, stream.Close()) })
	return &bench{t, device, stream}
}

// onStandIn says that the device is the stand-in of the kernels on the CPU, which takes long for what is large.
func onStandIn() bool {
	devices := cudabind.Probe().Devices
	return len(devices) > 0 && strings.Contains(devices[0].Name, "stand-in")
}

// poisoned is device memory of the given size that holds no right answer, freed with the test.
func (b *bench) poisoned(bytes int) *cudabind.Buffer {
	b.t.Helper()
	buffer, err := b.device.Alloc(max(bytes, 1))
	require.NoError(b.t, err)
	b.t.Cleanup(func() { require.NoError(b.t, buffer.Free()) })
	require.NoError(b.t, b.stream.Fill(buffer, poison))
	return buffer
}

func (b *bench) upload(data []byte) *cudabind.Buffer {
	b.t.Helper()
	buffer := b.poisoned(len(data))
	require.NoError(b.t, b.stream.Upload(buffer, data))
	return buffer
}

func (b *bench) download(buffer *cudabind.Buffer) []byte {
	b.t.Helper()
	data := make([]byte, buffer.Bytes())
	require.NoError(b.t, b.stream.Download(data, buffer))
	b.wait()
	return data
}

func (b *bench) wait() {
	b.t.Helper()
	require.NoError(b.t, b.stream.Synchronize())
}

// fresh is a random source that no two runs share; its seed is logged.
func fresh(t testing.TB) *rand.Rand {
	var seed [8]byte
	_, err := crand.Read(seed[:])
	require.NoError(t, err)
	number := binary.LittleEndian.Uint64(seed[:])
	t.Logf("seed %#x", number)
	return rand.New(rand.NewPCG(number, 0))
}

// bytesOf is the memory of a slice of fixed-size values.
func bytesOf[T any](values []T) []byte {
	var one T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(one)))
}

// valuesOf is bytesOf's inverse, a copy.
func valuesOf[T any](data []byte) []T {
	var one T
	values := make([]T, len(data)/int(unsafe.Sizeof(one)))
	copy(bytesOf(values), data)
	return values
}
