// Montgomery's constants of a prime field, derived from its modulus at compile time. R = 2^(32 words).
#pragma once

#include "moduli.cuh"
#include "portable.cuh"

namespace pg {

template <class P>
struct Constants {
  uint32_t modulus[P::words];
  uint32_t complement[P::words]; // R - p
  uint32_t one[P::words];        // R mod p
  uint32_t square[P::words];     // R^2 mod p
  uint32_t shifted[P::words];    // 2^32 R mod p
  uint64_t minus_inverse;        // -p^-1 mod 2^64
};

// a = 2a mod p, on words least significant first.
template <class P>
constexpr void double_modulo(uint32_t* a) {
  uint32_t carry = 0;
  for (int i = 0; i < P::words; i++) {
    const uint32_t twice = a[i] << 1 | carry;
    carry = a[i] >> 31;
    a[i] = twice;
  }
  bool reduce = carry != 0;
  for (int i = P::words - 1; i >= 0 && !reduce; i--) {
    if (a[i] < P::modulus[i]) return;
    reduce = a[i] > P::modulus[i] || i == 0;
  }
  int64_t borrow = 0;
  for (int i = 0; i < P::words; i++) {
    borrow += int64_t(a[i]) - P::modulus[i];
    a[i] = uint32_t(borrow);
    borrow >>= 32;
  }
}

template <class P>
constexpr uint64_t minus_inverse_of_modulus() {
  const uint64_t low = P::modulus[0] | uint64_t(P::modulus[1]) << 32;
  uint64_t x = 1;  // Newton: each step doubles the number of right bits
  for (int i = 0; i < 6; i++) x *= 2 - low * x;
  return 0 - x;
}

template <class P>
constexpr void complement_modulus(uint32_t* out) {
  uint64_t carry = 1;
  for (int i = 0; i < P::words; i++) {
    carry += uint32_t(~P::modulus[i]);
    out[i] = uint32_t(carry);
    carry >>= 32;
  }
}

template <class P>
constexpr Constants<P> derive() {
  Constants<P> c{};
  uint32_t power[P::words]{1};
  for (int i = 0; i < 64 * P::words; i++) {
    double_modulo<P>(power);
    if (i + 1 == 32 * P::words)
      for (int j = 0; j < P::words; j++) c.one[j] = power[j];
    if (i + 1 == 32 * (P::words + 1))
      for (int j = 0; j < P::words; j++) c.shifted[j] = power[j];
  }
  for (int i = 0; i < P::words; i++) {
    c.modulus[i] = P::modulus[i];
    c.square[i] = power[i];
  }
  complement_modulus<P>(c.complement);
  c.minus_inverse = minus_inverse_of_modulus<P>();
  return c;
}

template <class P>
inline constexpr Constants<P> constants = derive<P>();

#ifdef __CUDACC__
template <class P>
__constant__ Constants<P> constants_in_memory = derive<P>();
#endif

}  // namespace pg
