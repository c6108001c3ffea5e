// Package ifma computes multi-scalar multiplications on processors with AVX-512 IFMA, several times faster than portable code.
//
// Read in this order: ifma.go is the interface, digits.go and tasks.go how an MSM is planned and shared among threads, horner.go
// how the parts become one point; then the C kernels, from window.h (one window) and segments.h (sums of many segments) down to
// batch.h (affine additions that share an inversion) and field.h (eight products at a time).
//
// Points and scalars are read in place, at any alignment. No memory is allocated that grows with the input: callers pass scratch,
// whose size they can ask for before the call. Timing depends on the scalars: zeros, ones and small numbers are faster. Who
// can measure the time, or the cache, of this process learns something of them.
package ifma

//go:generate sh -c "go run ./internal/constants > constants.h"
