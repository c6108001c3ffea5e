// Affine additions under a shared inversion: the neighbours of equal keys in a sorted list are added in pairs, which
// takes five products and a square each instead of an XYZZ addition's eight and two, and the list is half as long.
//
// All divisors are multiplied up from the end, the product is inverted once, and the way back from the front peels one
// inverse after the other off it (Montgomery's trick). A pair without a slope takes 1 for its divisor, so that no pair
// spoils the others: either point infinite, or the points opposite.
//
// A list offers reference(i), a number, and the point(reference); the one written to put(i, point). Work keeps the
// products: put(pair, product). A stage is where coordinates arrive while others are worked on: each fetch is waited
// for before its coordinates are read, and they are read before the next fetch.
#pragma once

#include "curve.cuh"
#include "runs.cuh"

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

// The points of a pair as a list refers to them, which can be known before they are fetched.
struct Couple {
  uint32_t first, second;

  template <class List>
  PG_HD static Couple of(const List& list, int i) {
    return i < 0 ? Couple{} : Couple{list.reference(i), list.reference(i + 1)};
  }
};

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
  PG_HD static F of(const F& px, const F& qx, const List& list, Couple points) {
    const F dx = qx - px;
    if (!(dx.is_zero() || px.is_zero() || qx.is_zero())) return dx;
    const Packed<F> p = list.point(points.first), q = list.point(points.second);
    return of(x_of(p), y_of(p), x_of(q), y_of(q)).value;
  }
};

// The first half of a round: for every pair the product of the divisors of those after it; returns their number and
// the product of all.
template <class F, class List, class Work, class Stage>
PG_HD int multiply_divisors(const List& list, const Runs& runs, int count, const Work& work, Stage& stage, F* product) {
  *product = F::one();
  PairsBackward order(runs, count);
  int pairs = 0, i = order.next();
  Couple points = Couple::of(list, i);
  if (i >= 0) stage.fetch_xs(list, points);
  while (i >= 0) {
    i = order.next();
    const Couple next = Couple::of(list, i);  // a fetch is not to wait for it
    work.put(pairs++, *product);
    stage.wait();
    const F divisor = Divisor<F>::of(stage.x(0), stage.x(1), list, points);
    points = next;
    if (i >= 0) stage.fetch_xs(list, points);
    *product = *product * divisor;
  }
  return pairs;
}

// The second half: the pairs' sums and what stands alone go to `to`, which may be the same list.
template <class F, class From, class To, class Work, class Stage>
PG_HD void add_pairs(const From& from, const Runs& runs, int count, int pairs, F inverse_of_rest, const To& to,
                     const Work& work, Stage& stage) {
  PairsForward order(runs);
  int out = 0, i = 0, next = order.next();
  Couple points = Couple::of(from, next);
  if (next >= 0) stage.fetch_pair(from, points, work, pairs - 1);
  while (next >= 0) {
    for (; i < next; i++) to.put(out++, from.point(from.reference(i)));
    next = order.next();
    const Couple ahead = Couple::of(from, next);
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
    if (next >= 0) stage.fetch_pair(from, ahead, work, --pairs - 1);  // while the last product is computed
    const F y = slope * run - start;
    if (divisor.has_slope) to.put(out++, packed(x, y));
    else to.put(out++, add_without_slope(from.point(points.first), from.point(points.second)));
    points = ahead;
    i += 2;
  }
  for (; i < count; i++) to.put(out++, from.point(from.reference(i)));
}

// One round: halves the runs' list `from` of `count` elements into `to`, which may be the same, and returns how many
// are left.
template <class F, class From, class To, class Work, class Stage>
PG_HD int add_neighbours(const From& from, Runs& runs, int count, const To& to, const Work& work, Stage& stage) {
  F product;
  const int pairs = multiply_divisors(from, runs, count, work, stage, &product);
  add_pairs(from, runs, count, pairs, inverse(product), to, work, stage);
  runs.round++;
  return count - pairs;
}

// Adds up what is left of each run and hands it to flush(key, sum). One addition a step, whichever run it belongs to,
// so that threads side by side stay together.
template <class F, class List, class Stage, class Flush>
PG_HD void sum_runs_of(const List& list, const Runs& runs, int count, Stage& stage, Flush flush) {
  Xyzz<F> sum;
  int run = 0, i = 0, end = 0;
  uint32_t ahead = count > 0 ? list.reference(0) : 0;
  const auto fetch = [&] {
    if (i == count) return;
    stage.fetch_point(list, ahead);
    if (i + 1 < count) ahead = list.reference(i + 1);
  };
  const auto take = [&] {
    stage.wait();
    const Packed<F> p = packed(stage.x(0), stage.y(0));
    i++;
    fetch();
    return p;
  };
  fetch();
  while (i < count) {
    if (i == end) {
      end += runs.left_of(runs.start(run + 1) - runs.start(run));
      sum = Xyzz<F>::from_packed(take());
    }
    if (i < end) sum.add(take(), false);
    if (i == end) flush(runs.key(run++), sum);
  }
}

}  // namespace pg
