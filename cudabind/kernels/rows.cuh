// Montgomery's reduction on even and odd rows: a running sum even + 2^32 odd that loses a word at each step.
#pragma once

#include "chains.cuh"
#include "constants.cuh"

namespace pg {

template <class P>
struct Rows {
  static constexpr int words = P::words;
  // BLS12-381's r ends in the words 1, 2^32 - 1: their products with a factor m are m and 2^32 m - m.
  static constexpr bool short_modulus = P::modulus[0] == 1 && P::modulus[1] == 0xffffffff;

  uint32_t even[words], odd[words];

  // Adds a b; with a shift down by one word, which makes the old odd row the even one, unless it is the first.
  PG_HD void take(const uint32_t* a, uint32_t b, bool first) {
    if (first) {
      multiply_row<words>(even, a, b);
      multiply_row<words>(odd, a + 1, b);
      return;
    }
    shift_in(a + 1, b);
    add_row<words>(even, odd[words - 1], a, b);
  }

  PG_HD void add(const uint32_t* a, uint32_t b) {
    uint32_t none = 0;
    add_row<words>(odd, none, a + 1, b);
    add_row<words>(even, odd[words - 1], a, b);
  }

  // Adds the multiple of p that clears the lowest word.
  PG_HD void reduce() {
    constexpr Constants<P> c = constants<P>;
    uint32_t none = 0;
    const uint32_t low = even[0], m = low * minus_inverse();
    if constexpr (short_modulus) {
      add_row_after<words>(odd, none, low, m - (low != 0), c.modulus + 1, m);  // low: -m
      add_row_after<words>(even, odd[words - 1], 0xffffffff, 0, c.modulus, m);
    } else {
      add_row<words>(odd, none, c.modulus + 1, m);
      add_row<words>(even, odd[words - 1], c.modulus, m);
    }
  }

  // The same for a value that is whole beforehand: its low words first.
  PG_HD static Rows reducing(const uint32_t* low) {
    constexpr Constants<P> c = constants<P>;
    Rows t;
    PG_UNROLL for (int i = 0; i < words; i++) t.even[i] = low[i];
    const uint32_t m = low[0] * minus_inverse();
    multiply_row<words>(t.odd, c.modulus + 1, m);
    add_row<words>(t.even, t.odd[words - 1], c.modulus, m);
    return t;
  }

  // The next word of it, shift and product in one chain.
  PG_HD void shift_and_reduce() {
    constexpr Constants<P> c = constants<P>;
    const uint32_t m = (odd[0] + even[1]) * minus_inverse();
    shift_in(c.modulus + 1, m);
    add_row<words>(even, odd[words - 1], c.modulus, m);
  }

  // out = the sum without its lowest word, which is zero.
  PG_HD void sum(uint32_t* out) const {
    uint32_t shifted[words];
    PG_UNROLL for (int i = 0; i < words; i++) shifted[i] = i + 1 < words ? even[i + 1] : 0;
    add_words<words>(out, odd, shifted);
  }

 private:
  PG_HD void shift_in(const uint32_t* a, uint32_t b) {
    uint32_t shifted[words];
    shift_row<words>(shifted, odd[0], even, a, b);
    PG_UNROLL for (int i = 0; i < words; i++) {
      even[i] = odd[i];
      odd[i] = shifted[i];
    }
  }

  // -p^-1 mod 2^32. Where that is -1 it comes from constant memory as an unknown number: told that m is a negation,
  // the compiler takes the chains' products apart.
  PG_HD static uint32_t minus_inverse() {
#ifdef __CUDA_ARCH__
    if constexpr (P::modulus[0] == 1) return uint32_t(constants_in_memory<P>.minus_inverse);
#endif
    constexpr Constants<P> c = constants<P>;
    return uint32_t(c.minus_inverse);
  }
};

}  // namespace pg
