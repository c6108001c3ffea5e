// Package view looks at bytes as elements. It is the only place of the prover where memory changes its type, and it
// checks what makes that sound: whole elements, and the alignment that their words need.
package view

import (
	"errors"
	"fmt"
	"unsafe"
)

// ErrMisaligned is returned when bytes do not begin on a word boundary. Sections of iden3 files often do not.
var ErrMisaligned = errors.New("bytes are not aligned to 8")

// Of looks at b as elements of type E, which must hold no pointers. The result shares b's memory.
func Of[E any](b []byte) ([]E, error) {
	var e E
	size := int(unsafe.Sizeof(e))
	if len(b)%size != 0 {
		return nil, fmt.Errorf("%d bytes are no whole number of elements of %d bytes", len(b), size)
	}
	if len(b) == 0 {
		return nil, nil
	}
	if !Aligned(b) {
		return nil, ErrMisaligned
	}
	return unsafe.Slice((*E)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/size), nil
}

// Bytes looks at elements as bytes. The result shares their memory.
func Bytes[E any](s []E) []byte {
	var e E
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(e)))
}

// One looks at one element as bytes.
func One[E any](e *E) []byte { return Bytes(unsafe.Slice(e, 1)) }

// Aligned says whether b begins on an 8-byte boundary; an empty b does.
func Aligned(b []byte) bool {
	return len(b) == 0 || uintptr(unsafe.Pointer(unsafe.SliceData(b)))%8 == 0
}
