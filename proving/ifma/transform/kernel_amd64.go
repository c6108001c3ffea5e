//go:build cgo && amd64

package transform

// #cgo CFLAGS: -O3 -fno-strict-aliasing
// #include "kernel.h"
import "C"

import (
	"unsafe"

	"github.com/proofgraph/proofgraph/proving/curve"
)

// A field is passed as it lies.
var _ = [1]struct{}{}[unsafe.Sizeof(field{})-C.sizeof_transform_field]

func available() (bool, string) {
	if C.transform_supported() == 0 {
		return false, "this processor or system has no AVX-512 IFMA with VBMI2"
	}
	return true, ""
}

// vectorKernel does an elementwise operation on dst's elements. b of scale is a single one; operands that an operation does not
// have may be nil.
func vectorKernel(f *field, operation int, dst, a, b, c []byte) {
	C.transform_vector(f.c(), C.int(operation), words(dst), words(a), words(b), words(c), C.size_t(len(dst)/curve.ScalarSize))
}

// columnsKernel does tiles [from, to) of a pass over v.
func columnsKernel(f *field, table, v []byte, p pass, from, to int, merge, final bool) {
	C.transform_columns(f.c(), words(table), words(v), C.uint32_t(p.logBlock), C.uint32_t(p.depth),
		C.size_t(from), C.size_t(to), truth(merge), truth(final))
}

// leavesKernel does the steps in groups [from, to) of v.
func leavesKernel(f *field, d *domain, factor, v []byte, from, to, steps int) {
	C.transform_leaves(f.c(), words(d.inverse), words(d.forward), words(factor), words(v), C.size_t(from), C.size_t(to), C.int(steps))
}

// rowsKernel evaluates rows from first on, as many as the vectors are long; false where a record is out of range.
func rowsKernel(f *field, r rows, records, witness []byte) bool {
	return C.transform_rows(f.c(), bytes(records), C.size_t(len(records)/recordSize), C.size_t(r.first), C.size_t(r.n),
		bytes(witness), C.size_t(len(witness)/curve.ScalarSize), words(r.a), words(r.b), words(r.c)) == 0
}

func bytes(b []byte) *C.uint8_t { return (*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(b))) }

func (f *field) c() *C.transform_field { return (*C.transform_field)(unsafe.Pointer(f)) }

// words is the address of a slice's memory, or nil.
func words(b []byte) *C.uint64_t { return (*C.uint64_t)(unsafe.Pointer(unsafe.SliceData(b))) }

func truth(b bool) C.int {
	if b {
		return 1
	}
	return 0
}
