// An element of F[u]/(u^2 + 1) held by two lanes: c0 by the even one, c1 by the odd.
//
// Each lane makes its component of a product. So a point over the extension takes a thread no more registers than one
// over the prime field, and twice as many warps fit that hide each other's latency. Two lanes do the same always; what
// differs between them is chosen, not branched to.
#pragma once

#include "fp2.cuh"
#include "lanes.cuh"

namespace pg {

template <class P>
struct Half {
  using Params = P;
  using Base = Field<P>;
  using Whole = Quadratic<P>;
  static constexpr int components = 1;

  Base c;

  PG_HD static Half zero() { return {Base::zero()}; }
  PG_HD static Half one() { return {is_odd_lane() ? Base::zero() : Base::one()}; }

  PG_HD friend Half operator+(const Half& a, const Half& b) { return {a.c + b.c}; }
  PG_HD friend Half operator-(const Half& a, const Half& b) { return {a.c - b.c}; }
  PG_HD Half operator-() const { return {-c}; }

  // Of the whole element: both lanes get the same answer.
  PG_HD bool is_zero() const {
    uint32_t mine = 0;
    PG_UNROLL for (int i = 0; i < Base::words; i++) mine |= c.w[i];
    uint32_t others = mine;
    exchange_words<1>(&others);
    return (mine | others) == 0;
  }

  PG_HD friend Half operator*(const Half& a, const Half& b) { return product_call(a, b); }

  PG_HD static Half dot(const Half& a, const Half& b, const Half& c, const Half& d) { return a * b + c * d; }

  PG_HD Half squared() const { return square_call(*this); }

  // The component of the other lane.
  PG_HD Base other() const {
    Base o = c;
    exchange_words<Base::words>(o.w);
    return o;
  }

  PG_HD static Half loaded(const uint32_t* from) { return {Base::loaded(from)}; }
  PG_HD void store(uint32_t* to) const { c.store(to); }

 private:
  PG_HD static Base chosen(bool first, const Base& a, const Base& b) {
    Base f;
    PG_UNROLL for (int i = 0; i < Base::words; i++) f.w[i] = first ? a.w[i] : b.w[i];
    return f;
  }

  // Even: a0 b0 - a1 b1; odd: a0 b1 + a1 b0.
  PG_HD_OUTLINE static Half product_call(Half a, Half b) {
    const Base a_other = a.other(), b_other = b.other();
    const bool odd = is_odd_lane();
    return {Base::sum_of_products(chosen(odd, a_other, a.c), b.c, chosen(odd, a.c, -a_other), b_other)};
  }

  // Even: (a0 + a1)(a0 - a1); odd: (a0 + a0) a1.
  PG_HD_OUTLINE static Half square_call(Half a) {
    const Base other = a.other();
    const bool odd = is_odd_lane();
    return {Base::product(chosen(odd, other, a.c) + other, chosen(odd, a.c, a.c - other))};
  }
};

// (c0 - c1 u) / (c0^2 + c1^2); zero for zero.
template <class P>
PG_HD Half<P> inverse(const Half<P>& a) {
  const Half<P> square{a.c.squared()};
  const Field<P> norm = inverse(square.c + square.other());
  return {(is_odd_lane() ? -a.c : a.c) * norm};
}

}  // namespace pg
