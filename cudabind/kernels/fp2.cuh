// The quadratic extension F[u]/(u^2 + 1) over which the G2 points of both curves live.
#pragma once

#include "field.cuh"

namespace pg {

template <class P>
struct Quadratic {
  using Params = P;
  using Base = Field<P>;
  using Whole = Quadratic;
  static constexpr int components = 2;

  Base c0, c1;

  PG_HD static Quadratic zero() { return {Base::zero(), Base::zero()}; }
  PG_HD static Quadratic one() { return {Base::one(), Base::zero()}; }

  PG_HD friend Quadratic operator+(const Quadratic& a, const Quadratic& b) { return {a.c0 + b.c0, a.c1 + b.c1}; }
  PG_HD friend Quadratic operator-(const Quadratic& a, const Quadratic& b) { return {a.c0 - b.c0, a.c1 - b.c1}; }
  PG_HD Quadratic operator-() const { return {-c0, -c1}; }
  PG_HD bool is_zero() const { return c0.is_zero() && c1.is_zero(); }

  PG_HD friend Quadratic operator*(const Quadratic& a, const Quadratic& b) {
    const auto product = Base::complex_call(a.c0, a.c1, b.c0, b.c1);
    return {product.real, product.imaginary};
  }

  PG_HD static Quadratic dot(const Quadratic& a, const Quadratic& b, const Quadratic& c, const Quadratic& d) {
    return a * b + c * d;
  }

  // (c0 + c1)(c0 - c1) + 2 c0 c1 u.
  PG_HD Quadratic squared() const {
    return {Base::product_call(c0 + c1, c0 - c1), Base::product_call(c0 + c0, c1)};
  }

  PG_HD static Quadratic loaded(const uint32_t* from) {
    return {Base::loaded(from), Base::loaded(from + Base::words)};
  }
  PG_HD void store(uint32_t* to) const {
    c0.store(to);
    c1.store(to + Base::words);
  }
};

// (c0 - c1 u) / (c0^2 + c1^2); zero for zero.
template <class P>
PG_HD Quadratic<P> inverse(const Quadratic<P>& a) {
  const Field<P> norm = inverse(Field<P>::dot(a.c0, a.c0, a.c1, a.c1));
  return {a.c0 * norm, (-a.c1) * norm};
}

}  // namespace pg
