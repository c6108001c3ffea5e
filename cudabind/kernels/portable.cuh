// What lets one source compile for the device and for the host, so that the arithmetic that runs on a GPU is checked on
// a CPU, by g++ and gnark-crypto. Only chains.cuh knows the difference.
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define PG_HD __host__ __device__ __forceinline__
#define PG_HD_OUTLINE __host__ __device__ __noinline__
#define PG_UNROLL _Pragma("unroll")
#define PG_ALIGN(n) __align__(n)
#else
#define PG_HD inline
#define PG_HD_OUTLINE inline __attribute__((noinline))
#define PG_UNROLL
#define PG_ALIGN(n) alignas(n)
#endif

namespace pg {

PG_HD int count_trailing_zeros(uint32_t x) {
#ifdef __CUDA_ARCH__
  return __ffs(x) - 1;
#else
  return __builtin_ctz(x);
#endif
}

}  // namespace pg
