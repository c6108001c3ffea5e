// A prime field in Montgomery form, in signed limbs that carry late.
//
// Two measures bound an element. Its limbs: "tight" when all but the top one are at most 2^(bits-1) (plus a few
// units) in absolute value, "loose" after one addition or subtraction of tight ones. Its value: a multiple of p,
// positive or negative. Addition and subtraction touch neither carries nor the modulus; a product is always tight
// and at most |a||b|/R + p/2. What a product needs:
//   381 bits: loose * tight, or a sum of two products tight * tight (column sums stay below 2^63: 12 terms of
//             2^59 and 6.2 * 2^58 from the modulus);
//   254 and 255 bits: loose * loose, and sums of two such products.
// The bounds are checked by the tests with limbs at their extremes.
#pragma once

#include "radix.cuh"

namespace pg {

template <class P>
struct Field {
  using Params = P;
  using Base = Field;
  static constexpr int bits = Radix<P>::bits;
  static constexpr int limbs = Radix<P>::limbs;
  static constexpr int words = P::words;    // 32-bit words of the packed form in memory
  static constexpr int components = 1;      // prime-field coordinates of an element
  static constexpr bool outlined = words == 12;  // products are called rather than inlined

  int32_t limb[limbs];

  PG_HD static constexpr int32_t modulus(int i) {
    constexpr Radix<P> r = radix<P>;
    return r.modulus[i];
  }

  PG_HD static Field zero() {
    Field z;
    PG_UNROLL for (int i = 0; i < limbs; i++) z.limb[i] = 0;
    return z;
  }

  PG_HD static Field one() {
    constexpr Radix<P> r = radix<P>;
    return constant(r.one);
  }

  // R^2 mod p: multiplying an integer by it brings it into Montgomery form.
  PG_HD static Field montgomery_square() {
    constexpr Radix<P> r = radix<P>;
    return constant(r.square);
  }

  PG_HD friend Field operator+(const Field& a, const Field& b) {
    Field s;
    PG_UNROLL for (int i = 0; i < limbs; i++) s.limb[i] = a.limb[i] + b.limb[i];
    return s;
  }

  PG_HD friend Field operator-(const Field& a, const Field& b) {
    Field d;
    PG_UNROLL for (int i = 0; i < limbs; i++) d.limb[i] = a.limb[i] - b.limb[i];
    return d;
  }

  PG_HD Field operator-() const {
    Field n;
    PG_UNROLL for (int i = 0; i < limbs; i++) n.limb[i] = -limb[i];
    return n;
  }

  // One step of carrying, all limbs at once: from |limb| < 2^31 to tight.
  PG_HD Field tight() const {
    Field t;
    int32_t carry = 0;
    PG_UNROLL for (int i = 0; i < limbs; i++) {
      int32_t next = i + 1 < limbs ? round_shift(limb[i]) : 0;
      t.limb[i] = limb[i] - next * (1 << bits) + carry;
      carry = next;
    }
    return t;
  }

  // Tight, and at most 0.51 p in absolute value, for |value| up to 2^7 p.
  PG_HD Field reduced() const {
    const int32_t q = nearest_multiple();
    Field r;
    int64_t carry = 0;
    PG_UNROLL for (int i = 0; i + 1 < limbs; i++) {
      carry = multiply_add(-q, modulus(i), carry) + limb[i];
      r.limb[i] = balanced(int32_t(carry));
      carry = (carry - r.limb[i]) >> bits;
    }
    r.limb[limbs - 1] = int32_t(carry) + limb[limbs - 1] - q * modulus(limbs - 1);
    return r;
  }

  PG_HD friend Field operator*(const Field& a, const Field& b) {
    return outlined ? product_call(a, b) : product(a, b);
  }

  // a*b + c*d for the price of one reduction.
  PG_HD static Field dot(const Field& a, const Field& b, const Field& c, const Field& d) {
    return outlined ? dot_call(a, b, c, d) : sum_of_products(a, b, c, d);
  }

  PG_HD Field squared() const { return outlined ? square_call(*this) : square(*this); }

  // The same as functions that are called: operands and results travel in registers, and the code of a curve's
  // addition, a few calls, stays in the instruction cache.
  PG_HD_OUTLINE static Field product_call(Field a, Field b) { return product(a, b); }
  PG_HD_OUTLINE static Field dot_call(Field a, Field b, Field c, Field d) { return sum_of_products(a, b, c, d); }
  PG_HD_OUTLINE static Field square_call(Field a) { return square(a); }

  // Whether the value is a multiple of p. Any loose element of |value| < 64 p; nearly always one multiplication.
  PG_HD bool is_zero() const {
    constexpr Radix<P> r = radix<P>;
    const int32_t multiple = balanced(uint32_t(limb[0]) * r.inverse);
    if (multiple > 64 || multiple < -64) return false;
    return equals_multiple(*this, multiple);
  }

  PG_HD friend bool operator==(const Field& a, const Field& b) { return (a - b).is_zero(); }

  // The packed form in memory, read as it is: limbs from 0 to 2^bits - 1, the value times 2^-shift R.
  PG_HD static Field unpacked(const uint32_t* w) { return unpack<0>(w); }

  // Read from Montgomery form in memory into this form, unreduced: a value up to 2^shift p that may only be
  // multiplied (once multiplied it is as small as any product).
  PG_HD static Field loaded(const uint32_t* w) { return unpack<Radix<P>::shift>(w); }

  // Loaded, tight and reduced.
  PG_HD static Field from_memory(const uint32_t* w) { return loaded(w) * one(); }

  // Montgomery form in memory, canonical. For tight elements of |value| < 64 p.
  PG_HD void to_memory(uint32_t* w) const {
    (*this * memory_factor()).pack(w);
  }

  // Writes the value modulo p, canonical, in 32-bit words. For any |limb| < 2^31, |value| < 64 p.
  PG_HD void pack(uint32_t* w) const {
    uint32_t digits[limbs], less[limbs];
    int64_t carry = 0, borrow = 0;
    const int32_t q = lower_multiple();
    PG_UNROLL for (int i = 0; i < limbs; i++) {
      carry = multiply_add(-q, modulus(i), carry) + limb[i];
      digits[i] = uint32_t(carry) & mask;
      carry >>= bits;
      borrow += int64_t(digits[i]) - modulus(i);
      less[i] = uint32_t(borrow) & mask;
      borrow >>= bits;
    }
    PG_UNROLL for (int i = 0; i < limbs; i++) digits[i] = borrow < 0 ? digits[i] : less[i];
    pack_digits(digits, w);
  }

  // Writes a non-negative value below 2^(32 words) as it is, not reduced.
  PG_HD void pack_unreduced(uint32_t* w) const {
    uint32_t digits[limbs];
    int64_t carry = 0;
    PG_UNROLL for (int i = 0; i < limbs; i++) {
      carry += limb[i];
      digits[i] = uint32_t(carry) & mask;
      carry >>= bits;
    }
    pack_digits(digits, w);
  }

  // 2^(32 words) mod p as a plain integer.
  PG_HD static Field memory_factor() {
    constexpr Radix<P> r = radix<P>;
    return constant(r.memory);
  }

  PG_HD static Field constant(const int32_t* digits) {
    Field c;
    PG_UNROLL for (int i = 0; i < limbs; i++) c.limb[i] = digits[i];
    return c;
  }

 private:
  static constexpr uint32_t mask = (1u << bits) - 1;

  PG_HD static Field product(const Field& a, const Field& b) {
    return montgomery([&](int k, int64_t sum) { return add_column(a, b, k, sum); });
  }

  PG_HD static Field sum_of_products(const Field& a, const Field& b, const Field& c, const Field& d) {
    return montgomery([&](int k, int64_t sum) { return add_column(c, d, k, add_column(a, b, k, sum)); });
  }

  PG_HD static Field square(const Field& a) {
    const Field twice = a + a;
    return montgomery([&](int k, int64_t sum) {
      PG_UNROLL for (int i = 0; i < limbs; i++) {
        const int j = k - i;
        if (i < j && j < limbs) sum = multiply_add(twice.limb[i], a.limb[j], sum);
        if (i == j) sum = multiply_add(a.limb[i], a.limb[i], sum);
      }
      return sum;
    });
  }

  PG_HD static int32_t balanced(uint32_t x) { return int32_t(x << (32 - bits)) >> (32 - bits); }
  PG_HD static int32_t round_shift(int32_t x) { return (x + (1 << (bits - 1))) >> bits; }

  PG_HD static int64_t add_column(const Field& a, const Field& b, int k, int64_t sum) {
    PG_UNROLL for (int i = 0; i < limbs; i++) {
      const int j = k - i;
      if (j >= 0 && j < limbs) sum = multiply_add(a.limb[i], b.limb[j], sum);
    }
    return sum;
  }

  // Montgomery's reduction by columns (product scanning, "FIPS" in Koc, Acar, Kaliski 1996) over the column sums
  // that `column(k, sum)` adds to its argument. The digits m and the result are balanced.
  template <class Column>
  PG_HD static Field montgomery(Column column) {
    constexpr Radix<P> r = radix<P>;
    int32_t m[limbs];
    Field out;
    int64_t sum = 0;
    PG_UNROLL for (int k = 0; k < limbs; k++) {
      sum = column(k, sum);
      PG_UNROLL for (int i = 0; i < k; i++) sum = multiply_add(m[i], modulus(k - i), sum);
      m[k] = int32_t(uint32_t(sum) * ((0u - r.inverse) << (32 - bits))) >> (32 - bits);
      sum = multiply_add(m[k], modulus(0), sum);
      sum >>= bits;
    }
    PG_UNROLL for (int k = limbs; k + 1 < 2 * limbs; k++) {
      sum = column(k, sum);
      PG_UNROLL for (int i = k - limbs + 1; i < limbs; i++) sum = multiply_add(m[i], modulus(k - i), sum);
      out.limb[k - limbs] = balanced(uint32_t(sum));
      sum = (sum + (1 << (bits - 1))) >> bits;
    }
    out.limb[limbs - 1] = int32_t(sum);
    return out;
  }

  // The value over p, from the two top limbs; the rest moves it by less than 2^-20.
  PG_HD int64_t quotient_estimate() const {
    constexpr Radix<P> r = radix<P>;
    return int64_t(limb[limbs - 1] + (limb[limbs - 2] >> bits)) * r.reciprocal;
  }

  PG_HD int32_t nearest_multiple() const {
    constexpr int at = Radix<P>::quotient_bits;
    return int32_t((quotient_estimate() + (int64_t(1) << (at - 1))) >> at);
  }

  // q with value - q p in [0, 1.001 p).
  PG_HD int32_t lower_multiple() const {
    constexpr int at = Radix<P>::quotient_bits;
    return int32_t((quotient_estimate() - (int64_t(1) << (at - 12))) >> at);
  }

  // By value, so that the caller's element stays in registers.
  PG_HD_OUTLINE static bool equals_multiple(Field a, int32_t multiple) {
    int64_t carry = 0;
    int32_t rest = 0;
    PG_UNROLL for (int i = 0; i < limbs; i++) {
      carry += a.limb[i] - int64_t(multiple) * modulus(i);
      rest |= int32_t(uint32_t(carry) & mask);
      carry >>= bits;
    }
    return rest == 0 && carry == 0;
  }

  template <int Shift>
  PG_HD static Field unpack(const uint32_t* w) {
    Field f;
    PG_UNROLL for (int i = 0; i < limbs; i++) {
      const int from = i * bits - Shift;
      const int word = from < 0 ? -1 : from / 32;
      const uint32_t lo = word < 0 ? 0 : w[word];
      const uint32_t hi = word + 1 < words ? w[word + 1] : 0;
      f.limb[i] = int32_t(funnel_right(lo, hi, (from + 32) % 32) & mask);
    }
    return f;
  }

  PG_HD static void pack_digits(const uint32_t* digits, uint32_t* w) {
    PG_UNROLL for (int i = 0; i < words; i++) {
      const int first = 32 * i / bits, offset = 32 * i % bits;
      w[i] = digits[first] >> offset;
      if (first + 1 < limbs) w[i] |= digits[first + 1] << (bits - offset);
      if (first + 2 < limbs && 2 * bits - offset < 32) w[i] |= digits[first + 2] << (2 * bits - offset);
    }
  }
};

// a^(p-2), the inverse of a (zero for zero). Not for inner loops.
template <class P>
PG_HD_OUTLINE Field<P> inverse(const Field<P>& a) {
  constexpr Radix<P> r = radix<P>;
  Field<P> power = Field<P>::one();
  for (int i = 32 * P::words - 1; i >= 0; i--) {
    power = power.squared();
    if (r.exponent[i / 32] >> (i % 32) & 1) power = power * a;
  }
  return power;
}

}  // namespace pg
