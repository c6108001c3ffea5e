// Affine additions under a shared inversion: the neighbours of equal keys in a sorted list are added in pairs, which
// takes five products and a square each instead of an XYZZ addition's eight and two, and the list is half as long.
//
// All divisors are multiplied up from the end, the product is inverted once, and the way back from the front peels one
// inverse after the other off it (Montgomery's trick). A pair without a slope takes 1 for its divisor, so that no pair
// spoils the others: either point infinite, or the points opposite.
//
// A list offers key(i) and point(i); the one written to put(i, key, point). Work keeps put(i, at, product) and at(i) of
// the pairs found. A stage is where coordinates arrive while others are worked on: each fetch is waited for before its
// coordinates are read, and they are read before the next fetch.
#pragma once

#include "curve.cuh"

namespace pg {

template <class F>
PG_HD F x_of(const Packed<F>& p) {
  return F::loaded(p.w);
}

template <class F>
PG_HD F y_of(const Packed<F>& p) {
  return F::loaded(p.w + Packed<F>::coordinate_words);
}

template <class F>
PG_HD Packed<F> packed(const F& x, const F& y) {
  Packed<F> p;
  x.store(p.w);
  y.store(p.w + Packed<F>::coordinate_words);
  return p;
}

template <class F>
PG_HD Packed<F> negated(Packed<F> p) {
  (-y_of(p)).store(p.w + Packed<F>::coordinate_words);
  return p;
}

// p + q without a slope: one of them infinite, or opposite ones.
template <class F>
PG_HD Packed<F> add_without_slope(const Packed<F>& p, const Packed<F>& q) {
  return p.is_infinity() ? q : q.is_infinity() ? p : Packed<F>{};
}

// What the slope of p + q divides by: the difference of the x's, for p = q twice y, and 1 where there is no slope.
template <class F>
struct Divisor {
  F value;
  bool has_slope, doubling;

  PG_HD static Divisor of(const F& px, const F& py, const F& qx, const F& qy) {
    Divisor d{qx - px, true, false};
    const bool p_infinite = px.is_zero() && py.is_zero(), q_infinite = qx.is_zero() && qy.is_zero();
    if (d.value.is_zero()) {
      d.doubling = true;
      d.value = py + qy;  // zero if they are opposite
    }
    d.has_slope = !(p_infinite || q_infinite || d.value.is_zero());
    if (!d.has_slope) d.value = F::one();
    return d;
  }

  // From the x's alone where they suffice: few points' second halves are read.
  template <class List>
  PG_HD static F of(const F& px, const F& qx, const List& list, int i) {
    const F dx = qx - px;
    if (!(dx.is_zero() || px.is_zero() || qx.is_zero())) return dx;
    const Packed<F> p = list.point(i), q = list.point(i + 1);
    return of(x_of(p), y_of(p), x_of(q), y_of(q)).value;
  }
};

// The index below `end` of the last pair's first element, or -1. From the end, so an odd run leaves its first alone.
template <class List>
PG_HD int last_pair(const List& list, int end) {
  int i = end - 1;
  while (i > 0 && list.key(i) != list.key(i - 1)) i--;
  return i > 0 ? i - 1 : -1;
}

template <class List>
PG_HD int count_pairs(const List& list, int count) {
  int pairs = 0;
  for (int i = last_pair(list, count); i >= 0; i = last_pair(list, i)) pairs++;
  return pairs;
}

// The first half of a round: every pair's place, and the product of the divisors of those after it; returns their
// number and the product of all.
template <class F, class List, class Work, class Stage>
PG_HD int multiply_divisors(const List& list, int count, const Work& work, Stage& stage, F* product) {
  *product = F::one();
  int pairs = 0, i = last_pair(list, count);
  if (i >= 0) stage.fetch_xs(list, i);
  while (i >= 0) {
    work.put(pairs++, i, *product);
    stage.wait();
    const F divisor = Divisor<F>::of(stage.x(0), stage.x(1), list, i);
    i = last_pair(list, i);
    if (i >= 0) stage.fetch_xs(list, i);
    *product = *product * divisor;
  }
  return pairs;
}

// The second half: the pairs' sums and what stands alone go to `to`, which may be the same list; returns how many.
template <class F, class From, class To, class Work, class Stage>
PG_HD int add_pairs(const From& from, int count, int pairs, F inverse_of_rest, const To& to, const Work& work,
                    Stage& stage) {
  int out = 0, i = 0, next = count;
  const auto fetch = [&] {
    next = pairs > 0 ? work.at(pairs - 1) : count;
    if (pairs > 0) stage.fetch_pair(from, next, work, pairs - 1);
  };
  for (fetch();;) {
    for (; i < next; i++) to.put(out++, from.key(i), from.point(i));
    if (pairs-- == 0) return out;
    stage.wait();
    const auto divisor = Divisor<F>::of(stage.x(0), stage.y(0), stage.x(1), stage.y(1));
    const F inverse_here = inverse_of_rest * stage.product();
    inverse_of_rest = inverse_of_rest * divisor.value;
    F rise = stage.y(1) - stage.y(0);
    if (divisor.doubling) {
      const F square = stage.x(0).squared();
      rise = square + square + square;
    }
    const F slope = rise * inverse_here;
    const F x = slope.squared() - stage.x(0) - stage.x(1);
    const F run = stage.x(0) - x, start = stage.y(0);
    fetch();  // while the last product is computed
    const F y = slope * run - start;
    const uint32_t key = from.key(i);
    if (divisor.has_slope) to.put(out++, key, packed(x, y));
    else to.put(out++, key, add_without_slope(from.point(i), from.point(i + 1)));
    i += 2;
  }
}

// Halves the list `from` of `count` elements into `to`, which may be the same, and returns how many are left.
template <class F, class From, class To, class Work, class Stage>
PG_HD int add_neighbours(const From& from, int count, const To& to, const Work& work, Stage& stage) {
  F product;
  const int pairs = multiply_divisors(from, count, work, stage, &product);
  return add_pairs(from, count, pairs, inverse(product), to, work, stage);
}

// Adds up what is left of each run of equal keys and hands it to flush(key, sum). One addition a step, whichever run
// it belongs to, so that threads side by side stay together.
template <class F, class List, class Stage, class Flush>
PG_HD void sum_runs_of(const List& list, int count, Stage& stage, Flush flush) {
  Xyzz<F> sum;
  uint32_t key = 0;
  bool fresh = true;
  int i = 0;
  const auto take = [&] {
    stage.wait();
    const Packed<F> p = packed(stage.x(0), stage.y(0));
    i++;
    if (i < count) stage.fetch_point(list, i);
    return p;
  };
  if (count > 0) stage.fetch_point(list, 0);
  while (i < count) {
    if (fresh) {
      key = list.key(i);
      sum = Xyzz<F>::from_packed(take());
    }
    if (i < count && list.key(i) == key) sum.add(take(), false);
    fresh = i == count || list.key(i) != key;
    if (fresh) flush(key, sum);
  }
}

}  // namespace pg
