package view

import "unsafe"

const lineSize = 64

// Allocate makes n zero bytes on the heap that begin on a 64-byte boundary. It is for tests and small things: large
// buffers come from whoever calls the prover.
func Allocate(n int64) []byte {
	buffer := make([]byte, n+lineSize)
	skip := lineSize - int(uintptr(unsafe.Pointer(unsafe.SliceData(buffer)))%lineSize)
	return buffer[skip:][:n:n]
}
