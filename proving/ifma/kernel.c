//go:build amd64

#include "group.h"

static const ifma_group *const groups[IFMA_CURVES][IFMA_GROUPS] = {
	{&ifma_bn254_g1, &ifma_bn254_g2},
	{&ifma_bls12381_g1, &ifma_bls12381_g2},
};

static const ifma_scalars *const scalars[IFMA_CURVES] = {&ifma_bn254_scalars, &ifma_bls12381_scalars};

int ifma_supported(void) {
	__builtin_cpu_init();
	return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
	       __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512ifma") && __builtin_cpu_supports("avx512vbmi2") &&
	       __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

void ifma_scalars_census(int curve, const void *bytes, size_t count, int montgomery, ifma_census *out) {
	scalars[curve]->census(bytes, count, montgomery, out);
}

int ifma_scalars_cut(int curve, const void *bytes, size_t first, size_t count, int montgomery, ifma_cut cut,
                     const ifma_census *counted, uint32_t *general, uint16_t *digits, size_t stride, uint32_t *units) {
	return scalars[curve]->cut(bytes, first, count, montgomery, cut, counted, general, digits, stride, units);
}

size_t ifma_workspace_bytes(int curve, int group, size_t count, uint32_t buckets) {
	return groups[curve][group]->workspace_bytes(count, buckets);
}

size_t ifma_find_infinity(int curve, int group, const void *points, size_t first, size_t count, uint64_t *infinity) {
	return groups[curve][group]->find_infinity(points, first, count, infinity);
}

int ifma_window_sums(int curve, int group, const void *points, const uint64_t *infinity, const uint32_t *refs, const uint16_t *digits,
                     size_t count, uint32_t bits, uint32_t low, uint32_t high, void *out, void *workspace, const int32_t *cancelled) {
	return groups[curve][group]->window_sums(points, infinity, refs, digits, count, bits, low, high, out, workspace, cancelled);
}

int ifma_plain_sum(int curve, int group, const void *points, const uint64_t *infinity, const uint32_t *refs, size_t count, void *out,
                   void *workspace, const int32_t *cancelled) {
	return groups[curve][group]->plain_sum(points, infinity, refs, count, out, workspace, cancelled);
}

int ifma_probe(int curve, int operation, const uint64_t *a, const uint64_t *b, uint64_t *out) {
	return groups[curve][IFMA_G1]->probe(operation, a, b, out);
}
