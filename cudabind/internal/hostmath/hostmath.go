//go:build cgo && hostmath

// Package hostmath runs the CUDA kernels' field and curve arithmetic on the host, so that machines without a GPU
// can check it. It is compiled from the very headers the kernels include, and used by tests only.
package hostmath

// #cgo CXXFLAGS: -std=c++17 -O2
// #include "hostmath.h"
import "C"

import (
	"runtime"
	"unsafe"

	_ "github.com/proofgraph/proofgraph/cudabind/kernels" // rebuilds this package with its headers
)

// Field names a coordinate field of the kernels.
type Field int

// The fields, with the sizes in memory that Bytes returns.
const (
	BN254Fp     Field = C.HOSTMATH_BN254_FP
	BN254Fr     Field = C.HOSTMATH_BN254_FR
	BN254Fp2    Field = C.HOSTMATH_BN254_FP2
	BLS12381Fp  Field = C.HOSTMATH_BLS12_381_FP
	BLS12381Fr  Field = C.HOSTMATH_BLS12_381_FR
	BLS12381Fp2 Field = C.HOSTMATH_BLS12_381_FP2

	// The extensions as two lanes hold their elements, which are two threads here. Elements in memory are whole.
	BN254Fp2Halves    Field = C.HOSTMATH_BN254_FP2_HALVES
	BLS12381Fp2Halves Field = C.HOSTMATH_BLS12_381_FP2_HALVES
)

// Op is an operation of a field.
type Op int

// Operations; Inverse, Square and Negate ignore their second operand.
const (
	Add     Op = C.HOSTMATH_ADD
	Sub     Op = C.HOSTMATH_SUB
	Mul     Op = C.HOSTMATH_MUL
	Square  Op = C.HOSTMATH_SQUARE
	Dot     Op = C.HOSTMATH_DOT // ab + ba under one reduction
	Inverse Op = C.HOSTMATH_INVERSE
	Negate  Op = C.HOSTMATH_NEGATE
)

// Multiplier says whose product is to be used: both give the same numbers.
type Multiplier int

// The products.
const (
	Host   Multiplier = iota // 64-bit words, as the library finishes sums on the CPU
	Device                   // even and odd rows of 32-bit words, as kernels run
)

// Multipliers are both.
var Multipliers = []Multiplier{Host, Device}

// Bytes is the size of one element in memory.
func (f Field) Bytes() int {
	return map[Field]int{
		BN254Fp: 32, BN254Fr: 32, BN254Fp2: 64, BN254Fp2Halves: 64,
		BLS12381Fp: 48, BLS12381Fr: 32, BLS12381Fp2: 96, BLS12381Fp2Halves: 96,
	}[f]
}

// Apply returns op(a, b) on elements in Montgomery form, little-endian, of f.Bytes() each.
func (f Field) Apply(m Multiplier, op Op, a, b []byte) []byte {
	out := make([]byte, f.Bytes())
	if m == Device {
		C.hostmath_rows_field(C.int(f), C.int(op), pointer(a), pointer(b), pointer(out))
	} else {
		C.hostmath_field(C.int(f), C.int(op), pointer(a), pointer(b), pointer(out))
	}
	return out
}

// Sum returns 2^doublings times the sum of affine points, point i negated where negative[i] is not zero. With
// halves, even and odd points are summed apart and added at the end. Points are x then y in memory form, infinity
// all zero.
func (f Field) Sum(m Multiplier, points, negative []byte, doublings int, halves bool) []byte {
	out := make([]byte, 2*f.Bytes())
	var split C.int
	if halves {
		split = 1
	}
	n := C.long(len(negative))
	if m == Device {
		C.hostmath_rows_sum(C.int(f), pointer(points), (*C.uint8_t)(&negative[0]), n, C.long(doublings), split, pointer(out))
	} else {
		C.hostmath_sum(C.int(f), pointer(points), (*C.uint8_t)(&negative[0]), n, C.long(doublings), split, pointer(out))
	}
	return out
}

// Known makes a factor known beforehand of an element: the factor itself, its quotient of Bytes()+4 bytes, and its product
// with x, any number of Bytes(). f is a scalar field.
func (f Field) Known(element, x []byte) (factor, quotient, product []byte) {
	factor, quotient, product = make([]byte, f.Bytes()), make([]byte, f.Bytes()+4), make([]byte, f.Bytes())
	C.hostmath_known(C.int(f), pointer(element), pointer(x), pointer(factor), pointer(quotient), pointer(product))
	return factor, quotient, product
}

// LooseOp is an operation on a number that need not be below the modulus.
type LooseOp int

// Operations, as loose.cuh has them.
const (
	Lifted         LooseOp = C.HOSTMATH_LIFTED
	LoweredToFloor LooseOp = C.HOSTMATH_LOWERED_TO_FLOOR
	Lowered        LooseOp = C.HOSTMATH_LOWERED
	Reduced        LooseOp = C.HOSTMATH_REDUCED
	NotBelowZero   LooseOp = C.HOSTMATH_NOT_BELOW_ZERO
)

// Loose returns op(x), x any number of Bytes(), and the floor in ulps of the highest word. f is a scalar field.
func (f Field) Loose(op LooseOp, x []byte) (out []byte, floor int64) {
	out = make([]byte, f.Bytes())
	floor = int64(C.hostmath_loose(C.int(f), C.int(op), pointer(x), pointer(out)))
	return out, floor
}

// System is a constraint system in the kernels' form; see pg_constraints.
type System struct {
	Starts, Parts, Wires, Codes []uint32 // Codes nil: every term has its own value
	Values                      []byte
}

// Evaluate returns the rows a, b and c of a system, as a kernel does with blocks of so many threads. f is a scalar field.
func (f Field) Evaluate(m Multiplier, s System, threads int, witness []byte) (a, b, c []byte) {
	rows := len(s.Starts) - 1
	a, b, c = make([]byte, rows*f.Bytes()), make([]byte, rows*f.Bytes()), make([]byte, rows*f.Bytes())
	var pinned runtime.Pinner
	defer pinned.Unpin()
	of := s.pinned(&pinned)
	evaluate := map[Multiplier]func(){
		Host: func() { C.hostmath_evaluate(C.int(f), &of, C.long(threads), data(witness), data(a), data(b), data(c)) },
		Device: func() {
			C.hostmath_rows_evaluate(C.int(f), &of, C.long(threads), data(witness), data(a), data(b), data(c))
		},
	}
	evaluate[m]()
	return a, b, c
}

func (s System) pinned(p *runtime.Pinner) C.pg_constraints {
	of := C.pg_constraints{
		rows: C.size_t(len(s.Starts) - 1), parts: C.size_t(len(s.Parts) - 1), terms: C.size_t(len(s.Wires)),
		device_starts: data(s.Starts), device_parts: data(s.Parts), device_term_wires: data(s.Wires),
		device_term_codes: data(s.Codes), device_elements: data(s.Values),
	}
	for _, memory := range []unsafe.Pointer{
		of.device_starts, of.device_parts, of.device_term_wires, of.device_term_codes, of.device_elements,
	} {
		if memory != nil {
			p.Pin(memory)
		}
	}
	return of
}

// Runs returns the sum of each run of equal keys among affine points (as in Sum), in order, after the given number of
// rounds of affine additions; the rest is added up in XYZZ form.
func (f Field) Runs(m Multiplier, points, negative []byte, keys []uint32, rounds int) (runKeys []uint32, sums []byte) {
	runKeys, sums = make([]uint32, len(keys)), make([]byte, len(points))
	n, in, outKeys := C.long(len(keys)), (*C.uint32_t)(&keys[0]), (*C.uint32_t)(&runKeys[0])
	var runs C.long
	if m == Device {
		runs = C.hostmath_rows_runs(C.int(f), pointer(points), (*C.uint8_t)(&negative[0]), in, n, C.int(rounds), outKeys, pointer(sums))
	} else {
		runs = C.hostmath_runs(C.int(f), pointer(points), (*C.uint8_t)(&negative[0]), in, n, C.int(rounds), outKeys, pointer(sums))
	}
	return runKeys[:runs], sums[:int(runs)*2*f.Bytes()]
}

func pointer(b []byte) unsafe.Pointer { return unsafe.Pointer(&b[0]) }

func data[T any](s []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }
