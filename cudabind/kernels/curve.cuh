// Short Weierstrass curves y^2 = x^3 + b in XYZZ coordinates: x = X/ZZ, y = Y/ZZZ, ZZ^3 = ZZZ^2, infinity ZZ = 0.
// b occurs in no formula, so a curve here is nothing but its coordinate field F (a Field or a Quadratic).
//
// Formulas: https://hyperelliptic.org/EFD/g1p/auto-shortw-xyzz.html (madd-2008-s, add-2008-s, dbl-2008-s-1).
#pragma once

#include "half.cuh"

namespace pg {

// An affine point as it lies in memory: x then y, Montgomery form, little-endian; all zero is infinity.
template <class F>
struct PG_ALIGN(16) Packed {
  static constexpr int coordinate_words = F::components * F::Base::words;
  static constexpr int words = 2 * coordinate_words;
  uint32_t w[words];

  PG_HD bool is_infinity() const {
    return F::loaded(w).is_zero() && F::loaded(w + coordinate_words).is_zero();
  }
};

template <class F>
struct PG_ALIGN(16) Xyzz {
  F x, y, zz, zzz;

  PG_HD static Xyzz infinity() { return {F::zero(), F::zero(), F::zero(), F::zero()}; }

  PG_HD bool is_infinity() const { return zz.is_zero(); }

  PG_HD static Xyzz from_packed(const Packed<F>& p) {
    if (p.is_infinity()) return infinity();
    return {F::loaded(p.w), F::loaded(p.w + Packed<F>::coordinate_words), F::one(), F::one()};
  }

  PG_HD Xyzz operator-() const { return {x, -y, zz, zzz}; }

  PG_HD void double_in_place() {
    if (is_infinity()) return;
    const F u = (y + y);
    const F v = u.squared();
    const F w = u * v;
    const F s = x * v;
    const F xx = x.squared();
    const F m = (xx + xx + xx);
    const F x3 = (m.squared() - s - s);
    y = F::dot(m, (s - x3), -w, y);
    x = x3;
    zz = v * zz;
    zzz = w * zzz;
  }

  // Adds the affine point p, or its negative.
  PG_HD void add(const Packed<F>& p, bool negative) {
    if (p.is_infinity()) return;
    const F px = F::loaded(p.w);
    F py = F::loaded(p.w + Packed<F>::coordinate_words);
    if (negative) py = -py;
    const bool first = is_infinity();
    if (first) zz = zzz = F::one();
    const F u2 = px * zz;
    const F s2 = py * zzz;
    if (first) {
      x = u2;
      y = s2;
    } else {
      add_aligned(x, y, u2, s2);
    }
  }

  PG_HD void add(const Xyzz& b) {
    if (b.is_infinity()) return;
    if (is_infinity()) {
      *this = b;
      return;
    }
    const F u1 = x * b.zz, u2 = b.x * zz;
    const F s1 = y * b.zzz, s2 = b.y * zzz;
    zz = zz * b.zz;
    zzz = zzz * b.zzz;
    add_aligned(u1, s1, u2, s2);
  }

 private:
  // Adds two points brought to the common denominators zz, zzz.
  PG_HD void add_aligned(F u1, F s1, const F& u2, const F& s2) {
    const F p = (u2 - u1);
    const F r = (s2 - s1);
    if (p.is_zero()) {
      *this = r.is_zero() ? doubled({u1, s1, zz, zzz}) : infinity();
      return;
    }
    const F pp = p.squared();
    const F ppp = p * pp;
    const F q = u1 * pp;
    x = (r.squared() - ppp - q - q);
    y = F::dot(r, (q - x), -s1, ppp);
    zz = zz * pp;
    zzz = zzz * ppp;
  }

  // Rare in sums of random points and ordinary in adversarial or repeated ones. By value and out of line, so that
  // the common path keeps its point in registers.
  PG_HD_OUTLINE static Xyzz doubled(Xyzz p) {
    p.double_in_place();
    return p;
  }
};

// To affine, given the inverse of zzz: 1/zz = (zz / zzz)^2.
template <class F>
PG_HD void to_packed(const Xyzz<F>& p, const F& zzz_inverse, Packed<F>* out) {
  if (p.is_infinity()) {
    PG_UNROLL for (int i = 0; i < Packed<F>::words; i++) out->w[i] = 0;
    return;
  }
  const F z_inverse = p.zz * zzz_inverse;
  (p.x * z_inverse.squared()).store(out->w);
  (p.y * zzz_inverse).store(out->w + Packed<F>::coordinate_words);
}

template <class F>
PG_HD void to_packed(const Xyzz<F>& p, Packed<F>* out) {
  to_packed(p, inverse(p.zzz), out);
}

}  // namespace pg
