//go:build cgo && linux

package cudabind

// #include "loader.h"
import "C"

import "unsafe"

// Device is one opened GPU.
type Device struct {
	index C.int32_t
}

// Device opens GPU number index: its context exists afterwards, at CUDA's own cost in memory.
func (l *Library) Device(index int) (*Device, error) {
	d := &Device{C.int32_t(index)}
	return d, failed(C.pg_device_open(d.index))
}

// Index is the device's number.
func (d *Device) Index() int { return int(d.index) }

// Memory returns the device's free and total bytes as CUDA sees them now.
func (d *Device) Memory() (free, total uint64, err error) {
	var f, t C.uint64_t
	err = failed(C.pg_device_memory(d.index, &f, &t))
	return uint64(f), uint64(t), err
}

// Buffer is device memory. Its owner calls Free once; slices of it are views that must not outlive it.
type Buffer struct {
	device  *Device
	pointer unsafe.Pointer
	bytes   int
}

// Alloc takes bytes of device memory, aligned to 256.
func (d *Device) Alloc(bytes int) (*Buffer, error) {
	b := &Buffer{device: d, bytes: bytes}
	return b, failed(C.pg_device_alloc(d.index, C.size_t(bytes), &b.pointer))
}

// At is device memory that somebody else owns: bytes from address, which this device gave. Its owner frees it.
func (d *Device) At(address unsafe.Pointer, bytes int) *Buffer { return &Buffer{d, address, bytes} }

// Address is where the buffer begins: for the device and its library, nothing that the host may read.
func (b *Buffer) Address() unsafe.Pointer { return b.pointer }

// Free gives the memory back to the device. Work that uses it must have finished.
func (b *Buffer) Free() error {
	pointer := b.pointer
	b.pointer, b.bytes = nil, 0
	return failed(C.pg_device_free(b.device.index, pointer))
}

// Bytes is the buffer's size.
func (b *Buffer) Bytes() int { return b.bytes }

// Slice is a view of bytes from offset, a multiple of 16 for what kernels are to use; ok is false when it does not lie
// inside the buffer.
func (b *Buffer) Slice(offset, bytes int) (view *Buffer, ok bool) {
	if offset < 0 || bytes < 0 || bytes > b.bytes-offset {
		return nil, false
	}
	return &Buffer{b.device, unsafe.Add(b.pointer, offset), bytes}, true
}

func (b *Buffer) at() unsafe.Pointer {
	if b == nil {
		return nil
	}
	return b.pointer
}

// AllocPinned takes page-locked host memory outside Go's heap, which copies reach at full speed. FreePinned gives it
// back.
func AllocPinned(bytes int) ([]byte, error) {
	var pointer unsafe.Pointer
	if err := failed(C.pg_pinned_alloc(C.size_t(bytes), &pointer)); err != nil {
		return nil, ofHost(err)
	}
	return unsafe.Slice((*byte)(pointer), bytes), nil
}

// ofHost says that a refusal of memory is the host's; other failures are what a device has told before.
func ofHost(err error) error {
	if e, ok := err.(*Error); ok && e.OutOfMemory() {
		return hostError{e}
	}
	return err
}

// FreePinned frees what AllocPinned returned.
func FreePinned(memory []byte) error { return failed(C.pg_pinned_free(first(memory))) }

// Register page-locks memory that exists already, outside Go's heap (a mapped file, say), until Unregister.
func Register(memory []byte) error {
	return failed(C.pg_pinned_register(first(memory), C.size_t(len(memory))))
}

// Unregister ends Register.
func Unregister(memory []byte) error { return failed(C.pg_pinned_unregister(first(memory))) }

func first(memory []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(memory)) }
