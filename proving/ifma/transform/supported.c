//go:build amd64

#include "kernel.h"

int transform_supported(void) {
	__builtin_cpu_init();
	return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
	       __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512ifma") && __builtin_cpu_supports("avx512vbmi2") &&
	       __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("bmi2");
}
