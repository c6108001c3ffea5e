// The quadratic extension F[u]/(u^2 + 1) over which the G2 points of both curves live.
#pragma once

#include "field.cuh"

namespace pg {

template <class P>
struct Quadratic {
  using Params = P;
  using Base = Field<P>;
  static constexpr int components = 2;

  Base c0, c1;

  PG_HD static Quadratic zero() { return {Base::zero(), Base::zero()}; }
  PG_HD static Quadratic one() { return {Base::one(), Base::zero()}; }

  PG_HD friend Quadratic operator+(const Quadratic& a, const Quadratic& b) { return {a.c0 + b.c0, a.c1 + b.c1}; }
  PG_HD friend Quadratic operator-(const Quadratic& a, const Quadratic& b) { return {a.c0 - b.c0, a.c1 - b.c1}; }
  PG_HD Quadratic operator-() const { return {-c0, -c1}; }
  PG_HD Quadratic tight() const { return {c0.tight(), c1.tight()}; }
  PG_HD Quadratic reduced() const { return {c0.reduced(), c1.reduced()}; }
  PG_HD bool is_zero() const { return c0.is_zero() && c1.is_zero(); }

  // Both operands tight. Each component is one sum of two products under one reduction: as many multiply-adds as
  // Karatsuba with three reductions, and no double-width values to keep.
  PG_HD friend Quadratic operator*(const Quadratic& a, const Quadratic& b) {
    return {Base::dot_call(a.c0, b.c0, -a.c1, b.c1), Base::dot_call(a.c0, b.c1, a.c1, b.c0)};
  }

  PG_HD static Quadratic dot(const Quadratic& a, const Quadratic& b, const Quadratic& c, const Quadratic& d) {
    return a * b + c * d;
  }

  // (c0 + c1)(c0 - c1) + 2 c0 c1 u.
  PG_HD Quadratic squared() const {
    return {Base::product_call((c0 + c1).tight(), c0 - c1), Base::product_call(c0 + c0, c1)};
  }

  PG_HD static Quadratic loaded(const uint32_t* w) {
    return {Base::loaded(w).tight(), Base::loaded(w + Base::words).tight()};
  }
  PG_HD static Quadratic from_memory(const uint32_t* w) {
    return {Base::from_memory(w), Base::from_memory(w + Base::words)};
  }
  PG_HD void to_memory(uint32_t* w) const {
    c0.to_memory(w);
    c1.to_memory(w + Base::words);
  }
};

// (c0 - c1 u) / (c0^2 + c1^2); zero for zero. Tight operand.
template <class P>
PG_HD Quadratic<P> inverse(const Quadratic<P>& a) {
  const Field<P> norm = inverse(Field<P>::dot(a.c0, a.c0, a.c1, a.c1));
  return {a.c0 * norm, (-a.c1).tight() * norm};
}

}  // namespace pg
