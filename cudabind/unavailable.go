//go:build !cgo || !linux

package cudabind

import (
	"context"
	"time"
	"unsafe"
)

// This build cannot load a kernel library: it was made without cgo, or not for Linux. Open says so, and since it is
// the only way to a Device, nothing below is ever reached; it keeps callers compiling.

var errBuild = unavailable("this program was built without cgo or not for Linux")

// Library is the kernel library of this process.
type Library struct{}

// Device is one opened GPU.
type Device struct{}

// Buffer is device memory.
type Buffer struct{}

// Stream queues work on its device.
type Stream struct{}

// Event marks a point of a stream.
type Event struct{}

// Open fails: see ErrUnavailable.
func Open() (*Library, error) { return nil, errBuild }

func (l *Library) Info() LibraryInfo              { return LibraryInfo{} }
func (l *Library) Devices() ([]DeviceInfo, error) { return nil, errBuild }
func (l *Library) Device(int) (*Device, error)    { return nil, errBuild }

func (d *Device) Index() int                                      { return 0 }
func (d *Device) Memory() (free, total uint64, err error)         { return 0, 0, errBuild }
func (d *Device) Alloc(int) (*Buffer, error)                      { return nil, errBuild }
func (d *Device) NewStream() (*Stream, error)                     { return nil, errBuild }
func (d *Device) NewEvent() (*Event, error)                       { return nil, errBuild }
func (d *Device) At(unsafe.Pointer, int) *Buffer                  { return nil }
func (b *Buffer) Address() unsafe.Pointer                         { return nil }
func (b *Buffer) Free() error                                     { return errBuild }
func (b *Buffer) Bytes() int                                      { return 0 }
func (b *Buffer) Slice(int, int) (view *Buffer, ok bool)          { return nil, false }
func AllocPinned(int) ([]byte, error)                             { return nil, errBuild }
func FreePinned([]byte) error                                     { return errBuild }
func Register([]byte) error                                       { return errBuild }
func Unregister([]byte) error                                     { return errBuild }
func (s *Stream) Device() *Device                                 { return nil }
func (s *Stream) Close() error                                    { return errBuild }
func (s *Stream) Synchronize() error                              { return errBuild }
func (s *Stream) Drain(context.Context) error                     { return errBuild }
func (s *Stream) Done() (bool, error)                             { return false, errBuild }
func (s *Stream) Wait(*Event) error                               { return errBuild }
func (s *Stream) Record(*Event) error                             { return errBuild }
func (e *Event) Close() error                                     { return errBuild }
func (e *Event) Synchronize() error                               { return errBuild }
func (e *Event) Done() (bool, error)                              { return false, errBuild }
func (e *Event) Since(*Event) (time.Duration, error)              { return 0, errBuild }
func (s *Stream) Upload(*Buffer, []byte) error                    { return errBuild }
func (s *Stream) Download([]byte, *Buffer) error                  { return errBuild }
func (s *Stream) Copy(to, from *Buffer, bytes int) error          { return errBuild }
func (s *Stream) Fill(*Buffer, byte) error                        { return errBuild }
func (s *Stream) BitReverse(Curve, int, *Buffer) error            { return errBuild }
func NTTTableBytes(Curve, int) int                                { return 0 }
func PowersBytes(Curve, int) int                                  { return 0 }
func FixedBaseScratchBytes(Group, int) int                        { return 0 }
func MSMFinish(c MSMConfig, result, point []byte) error           { return errBuild }
func (c MSMConfig) Configure(int) (MSMConfig, error)              { return c, errBuild }
func (c MSMConfig) ScratchBytes(int) int                          { return 0 }
func (c MSMConfig) ResultBytes() int                              { return 0 }
func (c MSMConfig) TableScratchBytes(int) int                     { return 0 }
func (s *Stream) BuildNTTTable(Curve, int, []byte, *Buffer) error { return errBuild }
func (s *Stream) BuildPowers(Curve, int, []byte, []byte, *Buffer) error {
	return errBuild
}
func (s *Stream) Pointwise(curve Curve, op Pointwise, n int, a, b, c, out *Buffer) error {
	return errBuild
}
func (s *Stream) NTT(curve Curve, logN int, table *Buffer, direction Direction, order Order, powers, data *Buffer) error {
	return errBuild
}
func (s *Stream) Quotient(curve Curve, logN int, table, forth, back *Buffer, canonical bool, a, b, c *Buffer) error {
	return errBuild
}
func (s *Stream) Evaluate(curve Curve, of Constraints, witness, a, b, c *Buffer) error {
	return errBuild
}
func (s *Stream) MSMStart(c MSMConfig, n int, bases, scalars, scratch *Buffer, result []byte) error {
	return errBuild
}
func (s *Stream) BuildTable(c MSMConfig, n int, bases, table, scratch *Buffer) error {
	return errBuild
}
func (s *Stream) FixedBase(group Group, n int, base []byte, scalars *Buffer, montgomery bool, scratch, out *Buffer) error {
	return errBuild
}
