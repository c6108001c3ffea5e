// Eight 64-bit lanes: the vector type of every kernel here, and the target that its intrinsics need.
//
// Each .c file includes this first. The target is set by pragma and not by compiler flag, so that the package builds with any
// flags; the caller asks transform_supported() before it calls a kernel.
#pragma once

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,avx512ifma,avx512vbmi2,avx512cd,bmi2"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512dq,avx512bw,avx512vl,avx512ifma,avx512vbmi2,avx512cd,bmi2")
#endif

#include <immintrin.h>
#include <string.h>
#include "kernel.h"

#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 16")
#define EACH_LIMB UNROLL for (int i = 0; i < LIMBS; i++)

#define LANES 8
#define LIMB_BITS 52

typedef __m512i lanes;
typedef uint64_t __attribute__((may_alias)) lane; // one of them, looked at in memory

INLINE lanes lanes_all(uint64_t v) { return _mm512_set1_epi64((long long)v); }
INLINE lanes lanes_low52(lanes a) { return _mm512_and_si512(a, lanes_all((1ULL << LIMB_BITS) - 1)); }
INLINE lanes lanes_carry(lanes a) { return _mm512_srli_epi64(a, LIMB_BITS); }
