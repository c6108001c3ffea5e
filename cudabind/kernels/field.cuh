// A prime field in Montgomery form, packed in 32-bit words and always below p: in registers as in memory.
#pragma once

#include "constants.cuh"
#include "divsteps.cuh"
#include "rows.cuh"
#include "square.cuh"

namespace pg {

template <class P>
struct Field {
  using Params = P;
  using Base = Field;
  using Whole = Field;  // the element of which a thread holds this much
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

  // (a0 + a1 u)(b0 + b1 u) with u^2 = -1, each component one sum of two products under one reduction. One call for
  // both: the operands travel once, and each component's chains have the other's to wait with.
  struct Complex {
    Field real, imaginary;
  };
  PG_HD_OUTLINE static Complex complex_call(Field a0, Field a1, Field b0, Field b1) {
    return complex_product(a0, a1, b0, b1);
  }

  // Subtracts p from a value below 2p, if it is not below p.
  PG_HD Field below_modulus() const {
    constexpr Constants<P> c = constants<P>;
    Field less;
    const uint32_t borrow = subtract_words<words>(less.w, w, c.modulus);
    PG_UNROLL for (int i = 0; i < words; i++) less.w[i] = borrow ? w[i] : less.w[i];
    return less;
  }

  PG_HD bool is_zero() const {
    uint32_t any = 0;
    PG_UNROLL for (int i = 0; i < words; i++) any |= w[i];
    return any == 0;
  }

 private:
  template <class>
  friend struct Half;

#if defined(__CUDA_ARCH__) || defined(PG_ROWS_ON_HOST)
  PG_HD static Field product(const Field& a, const Field& b) {
    Rows<P> t;
    PG_UNROLL for (int i = 0; i < words; i++) {
      t.take(a.w, b.w[i], i == 0);
      t.reduce();
    }
    return of(t);
  }

  // Below (2 p^2 + p 2^(32 words)) / 2^(32 words) < 2p, and no row overflows: 3 * 2^32 p < 2^(32 words + 32).
  PG_HD static Field sum_of_products(const Field& a, const Field& b, const Field& c, const Field& d) {
    static_assert(has_dot, "the rows would overflow");
    Rows<P> t;
    PG_UNROLL for (int i = 0; i < words; i++) {
      t.take(a.w, b.w[i], i == 0);
      t.add(c.w, d.w[i]);
      t.reduce();
    }
    return of(t);
  }

  PG_HD static Complex complex_product(const Field& a0, const Field& a1, const Field& b0, const Field& b1) {
    static_assert(has_dot, "the rows would overflow");
    const Field minus_a1 = -a1;
    Rows<P> real, imaginary;
    PG_UNROLL for (int i = 0; i < words; i++) {
      real.take(a0.w, b0.w[i], i == 0);
      imaginary.take(a0.w, b1.w[i], i == 0);
      real.add(minus_a1.w, b1.w[i]);
      imaginary.add(a1.w, b0.w[i]);
      real.reduce();
      imaginary.reduce();
    }
    return {of(real), of(imaginary)};
  }

  PG_HD static Field square(const Field& a) {
    uint32_t whole[2 * words];
    square_words<words>(whole, a.w);
    Rows<P> t = Rows<P>::reducing(whole);
    PG_UNROLL for (int i = 1; i < words; i++) t.shift_and_reduce();
    Field f;
    t.sum(f.w);
    add_words<words>(f.w, f.w, whole + words);
    return f.below_modulus();
  }

  PG_HD static Field of(const Rows<P>& t) {
    Field f;
    t.sum(f.w);
    return f.below_modulus();
  }
#else
  // The host's own: 64-bit words, operands interleaved with the reduction (CIOS in Koc, Acar, Kaliski 1996).
  static Field product(const Field& a, const Field& b) {
    const Wide x(a), y(b);
    Sum t;
    for (int i = 0; i < Wide::count; i++) {
      t.add(x, y.at[i]);
      t.reduce();
    }
    return t.value();
  }

  static Field square(const Field& a) { return product(a, a); }

  static Complex complex_product(const Field& a0, const Field& a1, const Field& b0, const Field& b1) {
    return {sum_of_products(a0, b0, -a1, b1), sum_of_products(a0, b1, a1, b0)};
  }

  static Field sum_of_products(const Field& a, const Field& b, const Field& c, const Field& d) {
    const Wide x(a), y(b), z(c), w(d);
    Sum t;
    for (int i = 0; i < Wide::count; i++) {
      t.add(x, y.at[i]);
      t.add(z, w.at[i]);
      t.reduce();
    }
    return t.value();
  }

  struct Wide {
    static constexpr int count = words / 2;
    uint64_t at[count];

    explicit Wide(const Field& f) : Wide(f.w) {}
    explicit constexpr Wide(const uint32_t* w) : at{} {
      for (int i = 0; i < count; i++) at[i] = w[2 * i] | uint64_t(w[2 * i + 1]) << 32;
    }
  };

  struct Sum {
    static constexpr int n = Wide::count;
    uint64_t at[n + 2] = {};

    void add(const Wide& a, uint64_t b) {
      unsigned __int128 carry = 0;
      for (int j = 0; j < n; j++) {
        carry += (unsigned __int128)a.at[j] * b + at[j];
        at[j] = uint64_t(carry);
        carry >>= 64;
      }
      carry += at[n];
      at[n] = uint64_t(carry);
      at[n + 1] += uint64_t(carry >> 64);
    }

    // Adds the multiple of p that clears the lowest word, and drops that.
    void reduce() {
      static constexpr Wide p(P::modulus);
      const uint64_t m = at[0] * constants<P>.minus_inverse;
      unsigned __int128 carry = ((unsigned __int128)p.at[0] * m + at[0]) >> 64;
      for (int j = 1; j < n; j++) {
        carry += (unsigned __int128)p.at[j] * m + at[j];
        at[j - 1] = uint64_t(carry);
        carry >>= 64;
      }
      carry += at[n];
      at[n - 1] = uint64_t(carry);
      at[n] = at[n + 1] + uint64_t(carry >> 64);
      at[n + 1] = 0;
    }

    Field value() const {
      Field sum;
      for (int i = 0; i < words; i++) sum.w[i] = uint32_t(at[i / 2] >> (32 * (i % 2)));
      return sum.below_modulus();
    }
  };
#endif
};

// The inverse of a (zero for zero): (a R)^-1 R^3 / R = a^-1 R.
template <class P>
PG_HD_OUTLINE Field<P> inverse(Field<P> a) {
  Field<P> plain;
  invert_words<P>(plain.w, a.w);
  return plain * Field<P>::montgomery_square() * Field<P>::montgomery_square();
}

}  // namespace pg
