// What lets one source compile for the device and for the host.
//
// The arithmetic headers (field.cuh, fp2.cuh, curve.cuh) are plain C++ on signed integers without carries,
// with a single instruction spelt in PTX. So the very lines that run on the GPU are checked on a CPU, by g++ and gnark-crypto.
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

// low32 of the 64-bit value hi:lo shifted right by `shift` bits, 0 <= shift < 32.
PG_HD uint32_t funnel_right(uint32_t lo, uint32_t hi, int shift) {
#ifdef __CUDA_ARCH__
  return __funnelshift_r(lo, hi, shift);
#else
  return uint32_t(((uint64_t(hi) << 32) | lo) >> shift);
#endif
}

#ifdef PG_COUNT_OVERFLOWS
inline int overflows = 0;  // of multiply_add on the host; a test's proof that the bounds in field.cuh hold
#endif

// sum + a*b, the one instruction all field products are made of. In PTX because the compiler, left to itself, splits
// a signed product with a constant in three.
PG_HD int64_t multiply_add(int32_t a, int32_t b, int64_t sum) {
#ifdef __CUDA_ARCH__
  asm("mad.wide.s32 %0, %1, %2, %0;" : "+l"(sum) : "r"(a), "r"(b));
  return sum;
#elif defined(PG_COUNT_OVERFLOWS)
  int64_t out;
  overflows += __builtin_add_overflow(sum, int64_t(a) * b, &out);
  return out;
#else
  return sum + int64_t(a) * b;
#endif
}

}  // namespace pg
