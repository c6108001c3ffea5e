// Carry chains over rows of 32-bit words: what the field's arithmetic is made of.
//
// A row times a word is split in two, its even and its odd words, so that each half is a chain of 64-bit products side
// by side with one carry between neighbours: the pairs mad.lo.cc, madc.hi.cc below become single IMAD.WIDE.X
// instructions. Each chain is one asm statement, since the carry flag does not live between two. On the host the same
// functions add up 64-bit pairs.
#pragma once

#include "portable.cuh"

namespace pg {

#ifndef __CUDA_ARCH__
// sum + carry in 64 bits; carry becomes what did not fit.
inline uint64_t add_carry(uint64_t a, uint64_t b, uint32_t& carry) {
  const uint64_t sum = a + b, with_carry = sum + carry;
  carry = (sum < a) + (with_carry < sum);
  return with_carry;
}
#endif

// row = a[0], a[2], a[4], ... times b, each product in its own two words.
template <int N>
PG_HD void multiply_row(uint32_t* row, const uint32_t* a, uint32_t b) {
  PG_UNROLL for (int j = 0; j < N; j += 2) {
    const uint64_t product = uint64_t(a[j]) * b;
    row[j] = uint32_t(product);
    row[j + 1] = uint32_t(product >> 32);
  }
}

// row += a[0], a[2], a[4], ... times b; top += the carry out.
template <int N>
PG_HD void add_row(uint32_t* row, uint32_t& top, const uint32_t* a, uint32_t b) {
#ifdef __CUDA_ARCH__
  if constexpr (N == 2) {
    asm("mad.lo.cc.u32 %0, %3, %4, %0;\n\t"
        "madc.hi.cc.u32 %1, %3, %4, %1;\n\t"
        "addc.u32 %2, %2, 0;\n\t"
        : "+r"(row[0]), "+r"(row[1]), "+r"(top)
        : "r"(a[0]), "r"(b));
  } else if constexpr (N == 4) {
    asm("mad.lo.cc.u32 %0, %5, %7, %0;\n\t"
        "madc.hi.cc.u32 %1, %5, %7, %1;\n\t"
        "madc.lo.cc.u32 %2, %6, %7, %2;\n\t"
        "madc.hi.cc.u32 %3, %6, %7, %3;\n\t"
        "addc.u32 %4, %4, 0;\n\t"
        : "+r"(row[0]), "+r"(row[1]), "+r"(row[2]), "+r"(row[3]), "+r"(top)
        : "r"(a[0]), "r"(a[2]), "r"(b));
  } else if constexpr (N == 6) {
    asm("mad.lo.cc.u32 %0, %7, %10, %0;\n\t"
        "madc.hi.cc.u32 %1, %7, %10, %1;\n\t"
        "madc.lo.cc.u32 %2, %8, %10, %2;\n\t"
        "madc.hi.cc.u32 %3, %8, %10, %3;\n\t"
        "madc.lo.cc.u32 %4, %9, %10, %4;\n\t"
        "madc.hi.cc.u32 %5, %9, %10, %5;\n\t"
        "addc.u32 %6, %6, 0;\n\t"
        : "+r"(row[0]), "+r"(row[1]), "+r"(row[2]), "+r"(row[3]), "+r"(row[4]), "+r"(row[5]), "+r"(top)
        : "r"(a[0]), "r"(a[2]), "r"(a[4]), "r"(b));
  } else if constexpr (N == 8) {
    asm("mad.lo.cc.u32 %0, %9, %13, %0;\n\t"
        "madc.hi.cc.u32 %1, %9, %13, %1;\n\t"
        "madc.lo.cc.u32 %2, %10, %13, %2;\n\t"
        "madc.hi.cc.u32 %3, %10, %13, %3;\n\t"
        "madc.lo.cc.u32 %4, %11, %13, %4;\n\t"
        "madc.hi.cc.u32 %5, %11, %13, %5;\n\t"
        "madc.lo.cc.u32 %6, %12, %13, %6;\n\t"
        "madc.hi.cc.u32 %7, %12, %13, %7;\n\t"
        "addc.u32 %8, %8, 0;\n\t"
        : "+r"(row[0]), "+r"(row[1]), "+r"(row[2]), "+r"(row[3]), "+r"(row[4]), "+r"(row[5]), "+r"(row[6]),
          "+r"(row[7]), "+r"(top)
        : "r"(a[0]), "r"(a[2]), "r"(a[4]), "r"(a[6]), "r"(b));
  } else if constexpr (N == 10) {
    asm("mad.lo.cc.u32 %0, %11, %16, %0;\n\t"
        "madc.hi.cc.u32 %1, %11, %16, %1;\n\t"
        "madc.lo.cc.u32 %2, %12, %16, %2;\n\t"
        "madc.hi.cc.u32 %3, %12, %16, %3;\n\t"
        "madc.lo.cc.u32 %4, %13, %16, %4;\n\t"
        "madc.hi.cc.u32 %5, %13, %16, %5;\n\t"
        "madc.lo.cc.u32 %6, %14, %16, %6;\n\t"
        "madc.hi.cc.u32 %7, %14, %16, %7;\n\t"
        "madc.lo.cc.u32 %8, %15, %16, %8;\n\t"
        "madc.hi.cc.u32 %9, %15, %16, %9;\n\t"
        "addc.u32 %10, %10, 0;\n\t"
        : "+r"(row[0]), "+r"(row[1]), "+r"(row[2]), "+r"(row[3]), "+r"(row[4]), "+r"(row[5]), "+r"(row[6]),
          "+r"(row[7]), "+r"(row[8]), "+r"(row[9]), "+r"(top)
        : "r"(a[0]), "r"(a[2]), "r"(a[4]), "r"(a[6]), "r"(a[8]), "r"(b));
  } else if constexpr (N == 12) {
    asm("mad.lo.cc.u32 %0, %13, %19, %0;\n\t"
        "madc.hi.cc.u32 %1, %13, %19, %1;\n\t"
        "madc.lo.cc.u32 %2, %14, %19, %2;\n\t"
        "madc.hi.cc.u32 %3, %14, %19, %3;\n\t"
        "madc.lo.cc.u32 %4, %15, %19, %4;\n\t"
        "madc.hi.cc.u32 %5, %15, %19, %5;\n\t"
        "madc.lo.cc.u32 %6, %16, %19, %6;\n\t"
        "madc.hi.cc.u32 %7, %16, %19, %7;\n\t"
        "madc.lo.cc.u32 %8, %17, %19, %8;\n\t"
        "madc.hi.cc.u32 %9, %17, %19, %9;\n\t"
        "madc.lo.cc.u32 %10, %18, %19, %10;\n\t"
        "madc.hi.cc.u32 %11, %18, %19, %11;\n\t"
        "addc.u32 %12, %12, 0;\n\t"
        : "+r"(row[0]), "+r"(row[1]), "+r"(row[2]), "+r"(row[3]), "+r"(row[4]), "+r"(row[5]), "+r"(row[6]),
          "+r"(row[7]), "+r"(row[8]), "+r"(row[9]), "+r"(row[10]), "+r"(row[11]), "+r"(top)
        : "r"(a[0]), "r"(a[2]), "r"(a[4]), "r"(a[6]), "r"(a[8]), "r"(a[10]), "r"(b));
  } else {
    static_assert(N == 0, "no such row");
  }
#else
  uint32_t carry = 0;
  for (int j = 0; j < N; j += 2) {
    const uint64_t sum = add_carry(row[j] | uint64_t(row[j + 1]) << 32, uint64_t(a[j]) * b, carry);
    row[j] = uint32_t(sum);
    row[j + 1] = uint32_t(sum >> 32);
  }
  top += carry;
#endif
}

// row += a[0], a[2], a[4], ... times b, modulo 2^(32 N): N is odd, and of the last product there is only the low word.
template <int N>
PG_HD void add_row_cut(uint32_t* row, const uint32_t* a, uint32_t b) {
#ifdef __CUDA_ARCH__
  if constexpr (N == 1) {
    row[0] += a[0] * b;
  } else if constexpr (N == 3) {
    asm("mad.lo.cc.u32 %0, %3, %5, %0;\n\t"
        "madc.hi.cc.u32 %1, %3, %5, %1;\n\t"
        "madc.lo.u32 %2, %4, %5, %2;\n\t"
        : "+r"(row[0]), "+r"(row[1]), "+r"(row[2])
        : "r"(a[0]), "r"(a[2]), "r"(b));
  } else if constexpr (N == 5) {
    asm("mad.lo.cc.u32 %0, %5, %8, %0;\n\t"
        "madc.hi.cc.u32 %1, %5, %8, %1;\n\t"
        "madc.lo.cc.u32 %2, %6, %8, %2;\n\t"
        "madc.hi.cc.u32 %3, %6, %8, %3;\n\t"
        "madc.lo.u32 %4, %7, %8, %4;\n\t"
        : "+r"(row[0]), "+r"(row[1]), "+r"(row[2]), "+r"(row[3]), "+r"(row[4])
        : "r"(a[0]), "r"(a[2]), "r"(a[4]), "r"(b));
  } else {
    static_assert(N == 7, "no such row");
    asm("mad.lo.cc.u32 %0, %7, %11, %0;\n\t"
        "madc.hi.cc.u32 %1, %7, %11, %1;\n\t"
        "madc.lo.cc.u32 %2, %8, %11, %2;\n\t"
        "madc.hi.cc.u32 %3, %8, %11, %3;\n\t"
        "madc.lo.cc.u32 %4, %9, %11, %4;\n\t"
        "madc.hi.cc.u32 %5, %9, %11, %5;\n\t"
        "madc.lo.u32 %6, %10, %11, %6;\n\t"
        : "+r"(row[0]), "+r"(row[1]), "+r"(row[2]), "+r"(row[3]), "+r"(row[4]), "+r"(row[5]), "+r"(row[6])
        : "r"(a[0]), "r"(a[2]), "r"(a[4]), "r"(a[6]), "r"(b));
  }
#else
  uint32_t none = 0;
  add_row<N - 1>(row, none, a, b);
  const uint64_t carry = none;
  row[N - 1] += uint32_t(a[N - 1] * b + carry);
#endif
}

// row += low, high, and in the words after them a[2], a[4], ... times b; top += the carry out.
template <int N>
PG_HD void add_row_after(uint32_t* row, uint32_t& top, uint32_t low, uint32_t high, const uint32_t* a, uint32_t b) {
  static_assert(N == 8, "rows of 8 words");
#ifdef __CUDA_ARCH__
  asm("add.cc.u32 %0, %0, %9;\n\t"
      "addc.cc.u32 %1, %1, %10;\n\t"
      "madc.lo.cc.u32 %2, %11, %14, %2;\n\t"
      "madc.hi.cc.u32 %3, %11, %14, %3;\n\t"
      "madc.lo.cc.u32 %4, %12, %14, %4;\n\t"
      "madc.hi.cc.u32 %5, %12, %14, %5;\n\t"
      "madc.lo.cc.u32 %6, %13, %14, %6;\n\t"
      "madc.hi.cc.u32 %7, %13, %14, %7;\n\t"
      "addc.u32 %8, %8, 0;\n\t"
      : "+r"(row[0]), "+r"(row[1]), "+r"(row[2]), "+r"(row[3]), "+r"(row[4]), "+r"(row[5]), "+r"(row[6]),
        "+r"(row[7]), "+r"(top)
      : "r"(low), "r"(high), "r"(a[2]), "r"(a[4]), "r"(a[6]), "r"(b));
#else
  uint32_t carry = 0;
  for (int j = 0; j < N; j += 2) {
    const uint64_t term = j == 0 ? low | uint64_t(high) << 32 : uint64_t(a[j]) * b;
    const uint64_t sum = add_carry(row[j] | uint64_t(row[j + 1]) << 32, term, carry);
    row[j] = uint32_t(sum);
    row[j + 1] = uint32_t(sum >> 32);
  }
  top += carry;
#endif
}

// low += old[1], and with its carry: row = old shifted down two words, plus a[0], a[2], a[4], ... times b.
template <int N>
PG_HD void shift_row(uint32_t* row, uint32_t& low, const uint32_t* old, const uint32_t* a, uint32_t b) {
#ifdef __CUDA_ARCH__
  if constexpr (N == 8) {
    asm("add.cc.u32 %8, %8, %9;\n\t"
        "madc.lo.cc.u32 %0, %16, %20, %10;\n\t"
        "madc.hi.cc.u32 %1, %16, %20, %11;\n\t"
        "madc.lo.cc.u32 %2, %17, %20, %12;\n\t"
        "madc.hi.cc.u32 %3, %17, %20, %13;\n\t"
        "madc.lo.cc.u32 %4, %18, %20, %14;\n\t"
        "madc.hi.cc.u32 %5, %18, %20, %15;\n\t"
        "madc.lo.cc.u32 %6, %19, %20, 0;\n\t"
        "madc.hi.u32 %7, %19, %20, 0;\n\t"
        : "=&r"(row[0]), "=&r"(row[1]), "=&r"(row[2]), "=&r"(row[3]), "=&r"(row[4]), "=&r"(row[5]), "=&r"(row[6]),
          "=&r"(row[7]), "+r"(low)
        : "r"(old[1]), "r"(old[2]), "r"(old[3]), "r"(old[4]), "r"(old[5]), "r"(old[6]), "r"(old[7]), "r"(a[0]),
          "r"(a[2]), "r"(a[4]), "r"(a[6]), "r"(b));
  } else {
    static_assert(N == 12, "rows of 8 or 12 words");
    asm("add.cc.u32 %12, %12, %13;\n\t"
        "madc.lo.cc.u32 %0, %24, %30, %14;\n\t"
        "madc.hi.cc.u32 %1, %24, %30, %15;\n\t"
        "madc.lo.cc.u32 %2, %25, %30, %16;\n\t"
        "madc.hi.cc.u32 %3, %25, %30, %17;\n\t"
        "madc.lo.cc.u32 %4, %26, %30, %18;\n\t"
        "madc.hi.cc.u32 %5, %26, %30, %19;\n\t"
        "madc.lo.cc.u32 %6, %27, %30, %20;\n\t"
        "madc.hi.cc.u32 %7, %27, %30, %21;\n\t"
        "madc.lo.cc.u32 %8, %28, %30, %22;\n\t"
        "madc.hi.cc.u32 %9, %28, %30, %23;\n\t"
        "madc.lo.cc.u32 %10, %29, %30, 0;\n\t"
        "madc.hi.u32 %11, %29, %30, 0;\n\t"
        : "=&r"(row[0]), "=&r"(row[1]), "=&r"(row[2]), "=&r"(row[3]), "=&r"(row[4]), "=&r"(row[5]), "=&r"(row[6]),
          "=&r"(row[7]), "=&r"(row[8]), "=&r"(row[9]), "=&r"(row[10]), "=&r"(row[11]), "+r"(low)
        : "r"(old[1]), "r"(old[2]), "r"(old[3]), "r"(old[4]), "r"(old[5]), "r"(old[6]), "r"(old[7]), "r"(old[8]),
          "r"(old[9]), "r"(old[10]), "r"(old[11]), "r"(a[0]), "r"(a[2]), "r"(a[4]), "r"(a[6]), "r"(a[8]), "r"(a[10]),
          "r"(b));
  }
#else
  const uint64_t first = uint64_t(low) + old[1];
  low = uint32_t(first);
  uint32_t carry = uint32_t(first >> 32);
  for (int j = 0; j < N; j += 2) {
    const uint64_t before = j + 2 < N ? old[j + 2] | uint64_t(old[j + 3]) << 32 : 0;
    const uint64_t sum = add_carry(before, uint64_t(a[j]) * b, carry);
    row[j] = uint32_t(sum);
    row[j + 1] = uint32_t(sum >> 32);
  }
#endif
}

// out = a + b + carry_in (0 or 1); returns the carry.
template <int N>
PG_HD uint32_t add_words(uint32_t* out, const uint32_t* a, const uint32_t* b, uint32_t carry_in = 0) {
  uint32_t carry = carry_in;
#ifdef __CUDA_ARCH__
  if constexpr (N == 8) {
    asm("add.cc.u32 %8, %25, -1;\n\t"
        "addc.cc.u32 %0, %9, %17;\n\t"
        "addc.cc.u32 %1, %10, %18;\n\t"
        "addc.cc.u32 %2, %11, %19;\n\t"
        "addc.cc.u32 %3, %12, %20;\n\t"
        "addc.cc.u32 %4, %13, %21;\n\t"
        "addc.cc.u32 %5, %14, %22;\n\t"
        "addc.cc.u32 %6, %15, %23;\n\t"
        "addc.cc.u32 %7, %16, %24;\n\t"
        "addc.u32 %8, 0, 0;\n\t"
        : "=&r"(out[0]), "=&r"(out[1]), "=&r"(out[2]), "=&r"(out[3]), "=&r"(out[4]), "=&r"(out[5]), "=&r"(out[6]),
          "=&r"(out[7]), "=&r"(carry)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]), "r"(b[0]),
          "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]), "r"(carry_in));
  } else if constexpr (N == 9) {
    asm("add.cc.u32 %9, %28, -1;\n\t"
        "addc.cc.u32 %0, %10, %19;\n\t"
        "addc.cc.u32 %1, %11, %20;\n\t"
        "addc.cc.u32 %2, %12, %21;\n\t"
        "addc.cc.u32 %3, %13, %22;\n\t"
        "addc.cc.u32 %4, %14, %23;\n\t"
        "addc.cc.u32 %5, %15, %24;\n\t"
        "addc.cc.u32 %6, %16, %25;\n\t"
        "addc.cc.u32 %7, %17, %26;\n\t"
        "addc.cc.u32 %8, %18, %27;\n\t"
        "addc.u32 %9, 0, 0;\n\t"
        : "=&r"(out[0]), "=&r"(out[1]), "=&r"(out[2]), "=&r"(out[3]), "=&r"(out[4]), "=&r"(out[5]), "=&r"(out[6]),
          "=&r"(out[7]), "=&r"(out[8]), "=&r"(carry)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]), "r"(a[8]),
          "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]), "r"(b[8]),
          "r"(carry_in));
  } else {
    static_assert(N == 12, "rows of 8, 9 or 12 words");
    asm("add.cc.u32 %12, %37, -1;\n\t"
        "addc.cc.u32 %0, %13, %25;\n\t"
        "addc.cc.u32 %1, %14, %26;\n\t"
        "addc.cc.u32 %2, %15, %27;\n\t"
        "addc.cc.u32 %3, %16, %28;\n\t"
        "addc.cc.u32 %4, %17, %29;\n\t"
        "addc.cc.u32 %5, %18, %30;\n\t"
        "addc.cc.u32 %6, %19, %31;\n\t"
        "addc.cc.u32 %7, %20, %32;\n\t"
        "addc.cc.u32 %8, %21, %33;\n\t"
        "addc.cc.u32 %9, %22, %34;\n\t"
        "addc.cc.u32 %10, %23, %35;\n\t"
        "addc.cc.u32 %11, %24, %36;\n\t"
        "addc.u32 %12, 0, 0;\n\t"
        : "=&r"(out[0]), "=&r"(out[1]), "=&r"(out[2]), "=&r"(out[3]), "=&r"(out[4]), "=&r"(out[5]), "=&r"(out[6]),
          "=&r"(out[7]), "=&r"(out[8]), "=&r"(out[9]), "=&r"(out[10]), "=&r"(out[11]), "=&r"(carry)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]), "r"(a[8]),
          "r"(a[9]), "r"(a[10]), "r"(a[11]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]),
          "r"(b[6]), "r"(b[7]), "r"(b[8]), "r"(b[9]), "r"(b[10]), "r"(b[11]), "r"(carry_in));
  }
#else
  for (int i = 0; i < N; i++) {
    const uint64_t sum = uint64_t(a[i]) + b[i] + carry;
    out[i] = uint32_t(sum);
    carry = uint32_t(sum >> 32);
  }
#endif
  return carry;
}

// out = a - b; returns not zero when it wrapped.
template <int N>
PG_HD uint32_t subtract_words(uint32_t* out, const uint32_t* a, const uint32_t* b) {
  uint32_t carry = 0;
#ifdef __CUDA_ARCH__
  if constexpr (N == 8) {
    asm("sub.cc.u32 %0, %9, %17;\n\t"
        "subc.cc.u32 %1, %10, %18;\n\t"
        "subc.cc.u32 %2, %11, %19;\n\t"
        "subc.cc.u32 %3, %12, %20;\n\t"
        "subc.cc.u32 %4, %13, %21;\n\t"
        "subc.cc.u32 %5, %14, %22;\n\t"
        "subc.cc.u32 %6, %15, %23;\n\t"
        "subc.cc.u32 %7, %16, %24;\n\t"
        "subc.u32 %8, 0, 0;\n\t"
        : "=&r"(out[0]), "=&r"(out[1]), "=&r"(out[2]), "=&r"(out[3]), "=&r"(out[4]), "=&r"(out[5]), "=&r"(out[6]),
          "=&r"(out[7]), "=r"(carry)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]), "r"(b[0]),
          "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]));
  } else {
    static_assert(N == 12, "rows of 8 or 12 words");
    asm("sub.cc.u32 %0, %13, %25;\n\t"
        "subc.cc.u32 %1, %14, %26;\n\t"
        "subc.cc.u32 %2, %15, %27;\n\t"
        "subc.cc.u32 %3, %16, %28;\n\t"
        "subc.cc.u32 %4, %17, %29;\n\t"
        "subc.cc.u32 %5, %18, %30;\n\t"
        "subc.cc.u32 %6, %19, %31;\n\t"
        "subc.cc.u32 %7, %20, %32;\n\t"
        "subc.cc.u32 %8, %21, %33;\n\t"
        "subc.cc.u32 %9, %22, %34;\n\t"
        "subc.cc.u32 %10, %23, %35;\n\t"
        "subc.cc.u32 %11, %24, %36;\n\t"
        "subc.u32 %12, 0, 0;\n\t"
        : "=&r"(out[0]), "=&r"(out[1]), "=&r"(out[2]), "=&r"(out[3]), "=&r"(out[4]), "=&r"(out[5]), "=&r"(out[6]),
          "=&r"(out[7]), "=&r"(out[8]), "=&r"(out[9]), "=&r"(out[10]), "=&r"(out[11]), "=r"(carry)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]), "r"(a[8]),
          "r"(a[9]), "r"(a[10]), "r"(a[11]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]),
          "r"(b[6]), "r"(b[7]), "r"(b[8]), "r"(b[9]), "r"(b[10]), "r"(b[11]));
  }
#else
  for (int i = 0; i < N; i++) {
    const uint64_t difference = uint64_t(a[i]) - b[i] - carry;
    out[i] = uint32_t(difference);
    carry = uint32_t(difference >> 63);
  }
#endif
  return carry;
}

// out += a, if the condition holds. (Instructions under a condition take the place of choosing words.)
template <int N>
PG_HD void add_words_if(bool condition, uint32_t* out, const uint32_t* a) {
#ifdef __CUDA_ARCH__
  static_assert(N == 8, "rows of 8 words");
  asm("{.reg .pred holds;\n\t"
      "setp.ne.u32 holds, %16, 0;\n\t"
      "@holds add.cc.u32 %0, %0, %8;\n\t"
      "@holds addc.cc.u32 %1, %1, %9;\n\t"
      "@holds addc.cc.u32 %2, %2, %10;\n\t"
      "@holds addc.cc.u32 %3, %3, %11;\n\t"
      "@holds addc.cc.u32 %4, %4, %12;\n\t"
      "@holds addc.cc.u32 %5, %5, %13;\n\t"
      "@holds addc.cc.u32 %6, %6, %14;\n\t"
      "@holds addc.u32 %7, %7, %15;}\n\t"
      : "+r"(out[0]), "+r"(out[1]), "+r"(out[2]), "+r"(out[3]), "+r"(out[4]), "+r"(out[5]), "+r"(out[6]), "+r"(out[7])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]),
        "r"(uint32_t(condition)));
#else
  if (condition) add_words<N>(out, out, a);
#endif
}

// out -= a, if the condition holds.
template <int N>
PG_HD void subtract_words_if(bool condition, uint32_t* out, const uint32_t* a) {
#ifdef __CUDA_ARCH__
  static_assert(N == 8, "rows of 8 words");
  asm("{.reg .pred holds;\n\t"
      "setp.ne.u32 holds, %16, 0;\n\t"
      "@holds sub.cc.u32 %0, %0, %8;\n\t"
      "@holds subc.cc.u32 %1, %1, %9;\n\t"
      "@holds subc.cc.u32 %2, %2, %10;\n\t"
      "@holds subc.cc.u32 %3, %3, %11;\n\t"
      "@holds subc.cc.u32 %4, %4, %12;\n\t"
      "@holds subc.cc.u32 %5, %5, %13;\n\t"
      "@holds subc.cc.u32 %6, %6, %14;\n\t"
      "@holds subc.u32 %7, %7, %15;}\n\t"
      : "+r"(out[0]), "+r"(out[1]), "+r"(out[2]), "+r"(out[3]), "+r"(out[4]), "+r"(out[5]), "+r"(out[6]), "+r"(out[7])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]),
        "r"(uint32_t(condition)));
#else
  if (condition) subtract_words<N>(out, out, a);
#endif
}

}  // namespace pg
