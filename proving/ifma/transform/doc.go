// Package transform computes over scalar fields on processors with AVX-512 IFMA, eight elements at a time: transforms over
// domains of roots of unity, elementwise products, the rows of a constraint system.
//
// Read in this order: transform.go is the interface, passes.go how a transform goes through memory, tables.go its twiddle
// factors, vector.go what is done element by element; then the C kernels, from columns.c (wide stages) and leaves.c (narrow ones)
// down to stages.h (butterflies), memory.h (words to limbs and back) and field.h (eight products at a time).
//
// Vectors are worked on in place and stay in the form that package engine tells, a·2^256. Products inside divide by 2^260, so
// twiddle factors are kept times 2^260 and nothing is ever converted. Nothing is allocated that grows with a vector but the
// small tables of the largest domain. Timing depends on lengths alone, save in the rows of a constraint system.
package transform
