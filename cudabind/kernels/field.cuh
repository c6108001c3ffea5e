// A prime field in Montgomery form, packed in 32-bit words and always below p: in registers as in memory.
#pragma once

#include "chains.cuh"
#include "constants.cuh"

namespace pg {

template <class P>
struct Field {
  using Params = P;
  using Base = Field;
  static constexpr int words = P::words;
  static constexpr int components = 1;           // prime-field coordinates of an element
  static constexpr bool outlined = words == 12;  // products are called rather than inlined

  uint32_t w[words];

  PG_HD static Field zero() {
    Field z;
    PG_UNROLL for (int i = 0; i < words; i++) z.w[i] = 0;
    return z;
  }

  PG_HD static Field one() {
    constexpr Constants<P> c = constants<P>;
    return loaded(c.one);
  }

  // R^2: multiplying an integer by it brings it into Montgomery form.
  PG_HD static Field montgomery_square() {
    constexpr Constants<P> c = constants<P>;
    return loaded(c.square);
  }

  // 1 as a plain integer: multiplying by it takes an element out of Montgomery form.
  PG_HD static Field plain_one() {
    Field f = zero();
    f.w[0] = 1;
    return f;
  }

  PG_HD static Field loaded(const uint32_t* from) {
    Field f;
    PG_UNROLL for (int i = 0; i < words; i++) f.w[i] = from[i];
    return f;
  }

  PG_HD void store(uint32_t* to) const {
    PG_UNROLL for (int i = 0; i < words; i++) to[i] = w[i];
  }

  PG_HD friend Field operator+(const Field& a, const Field& b) {
    Field sum;
    add_words<words>(sum.w, a.w, b.w);  // no carry: 2p < 2^(32 words) for all four moduli
    return sum.below_modulus();
  }

  PG_HD friend Field operator-(const Field& a, const Field& b) {
    constexpr Constants<P> c = constants<P>;
    Field difference, correction;
    const uint32_t borrow = subtract_words<words>(difference.w, a.w, b.w);
    PG_UNROLL for (int i = 0; i < words; i++) correction.w[i] = borrow ? c.modulus[i] : 0;
    add_words<words>(difference.w, difference.w, correction.w);
    return difference;
  }

  PG_HD Field operator-() const { return zero() - *this; }

  PG_HD friend Field operator*(const Field& a, const Field& b) { return outlined ? product_call(a, b) : product(a, b); }

  // Whether `dot` may be used: it needs three times the modulus to fit, with which BLS12-381's r does not comply.
  static constexpr bool has_dot = P::modulus[words - 1] < 0x55555555;

  // a*b + c*d for the price of one reduction.
  PG_HD static Field dot(const Field& a, const Field& b, const Field& c, const Field& d) {
    return outlined ? dot_call(a, b, c, d) : sum_of_products(a, b, c, d);
  }

  PG_HD Field squared() const { return outlined ? square_call(*this) : square(*this); }

  // The same as functions that are called: operands and results travel in registers, and the code of a curve's
  // addition, a few calls, stays in the instruction cache.
  PG_HD_OUTLINE static Field product_call(Field a, Field b) { return product(a, b); }
  PG_HD_OUTLINE static Field square_call(Field a) { return square(a); }
  PG_HD_OUTLINE static Field dot_call(Field a, Field b, Field c, Field d) { return sum_of_products(a, b, c, d); }

  PG_HD bool is_zero() const {
    uint32_t any = 0;
    PG_UNROLL for (int i = 0; i < words; i++) any |= w[i];
    return any == 0;
  }

 private:
  // Subtracts p from a value below 2p, if it is not below p.
  PG_HD Field below_modulus() const {
    constexpr Constants<P> c = constants<P>;
    Field less;
    const uint32_t borrow = subtract_words<words>(less.w, w, c.modulus);
    PG_UNROLL for (int i = 0; i < words; i++) less.w[i] = borrow ? w[i] : less.w[i];
    return less;
  }

#if defined(__CUDA_ARCH__) || defined(PG_ROWS_ON_HOST)
  PG_HD static Field product(const Field& a, const Field& b) {
    Rows t;
    PG_UNROLL for (int i = 0; i < words; i++) {
      t.take(a, b.w[i], i == 0);
      t.reduce();
    }
    return t.value();
  }

  // Below (2 p^2 + p 2^(32 words)) / 2^(32 words) < 2p, and no row overflows: 3 * 2^32 p < 2^(32 words + 32).
  PG_HD static Field sum_of_products(const Field& a, const Field& b, const Field& c, const Field& d) {
    static_assert(has_dot, "the rows would overflow");
    Rows t;
    PG_UNROLL for (int i = 0; i < words; i++) {
      t.take(a, b.w[i], i == 0);
      t.add(c, d.w[i]);
      t.reduce();
    }
    return t.value();
  }

  // Each product of two different words once, doubled: 3/4 of a product's multiplications.
  PG_HD static Field square(const Field& a) {
    uint32_t even[2 * words + 2] = {}, odd[2 * words + 2] = {}, twice[words], low[words], high[words];
    add_words<words>(twice, a.w, a.w);
    add_square_row<0>(even, odd, a.w, twice);
    const uint32_t carry = add_words<words>(low, even, shifted_up(odd).w);
    add_words<words>(high, even + words, odd + words - 1, carry);
    Rows t = Rows::of(low);
    PG_UNROLL for (int i = 0; i < words; i++) {
      if (i > 0) t.shift();
      t.reduce();
    }
    return t.value(high);
  }

  PG_HD static Field shifted_up(const uint32_t* odd) {
    Field f;
    PG_UNROLL for (int i = 0; i < words; i++) f.w[i] = i > 0 ? odd[i - 1] : 0;
    return f;
  }

  // Adds a_I^2 and 2 a_I a_j, j > I, at their even and odd positions. 2 (a_j, j > I) are the words of 2a from I + 1 on,
  // but for the bit that came from a_I.
  template <int I>
  PG_HD static void add_square_row(uint32_t* even, uint32_t* odd, const uint32_t* a, const uint32_t* twice) {
    constexpr int even_words = 2 * (1 + (words - 1 - I) / 2), odd_words = 2 * ((words - I) / 2);
    uint32_t at_even[words + 2], at_odd[words + 2];
    at_even[0] = a[I];
    PG_UNROLL for (int k = 2; k < even_words; k += 2) at_even[k] = twice[I + k];
    add_row<even_words>(even + 2 * I, even[2 * I + even_words], at_even, a[I]);
    if constexpr (I + 1 < words) {
      at_odd[0] = twice[I + 1] & ~1u;
      PG_UNROLL for (int k = 2; k < odd_words; k += 2) at_odd[k] = twice[I + 1 + k];
      add_row<odd_words>(odd + 2 * I, odd[2 * I + odd_words], at_odd, a[I]);
      add_square_row<I + 1>(even, odd, a, twice);
    }
  }

  // The running sum of Montgomery's method: even + 2^32 odd. Each word of b is taken with a shift down by one word,
  // which makes the old odd row the even one.
  struct Rows {
    uint32_t even[words], odd[words];

    PG_HD void take(const Field& a, uint32_t b, bool first) {
      if (first) {
        multiply_row<words>(even, a.w, b);
        multiply_row<words>(odd, a.w + 1, b);
        return;
      }
      uint32_t shifted[words];
      shift_row<words>(shifted, odd[0], even, a.w + 1, b);
      PG_UNROLL for (int i = 0; i < words; i++) {
        even[i] = odd[i];
        odd[i] = shifted[i];
      }
      add_row<words>(even, odd[words - 1], a.w, b);
    }

    PG_HD static Rows of(const uint32_t* value) {
      Rows t;
      PG_UNROLL for (int i = 0; i < words; i++) {
        t.even[i] = value[i];
        t.odd[i] = 0;
      }
      return t;
    }

    // Down by one word, the lowest being zero.
    PG_HD void shift() {
      uint32_t shifted[words];
      shift_row<words>(shifted, odd[0], even);
      PG_UNROLL for (int i = 0; i < words; i++) {
        even[i] = odd[i];
        odd[i] = shifted[i];
      }
    }

    PG_HD void add(const Field& a, uint32_t b) {
      uint32_t none = 0;
      add_row<words>(odd, none, a.w + 1, b);
      add_row<words>(even, odd[words - 1], a.w, b);
    }

    // Adds the multiple of p that clears the lowest word.
    PG_HD void reduce() {
      constexpr Constants<P> c = constants<P>;
      uint32_t none = 0;
      const uint32_t m = even[0] * minus_inverse();
      add_row<words>(odd, none, c.modulus + 1, m);
      add_row<words>(even, odd[words - 1], c.modulus, m);
    }

    // -p^-1 mod 2^32. Where that is -1, for BLS12-381's r, it comes from constant memory as an unknown number: told
    // that m is a negation, the compiler takes the chains' products apart.
    PG_HD static uint32_t minus_inverse() {
#ifdef __CUDA_ARCH__
      if constexpr (P::modulus[0] == 1) return uint32_t(constants_in_memory<P>.minus_inverse);
#endif
      constexpr Constants<P> c = constants<P>;
      return uint32_t(c.minus_inverse);
    }

    PG_HD Field value() const {
      uint32_t shifted[words];
      PG_UNROLL for (int i = 0; i < words; i++) shifted[i] = i + 1 < words ? even[i + 1] : 0;
      Field sum;
      add_words<words>(sum.w, odd, shifted);
      return sum.below_modulus();
    }

    PG_HD Field value(const uint32_t* high) const {
      uint32_t shifted[words];
      PG_UNROLL for (int i = 0; i < words; i++) shifted[i] = i + 1 < words ? even[i + 1] : 0;
      Field sum;
      add_words<words>(sum.w, odd, shifted);
      add_words<words>(sum.w, sum.w, high);
      return sum.below_modulus();
    }
  };
#else
  // The host's own: 64-bit words, operands interleaved with the reduction (CIOS in Koc, Acar, Kaliski 1996).
  static Field product(const Field& a, const Field& b) { return sum_of_products(a, b, zero(), zero()); }
  static Field square(const Field& a) { return product(a, a); }

  static Field sum_of_products(const Field& a, const Field& b, const Field& c, const Field& d) {
    constexpr int n = words / 2;
    constexpr Constants<P> k = constants<P>;
    uint64_t t[n + 2] = {};
    for (int i = 0; i < n; i++) {
      accumulate(t, a, b.wide(i));
      accumulate(t, c, d.wide(i));
      accumulate(t, loaded(k.modulus), t[0] * k.minus_inverse);
      for (int j = 0; j <= n; j++) t[j] = t[j + 1];
      t[n + 1] = 0;
    }
    Field sum;
    for (int i = 0; i < words; i++) sum.w[i] = uint32_t(t[i / 2] >> (32 * (i % 2)));
    return sum.below_modulus();
  }

  uint64_t wide(int i) const { return w[2 * i] | uint64_t(w[2 * i + 1]) << 32; }

  static void accumulate(uint64_t* t, const Field& a, uint64_t b) {
    constexpr int n = words / 2;
    unsigned __int128 carry = 0;
    for (int j = 0; j < n; j++) {
      carry += (unsigned __int128)a.wide(j) * b + t[j];
      t[j] = uint64_t(carry);
      carry >>= 64;
    }
    carry += t[n];
    t[n] = uint64_t(carry);
    t[n + 1] += uint64_t(carry >> 64);
  }
#endif
};

// a^(p-2), the inverse of a (zero for zero). Not for inner loops.
template <class P>
PG_HD_OUTLINE Field<P> inverse(const Field<P>& a) {
  constexpr Constants<P> c = constants<P>;
  Field<P> power = Field<P>::one();
  for (int i = 32 * P::words - 1; i >= 0; i--) {
    power = power.squared();
    if (c.exponent[i / 32] >> (i % 32) & 1) power = power * a;
  }
  return power;
}

}  // namespace pg
