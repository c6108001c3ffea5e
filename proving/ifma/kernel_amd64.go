//go:build cgo && amd64

package ifma

// #cgo CFLAGS: -O2 -fno-strict-aliasing
// #include "kernel.h"
import "C"

import (
	"unsafe"
)

func available() (bool, string) {
	if C.ifma_supported() == 0 {
		return false, "this processor or system has no AVX-512 IFMA with VBMI2"
	}
	return true, ""
}

func scalarsCensus(c Curve, scalars []byte, form ScalarForm) census {
	var found C.ifma_census
	count := len(scalars) / ScalarBytes
	C.ifma_scalars_census(C.int(c), first(scalars), C.size_t(count), C.int(form), &found)
	return census{int(found.general), int(found.units), int(found.bits)}
}

// cut writes one slice's part of the lists, from start on; false where the slice is not as it was counted.
func (d *Digits) cut(scalars []byte, s span, form ScalarForm, start, counted census) bool {
	shape := C.ifma_cut{bits: C.uint32_t(d.shape.bits), windows: C.uint32_t(d.shape.windows)}
	room := C.ifma_census{general: C.uint64_t(counted.general), units: C.uint64_t(counted.units), bits: C.uint32_t(counted.bits)}
	return C.ifma_scalars_cut(C.int(d.curve), first(scalars), C.size_t(s.from), C.size_t(s.to-s.from), C.int(form), shape, &room,
		at[C.uint32_t](d.general, start.general), at[C.uint16_t](d.digits, start.general), C.size_t(len(d.general)),
		at[C.uint32_t](d.units, start.units)) == 0
}

func workspaceBytes(c Curve, g Group, n, buckets int) int {
	return int(C.ifma_workspace_bytes(C.int(c), C.int(g), C.size_t(n), C.uint32_t(buckets)))
}

func findInfinity(c Curve, g Group, points []byte, s span, infinity []uint64) int {
	return int(C.ifma_find_infinity(C.int(c), C.int(g), first(points), C.size_t(s.from), C.size_t(s.to-s.from),
		at[C.uint64_t](infinity, s.from/64)))
}

// sum does one task. When the run is cancelled the result is not to be used.
func (r *run) sum(t task, out, workspace []byte) {
	d := r.digits
	if t.units != nil {
		C.ifma_plain_sum(C.int(d.curve), C.int(r.group), first(r.points), at[C.uint64_t](r.infinity, 0),
			at[C.uint32_t](t.units, 0), C.size_t(len(t.units)), first(out), first(workspace), (*C.int32_t)(&r.cancelled))
		return
	}
	C.ifma_window_sums(C.int(d.curve), C.int(r.group), first(r.points), at[C.uint64_t](r.infinity, 0),
		at[C.uint32_t](d.general, 0), at[C.uint16_t](d.digits, t.window.window*len(d.general)), C.size_t(len(d.general)),
		C.uint32_t(d.shape.bits), C.uint32_t(t.window.low), C.uint32_t(t.window.high), first(out), first(workspace),
		(*C.int32_t)(&r.cancelled))
}

// operation is one of the base field's, which probe does on sixteen elements in limbs; false where it fails.
type operation int

const (
	opMul operation = iota
	opDot
	opDifference
	opReduce
	opCanonical
	opInverse
)

func probe(c Curve, op operation, a, b, out []uint64) bool {
	return C.ifma_probe(C.int(c), C.int(op), at[C.uint64_t](a, 0), at[C.uint64_t](b, 0), at[C.uint64_t](out, 0)) != 0
}

// first is the address of a slice's memory, or nil.
func first(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }

// at is the address of element i as C's type; i may be the slice's length, where nothing is written.
func at[C, T any](s []T, i int) *C {
	if i >= len(s) {
		return nil
	}
	return (*C)(unsafe.Pointer(&s[i]))
}
