// Inversion modulo p by Bernstein and Yang's division steps ("Fast constant-time gcd computation and modular
// inversion", 2019), in batches of 30 steps that look at the low words only. Several steps are taken at once where the
// low bits allow, so the time depends on the number inverted; nothing here is secret.
//
// Numbers are signed, in limbs of 30 bits: all but the top one are in [0, 2^30). A batch is a matrix with entries of at
// most 2^30, applied to (f, g), which shrink to (+-1, 0), and modulo p to (d, e), with d a = f and e a = g.
#pragma once

#include "constants.cuh"

namespace pg {

constexpr int limb_bits = 30;
constexpr uint32_t limb_mask = (1u << limb_bits) - 1;

template <class P>
struct Limbs {
  static constexpr int count = (32 * P::words + 2 + limb_bits - 1) / limb_bits;  // for (-2p, 2p)

  int32_t at[count];

  PG_HD static Limbs zero() {
    Limbs l;
    PG_UNROLL for (int i = 0; i < count; i++) l.at[i] = 0;
    return l;
  }

  PG_HD static constexpr Limbs of(const uint32_t* words) {
    Limbs l{};
    PG_UNROLL for (int i = 0; i < count; i++) {
      const int word = i * limb_bits / 32, shift = i * limb_bits % 32;
      uint64_t both = word < P::words ? words[word] : 0;
      if (word + 1 < P::words) both |= uint64_t(words[word + 1]) << 32;
      l.at[i] = int32_t(both >> shift & limb_mask);
    }
    return l;
  }

  // For values in [0, 2^(32 words)).
  PG_HD void store(uint32_t* words) const {
    PG_UNROLL for (int i = 0; i < P::words; i++) {
      const int limb = i * 32 / limb_bits, shift = i * 32 % limb_bits;
      uint64_t both = uint32_t(at[limb]);
      if (limb + 1 < count) both |= uint64_t(uint32_t(at[limb + 1])) << limb_bits;
      uint32_t word = uint32_t(both >> shift);
      if (shift > 28 && limb + 2 < count) word |= uint32_t(at[limb + 2]) << (2 * limb_bits - shift);
      words[i] = word;
    }
  }

  PG_HD bool is_zero() const {
    int32_t any = 0;
    PG_UNROLL for (int i = 0; i < count; i++) any |= at[i];
    return any == 0;
  }

  PG_HD bool is_negative() const { return at[count - 1] < 0; }

  // factor * this + added, carries settled.
  PG_HD Limbs multiple_plus(int factor, const Limbs& added) const {
    Limbs l;
    int32_t carry = 0;
    PG_UNROLL for (int i = 0; i < count; i++) {
      carry += factor * at[i] + added.at[i];
      l.at[i] = i + 1 < count ? carry & limb_mask : carry;
      carry >>= limb_bits;
    }
    return l;
  }
};

// 2^30 times what a batch of steps does to (f, g).
struct Steps {
  int32_t u, v, q, r;
};

// Thirty division steps on the low words; eta = -delta.
PG_HD Steps divide_low(int32_t& eta, uint32_t f, uint32_t g) {
  uint32_t u = 1, v = 0, q = 0, r = 1;
  for (int left = limb_bits;;) {
    const int zeros = count_trailing_zeros(g | ~0u << left);
    g >>= zeros;
    u <<= zeros;
    v <<= zeros;
    eta -= zeros;
    left -= zeros;
    if (left == 0) break;
    if (eta < 0) {
      const uint32_t old_f = f, old_u = u, old_v = v;
      eta = -eta;
      f = g, u = q, v = r;
      g = 0 - old_f, q = 0 - old_u, r = 0 - old_v;
    }
    // As many low bits of g as may go before the next exchange: at most six, so far is f (f^2 - 2) = -1/f.
    const int most = eta + 1 < left ? eta + 1 : left;
    const uint32_t factor = g * f * (f * f - 2) & (63u >> (most < 6 ? 6 - most : 0));
    g += f * factor;
    q += u * factor;
    r += v * factor;
  }
  return {int32_t(u), int32_t(v), int32_t(q), int32_t(r)};
}

// (f, g) = (u f + v g, q f + r g) / 2^30, exactly.
template <class P>
PG_HD void apply(const Steps& s, Limbs<P>& f, Limbs<P>& g) {
  int64_t to_f = 0, to_g = 0;
  PG_UNROLL for (int i = 0; i < Limbs<P>::count; i++) {
    const int32_t fi = f.at[i], gi = g.at[i];
    to_f += int64_t(s.u) * fi + int64_t(s.v) * gi;
    to_g += int64_t(s.q) * fi + int64_t(s.r) * gi;
    if (i > 0) {
      f.at[i - 1] = int32_t(to_f & limb_mask);
      g.at[i - 1] = int32_t(to_g & limb_mask);
    }
    to_f >>= limb_bits;
    to_g >>= limb_bits;
  }
  f.at[Limbs<P>::count - 1] = int32_t(to_f);
  g.at[Limbs<P>::count - 1] = int32_t(to_g);
}

// The same modulo p, for d and e in (-2p, p): multiples of p make the division exact and keep the range.
template <class P>
PG_HD void apply_modulo(const Steps& s, Limbs<P>& d, Limbs<P>& e) {
  constexpr Limbs<P> p = Limbs<P>::of(P::modulus);
  constexpr uint32_t inverse = uint32_t(0 - constants<P>.minus_inverse);
  const int32_t d_sign = d.is_negative() ? -1 : 0, e_sign = e.is_negative() ? -1 : 0;
  int32_t p_to_d = (s.u & d_sign) + (s.v & e_sign), p_to_e = (s.q & d_sign) + (s.r & e_sign);
  const uint32_t low_d = uint32_t(s.u) * d.at[0] + uint32_t(s.v) * e.at[0];
  const uint32_t low_e = uint32_t(s.q) * d.at[0] + uint32_t(s.r) * e.at[0];
  p_to_d -= (inverse * low_d + uint32_t(p_to_d)) & limb_mask;
  p_to_e -= (inverse * low_e + uint32_t(p_to_e)) & limb_mask;
  int64_t to_d = 0, to_e = 0;
  PG_UNROLL for (int i = 0; i < Limbs<P>::count; i++) {
    const int32_t di = d.at[i], ei = e.at[i];
    to_d += int64_t(s.u) * di + int64_t(s.v) * ei + int64_t(p.at[i]) * p_to_d;
    to_e += int64_t(s.q) * di + int64_t(s.r) * ei + int64_t(p.at[i]) * p_to_e;
    if (i > 0) {
      d.at[i - 1] = int32_t(to_d & limb_mask);
      e.at[i - 1] = int32_t(to_e & limb_mask);
    }
    to_d >>= limb_bits;
    to_e >>= limb_bits;
  }
  d.at[Limbs<P>::count - 1] = int32_t(to_d);
  e.at[Limbs<P>::count - 1] = int32_t(to_e);
}

// out = a^-1 mod p, plain integers; zero for zero.
template <class P>
PG_HD void invert_words(uint32_t* out, const uint32_t* a) {
  Limbs<P> f = Limbs<P>::of(P::modulus), g = Limbs<P>::of(a), d = Limbs<P>::zero(), e = d;
  const Limbs<P> p = f;
  e.at[0] = 1;
  for (int32_t eta = -1; !g.is_zero();) {
    const Steps s = divide_low(eta, f.at[0], g.at[0]);  // the low 30 bits decide 30 steps
    apply(s, f, g);
    apply_modulo(s, d, e);
  }
  if (d.is_negative()) d = d.multiple_plus(1, p);
  d = d.multiple_plus(f.is_negative() ? -1 : 1, Limbs<P>::zero());
  if (d.is_negative()) d = d.multiple_plus(1, p);
  d.store(out);
}

}  // namespace pg
