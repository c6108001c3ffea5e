// Constants of a prime field in the radix its limbs use, all derived from the modulus at compile time.
//
// A field element in registers is a row of signed limbs in radix 2^bits with room to spare: 9 limbs of 29 bits
// for 254- and 255-bit moduli, 13 of 30 bits for 381. Products of limbs are summed in 64-bit accumulators and
// carried once a column, so the multiplier is a row of carry-free wide multiply-adds, which a GPU issues at twice
// the rate of the carry chains of packed 32-bit limbs.
#pragma once

#include "moduli.cuh"
#include "portable.cuh"

namespace pg {

template <class P>
struct Radix {
  static constexpr int words = P::words;
  static constexpr int bits = words == 8 ? 29 : 30;
  static constexpr int limbs = (32 * words + bits - 1) / bits;
  // Montgomery's R of the registers is 2^(32 words + shift); R of the bytes in memory is 2^(32 words).
  static constexpr int shift = limbs * bits - 32 * words;
  static constexpr int quotient_bits = 44;  // fixed point of `reciprocal`

  int32_t modulus[limbs];  // balanced digits: all but the top one in [-2^(bits-1), 2^(bits-1))
  int32_t one[limbs];      // R mod p
  int32_t square[limbs];   // R^2 mod p
  int32_t memory[limbs];   // 2^(32 words) mod p: the factor from registers to memory
  uint32_t exponent[words];  // p - 2, Fermat's exponent of inversion
  uint32_t inverse;        // p^-1 mod 2^32
  int64_t reciprocal;      // 2^quotient_bits / (top limb of p)
};

// Unsigned digits, one more than needed so that a doubled value fits.
template <class P>
struct Digits {
  uint32_t at[Radix<P>::limbs + 1];

  static constexpr Digits modulus() {
    Digits d{};
    for (int i = 0; i < 32 * P::words; i++) {
      uint32_t bit = (P::modulus[i / 32] >> (i % 32)) & 1;
      d.at[i / Radix<P>::bits] |= bit << (i % Radix<P>::bits);
    }
    return d;
  }

  constexpr bool below(const Digits& b) const {
    for (int i = Radix<P>::limbs; i >= 0; i--)
      if (at[i] != b.at[i]) return at[i] < b.at[i];
    return false;
  }

  constexpr void subtract(const Digits& b) {
    int64_t carry = 0;
    for (int i = 0; i <= Radix<P>::limbs; i++) {
      carry += int64_t(at[i]) - b.at[i];
      at[i] = uint32_t(carry & ((int64_t(1) << Radix<P>::bits) - 1));
      carry >>= Radix<P>::bits;
    }
  }

  constexpr void double_modulo(const Digits& p) {
    uint32_t carry = 0;
    for (int i = 0; i <= Radix<P>::limbs; i++) {
      uint32_t twice = 2 * at[i] + carry;
      at[i] = twice & ((1u << Radix<P>::bits) - 1);
      carry = twice >> Radix<P>::bits;
    }
    if (!below(p)) subtract(p);
  }

  constexpr void balance_into(int32_t* out) const {
    int32_t carry = 0;
    for (int i = 0; i < Radix<P>::limbs; i++) {
      int32_t d = int32_t(at[i]) + carry;
      carry = (i + 1 < Radix<P>::limbs && d >= (1 << (Radix<P>::bits - 1))) ? 1 : 0;
      out[i] = d - carry * (1 << Radix<P>::bits);
    }
  }
};

template <class P>
constexpr uint32_t inverse_mod_2_32() {
  uint32_t x = 1;  // Newton: each step doubles the number of right bits
  for (int i = 0; i < 5; i++) x *= 2 - P::modulus[0] * x;
  return x;
}

template <class P>
constexpr Radix<P> derive() {
  Radix<P> r{};
  const Digits<P> p = Digits<P>::modulus();
  p.balance_into(r.modulus);
  Digits<P> power{};
  power.at[0] = 1;
  for (int i = 1; i <= 2 * Radix<P>::limbs * Radix<P>::bits; i++) {
    power.double_modulo(p);
    if (i == 32 * P::words) power.balance_into(r.memory);
    if (i == Radix<P>::limbs * Radix<P>::bits) power.balance_into(r.one);
  }
  power.balance_into(r.square);
  for (int i = 0, borrow = 2; i < P::words; i++) {
    r.exponent[i] = P::modulus[i] - uint32_t(borrow);
    borrow = P::modulus[i] < uint32_t(borrow);
  }
  r.inverse = inverse_mod_2_32<P>();
  r.reciprocal = (int64_t(1) << Radix<P>::quotient_bits) / r.modulus[Radix<P>::limbs - 1];
  return r;
}

template <class P>
inline constexpr Radix<P> radix = derive<P>();

}  // namespace pg
