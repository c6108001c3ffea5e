// Twiddle factors and powers as tables: a tag, then elements.
#pragma once

#include "elements.h"

namespace standin {

// root^i for i < n/2.
template <class P>
struct Twiddles {
  static constexpr const char* maker = "pg_ntt_table_build";
  Tag tag;
  Element<P> factors[1];

  static size_t bytes(int log_n) { return sizeof(Tag) + (sizeof(Element<P>) << (log_n - 1)); }

  static pg_error check_root(int log_n, const Field<P>& root) {
    Field<P> power = root;
    for (int i = 1; i < log_n; i++) power = power.squared();
    REFUSE_UNLESS((power + Field<P>::one()).is_zero(), "root is no primitive 2^%d-th root of unity", log_n);
    return success();
  }

  void build(int32_t curve, int log_n, const Field<P>& root) {
    Field<P> factor = Field<P>::one();
    for (size_t i = 0; i < size_t(1) << (log_n - 1); i++, factor = factor * root) factors[i].set(factor);
    tag = Tag::of(maker, curve, log_n);
  }
};

// factor base^i as low[i mod 2^h] high[i / 2^h]: two short rows, as the kernels keep them.
template <class P>
struct Powers {
  static constexpr const char* maker = "pg_powers_build";
  Tag tag;
  Element<P> rows[1];

  static int low_bits(int log_n) { return (log_n + 1) / 2; }
  static size_t bytes(int log_n) {
    return sizeof(Tag) + sizeof(Element<P>) * ((size_t(1) << low_bits(log_n)) + (size_t(1) << (log_n / 2)));
  }

  void build(int32_t curve, int log_n, const Field<P>& base, const Field<P>& factor) {
    const size_t low = size_t(1) << low_bits(log_n), high = size_t(1) << (log_n / 2);
    Field<P> power = Field<P>::one();
    for (size_t i = 0; i < low; i++, power = power * base) rows[i].set(power);
    Field<P> scaled = factor;
    for (size_t i = 0; i < high; i++, scaled = scaled * power) rows[low + i].set(scaled);
    tag = Tag::of(maker, curve, log_n);
  }

  Field<P> at(size_t i) const {
    const int h = low_bits(tag.log_n);
    return rows[i & ((size_t(1) << h) - 1)].value() * rows[(size_t(1) << h) + (i >> h)].value();
  }
};

}  // namespace standin
