// The C side of the package: what Go calls. No function here allocates or keeps memory; every pointer is the caller's.
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { IFMA_BN254, IFMA_BLS12381, IFMA_CURVES };
enum { IFMA_G1, IFMA_G2, IFMA_GROUPS };

// ifma_supported tells whether this processor and system can run the kernels.
int ifma_supported(void);

// What the scalars of an MSM are like once zeros and plus and minus ones are taken out: how many are left, and an upper bound of
// their magnitudes in bits, where k counts as min(k, r - k).
typedef struct { uint64_t general, units; uint32_t bits; } ifma_census;

// How scalars are cut into digits: `windows` digits of `bits` bits each, signed, stored as digit + 2^(bits-1).
typedef struct { uint32_t bits, windows; } ifma_cut;

// ifma_scalars_census looks at count scalars of 32 bytes, little-endian; montgomery tells their form.
void ifma_scalars_census(int curve, const void *scalars, size_t count, int montgomery, ifma_census *out);

// ifma_scalars_cut writes scalars [first, first + count): general ones to general (their index, and a sign bit) and digits
// (window w of the i-th at w * stride + i), plus and minus ones to units (index and sign bit). counted is the census of these
// scalars. They may lie in a file that somebody writes to: where they are others by now it returns 1, and has written nothing
// beyond the room for those that were counted.
int ifma_scalars_cut(int curve, const void *scalars, size_t first, size_t count, int montgomery, ifma_cut cut,
                     const ifma_census *counted, uint32_t *general, uint16_t *digits, size_t stride, uint32_t *units);

// ifma_workspace_bytes is the workspace of one thread for sums over at most count points in at most `buckets` buckets.
size_t ifma_workspace_bytes(int curve, int group, size_t count, uint32_t buckets);

// ifma_find_infinity sets bit i of infinity where point first + i is infinity, for i < count; how many are.
size_t ifma_find_infinity(int curve, int group, const void *points, size_t first, size_t count, uint64_t *infinity);

// The terms of a sum: points (packed), and count references to them with a sign bit each; infinity is a bit set over points, or
// NULL where none is.
// ifma_window_sums writes the sum over digits' buckets [low, high) as `bits` packed points: the i-th has weight 2^i.
// It returns 0, or 1 when *cancelled was seen set. The workspace is aligned to 64 bytes.
int ifma_window_sums(int curve, int group, const void *points, const uint64_t *infinity, const uint32_t *refs, const uint16_t *digits,
                     size_t count, uint32_t bits, uint32_t low, uint32_t high, void *out, void *workspace, const int32_t *cancelled);

// ifma_plain_sum writes the sum of the referenced points as one packed point.
int ifma_plain_sum(int curve, int group, const void *points, const uint64_t *infinity, const uint32_t *refs, size_t count, void *out,
                   void *workspace, const int32_t *cancelled);

// ifma_probe does one operation of the base field on 16 elements, for tests: a, b and out hold limbs, the least of all elements
// first. DOT is a b + b b. It returns 0 where the operation fails.
enum { IFMA_MUL, IFMA_DOT, IFMA_DIFFERENCE, IFMA_REDUCE, IFMA_CANONICAL, IFMA_INVERSE };
int ifma_probe(int curve, int operation, const uint64_t *a, const uint64_t *b, uint64_t *out);
