// Eight 64-bit lanes: the vector type of every kernel here, and the target that its intrinsics need.
//
// Each .c file includes this first. The target is set by pragma and not by compiler flag, so that the package builds with any
// flags; the caller asks ifma_supported() before it calls a kernel.
#pragma once

#define KERNEL_TARGET "avx512f,avx512dq,avx512bw,avx512vl,avx512ifma,avx512vbmi2,bmi,bmi2,lzcnt,popcnt"
#define PRAGMA_(text) _Pragma(#text)
#define PRAGMA(text) PRAGMA_(text)
#if defined(__clang__)
PRAGMA(clang attribute push(__attribute__((target(KERNEL_TARGET))), apply_to = function))
#else
PRAGMA(GCC target(KERNEL_TARGET))
#endif

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define CONCAT_(a, b) a##b
#define CONCAT(a, b) CONCAT_(a, b)

#define INLINE static inline __attribute__((always_inline))
#define OUTLINE __attribute__((noinline, unused))
#define UNROLL _Pragma("GCC unroll 16")

#define LANES 8
#define LIMB_BITS 52
#define LIMB_MASK 0xfffffffffffffULL

typedef __m512i lanes;

INLINE lanes lanes_all(uint64_t v) { return _mm512_set1_epi64((long long)v); }
INLINE lanes lanes_low52(lanes a) { return _mm512_and_si512(a, lanes_all(LIMB_MASK)); }
// lanes_carry is a / 2^52, rounded down: limbs are signed until they are normalised.
INLINE lanes lanes_carry(lanes a) { return _mm512_srai_epi64(a, LIMB_BITS); }
