// Products with factors that are known beforehand, by a precomputed quotient (Shoup; Harvey, "Faster arithmetic for
// number-theoretic transforms", 2014): with w' = floor(w 2^k / p), q = floor(x w' / 2^k) is the quotient of x w by p or
// barely less, so x w - q p is right modulo p, and only the low words of both products are needed.
//
// Here k is a word more than x has, so that q is wrong by at most what is left out of x w': its lowest columns. What is
// left out of q is below (words - 1) 2^-32 for these and 2^-32 for w', together 2^-29; so the result is below p + p/2^29.
#pragma once

#include "loose.cuh"

namespace pg {

template <class P>
struct Known {
  static constexpr int words = P::words;
  static_assert(words == 8, "quotients of scalar fields");

  uint32_t factor[words];        // w, a plain integer: products keep the form that x has
  uint32_t quotient[words + 1];  // w'

  // w from its Montgomery form. w 2^k = w' p + rest, so w' = -rest / p modulo 2^k: its words are the multiples that
  // clear one word of the rest after the other.
  PG_HD static Known of(const Field<P>& montgomery) {
    constexpr Constants<P> c = constants<P>;
    Known known;
    Field<P>::product_call(montgomery, Field<P>::plain_one()).store(known.factor);
    const Field<P> rest = Field<P>::product_call(montgomery, Field<P>::loaded(c.shifted));
    uint32_t sum[words + 1];
    PG_UNROLL for (int i = 0; i < words; i++) sum[i] = rest.w[i];
    sum[words] = 0;
    PG_UNROLL for (int i = 0; i <= words; i++) known.quotient[i] = clear_word(sum);
    return known;
  }

  PG_HD Loose<P> times(const Loose<P>& x) const {
    uint32_t q[words], even[words], odd[words];
    quotient_of(q, x.w);
    low_product(even, odd, x.w, factor);
    subtract_multiple(even, odd, q);
    Loose<P> rest;
    uint32_t shifted[words];
    PG_UNROLL for (int i = 0; i < words; i++) shifted[i] = i > 0 ? odd[i - 1] : 0;
    add_words<words>(rest.w, even, shifted);
    return rest;
  }

 private:
  static constexpr bool short_modulus = Rows<P>::short_modulus;

  // Adds the multiple of p that clears the lowest word, shifts it out and returns the multiple.
  PG_HD static uint32_t clear_word(uint32_t* sum) {
    constexpr Constants<P> c = constants<P>;
    const uint32_t m = sum[0] * uint32_t(c.minus_inverse);
    uint64_t carry = 0;
    PG_UNROLL for (int i = 0; i < words; i++) {
      carry += uint64_t(m) * c.modulus[i] + sum[i];
      if (i > 0) sum[i - 1] = uint32_t(carry);
      carry >>= 32;
    }
    sum[words - 1] = uint32_t(carry);
    return m;
  }

  // q = the words of x w' from 2^k on. Columns below 2^(k - 64) are left out.
  PG_HD void quotient_of(uint32_t* q, const uint32_t* x) const {
    constexpr int n = words;
    uint32_t odd[n + 2] = {}, even[n + 1] = {}, sum[n + 1];  // from column n - 1, from column n
    add_quotient_row<0>(even, odd, x);
    even[n] = 0;
    add_words<n + 1>(sum, even, odd + 1);
    PG_UNROLL for (int i = 0; i < n; i++) q[i] = sum[i + 1];
  }

  // Word J of w' times the words of x that reach column n - 1: the highest pair of words is new in its row.
  template <int J>
  PG_HD void add_quotient_row(uint32_t* even, uint32_t* odd, const uint32_t* x) const {
    constexpr int n = words, least = J < n ? n - 1 - J : 0;
    uint32_t none = 0;
    if constexpr (J == n) {
      add_row<n>(odd + 2, none, x + 1, quotient[J]);
      add_row<n>(even, odd[n + 1], x, quotient[J]);
    } else if constexpr (J % 2) {
      add_row<J + 1>(odd, odd[J + 1], x + least, quotient[J]);
      add_row<J + 1>(even, none, x + least + 1, quotient[J]);
    } else {
      add_row<J + 2>(odd, none, x + least, quotient[J]);
      if constexpr (J > 0) add_row<J>(even, even[J], x + least + 1, quotient[J]);
    }
    if constexpr (J < n) add_quotient_row<J + 1>(even, odd, x);
  }

  // even + 2^32 odd = a b, both modulo 2^(32 words).
  PG_HD static void low_product(uint32_t* even, uint32_t* odd, const uint32_t* a, const uint32_t* b) {
    multiply_row<words>(even, a, b[0]);
    multiply_row<words - 2>(odd, a + 1, b[0]);
    odd[words - 2] = a[words - 1] * b[0];
    add_low_row<1>(even, odd, a, b);
  }

  template <int J>
  PG_HD static void add_low_row(uint32_t* even, uint32_t* odd, const uint32_t* a, const uint32_t* b) {
    constexpr int left = words - J;  // columns
    uint32_t none = 0;
    if constexpr (J % 2) {
      add_row_cut<left>(odd + J - 1, a, b[J]);
      if constexpr (left > 1) add_row<left - 1>(even + J + 1, none, a + 1, b[J]);
    } else {
      add_row<left>(even + J, none, a, b[J]);
      add_row_cut<left - 1>(odd + J, a + 1, b[J]);
    }
    if constexpr (J + 1 < words) add_low_row<J + 1>(even, odd, a, b);
  }

  // even + 2^32 odd -= q p, modulo 2^(32 words): by adding q times 2^(32 words) - p.
  PG_HD static void subtract_multiple(uint32_t* even, uint32_t* odd, const uint32_t* q) {
    constexpr Constants<P> c = constants<P>;
    if constexpr (short_modulus) {
      // The complement of 1, 2^32 - 1 is 2^32 - 1, 0.
      uint32_t shifted[words], odds[words];
      PG_UNROLL for (int i = 0; i < words; i++) {
        shifted[i] = i > 0 ? q[i - 1] : 0;
        odds[i] = i > 0 ? odd[i - 1] : 0;
      }
      add_words<words>(odds, odds, shifted);
      PG_UNROLL for (int i = 1; i < words; i++) odd[i - 1] = odds[i];
      subtract_words<words>(even, even, q);
      add_low_row<2>(even, odd, q, c.complement);
    } else {
      add_low_row<0>(even, odd, q, c.complement);
    }
  }
};

}  // namespace pg
