// Number-theoretic transforms by the textbook: bit reversal, then butterflies of growing length (Cooley, Tukey 1965).
#pragma once

#include <utility>

#include "tables.h"

namespace standin {

inline size_t reversed(size_t i, int bits) {
  size_t r = 0;
  for (int b = 0; b < bits; b++) r |= (i >> b & 1) << (bits - 1 - b);
  return r;
}

template <class P>
void bit_reverse(int log_n, Element<P>* data) {
  for (size_t i = 0; i < size_t(1) << log_n; i++)
    if (const size_t j = reversed(i, log_n); i < j) std::swap(data[i], data[j]);
}

// Natural in, natural out, by the powers of the table's root.
template <class P>
void evaluate(int log_n, const Twiddles<P>& table, Element<P>* data) {
  const size_t n = size_t(1) << log_n;
  bit_reverse(log_n, data);
  for (size_t half = 1; half < n; half *= 2)
    for (size_t start = 0; start < n; start += 2 * half)
      for (size_t i = 0; i < half; i++) {
        Element<P>&low = data[start + i], &high = data[start + half + i];
        const Field<P> a = low.value(), b = high.value() * table.factors[i * (n / 2 / half)].value();
        low.set(a + b);
        high.set(a - b);
      }
}

template <class P>
void scale(size_t n, const Powers<P>& powers, Element<P>* data) {
  for (size_t i = 0; i < n; i++) data[i].set(data[i].value() * powers.at(i));
}

template <class P>
void divide(size_t n, Element<P>* data) {
  Field<P> size = Field<P>::one();
  for (size_t i = 1; i < n; i *= 2) size = size + size;
  const Field<P> factor = inverse(size);
  for (size_t i = 0; i < n; i++) data[i].set(data[i].value() * factor);
}

// As pg_ntt says. The inverse transform is the forward one with all outputs but the first in opposite order.
template <class P>
void transform(int log_n, const Twiddles<P>& table, int direction, int order, const Powers<P>* powers,
               Element<P>* data) {
  const size_t n = size_t(1) << log_n;
  if (order == PG_FROM_REVERSED) bit_reverse(log_n, data);
  if (direction == PG_FORWARD && powers) scale(n, *powers, data);
  evaluate(log_n, table, data);
  if (direction == PG_INVERSE) {
    for (size_t i = 1; i < n - i; i++) std::swap(data[i], data[n - i]);
    if (powers) scale(n, *powers, data);
    else divide(n, data);
  }
  if (order == PG_TO_REVERSED) bit_reverse(log_n, data);
}

}  // namespace standin
