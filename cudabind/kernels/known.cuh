// Products with factors that are known beforehand, by a precomputed quotient (Shoup; Harvey, "Faster arithmetic for
// number-theoretic transforms", 2014): with w' = floor(w 2^k / p), q = floor(x w' / 2^k) is the quotient of x w by p or
// barely less, so x w - q p is right modulo p, and only the low words of both products are needed.
//
// Here k is a word more than x has: then what is left out of w' is worth less than 2^-32 in q, and the lowest columns of
// x w', which need not be computed, less than (words - 1) 2^-32. Together that is 2^-29, so the result is below
// p + p / 2^29 for any x, and numbers need no other reduction.
#pragma once

#include "halves.cuh"
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
    uint32_t sum[words];
    rest.store(sum);
    PG_UNROLL for (int i = 0; i <= words; i++) known.quotient[i] = clear_word(sum);
    return known;
  }

  // x w, below p + p / 2^29, whatever x is.
  PG_HD Loose<P> times(const Loose<P>& x) const {
    uint32_t q[words], even[words], odd[words], shifted[words];
    high_product<words>(q, x.w, quotient);
    low_product<words>(even, odd, x.w, factor);
    subtract_multiple(even, odd, q);
    shift_up<words>(shifted, odd);
    Loose<P> rest;
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

  // even + 2^32 odd -= q p, modulo 2^(32 words): by adding q times 2^(32 words) - p.
  PG_HD static void subtract_multiple(uint32_t* even, uint32_t* odd, const uint32_t* q) {
    constexpr Constants<P> c = constants<P>;
    if constexpr (short_modulus) {
      // The complement of 1, 2^32 - 1 is 2^32 - 1, 0.
      uint32_t shifted[words], more[words];
      shift_up<words>(shifted, odd);
      shift_up<words>(more, q);
      add_words<words>(shifted, shifted, more);
      PG_UNROLL for (int i = 1; i < words; i++) odd[i - 1] = shifted[i];
      subtract_words<words>(even, even, q);
      add_low_rows<words, 2>(even, odd, q, c.complement);
    } else {
      add_low_rows<words>(even, odd, q, c.complement);
    }
  }
};

}  // namespace pg
