// What every group's kernel offers; kernel.c chooses among them.
#pragma once
#include "kernel.h"

typedef struct {
	size_t (*workspace_bytes)(size_t count, uint32_t buckets);
	size_t (*find_infinity)(const void *points, size_t first, size_t count, uint64_t *infinity);
	int (*window_sums)(const void *points, const uint64_t *infinity, const uint32_t *refs, const uint16_t *digits, size_t count,
	                   uint32_t bits, uint32_t low, uint32_t high, void *out, void *workspace, const int32_t *cancelled);
	int (*plain_sum)(const void *points, const uint64_t *infinity, const uint32_t *refs, size_t count, void *out, void *workspace,
	                 const int32_t *cancelled);
	int (*probe)(int operation, const uint64_t *a, const uint64_t *b, uint64_t *out);
} ifma_group;

typedef struct {
	void (*census)(const void *scalars, size_t count, int montgomery, ifma_census *out);
	int (*cut)(const void *scalars, size_t first, size_t count, int montgomery, ifma_cut cut, const ifma_census *counted,
	           uint32_t *general, uint16_t *digits, size_t stride, uint32_t *units);
} ifma_scalars;

extern const ifma_group ifma_bn254_g1, ifma_bn254_g2, ifma_bls12381_g1, ifma_bls12381_g2;
extern const ifma_scalars ifma_bn254_scalars, ifma_bls12381_scalars;
