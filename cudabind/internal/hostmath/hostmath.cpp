// The kernels' arithmetic headers compiled by the host's C++ compiler; hostmath.go calls them. This file is compiled
// twice: with the host's own products, and (hostmath_rows.cpp) with those of the device.
#include <algorithm>
#include <vector>

#include "../../kernels/affine.cuh"
#include "../../kernels/curve.cuh"
#include "../../kernels/evaluate_part.cuh"
#include "../../kernels/known.cuh"
#include "../../kernels/moduli.cuh"

#include "hostmath.h"
#include "lanes.h"

#ifndef HOSTMATH_NAME
#define HOSTMATH_NAME(what) hostmath_##what
#endif

using namespace pg;

namespace {

template <class F>
F apply(int op, const F& a, const F& b) {
  switch (op) {
    case HOSTMATH_ADD: return a + b;
    case HOSTMATH_SUB: return a - b;
    case HOSTMATH_MUL: return a * b;
    case HOSTMATH_SQUARE: return a.squared();
    case HOSTMATH_DOT:
      if constexpr (F::Base::has_dot) return F::dot(a, b, b, a);
      else return a * b + b * a;
    case HOSTMATH_INVERSE: return inverse(a);
    default: return -a;
  }
}

// Calls work(where): where this thread's first coordinate begins in an element, and for F held by two lanes in each.
template <class F, class Work>
auto in_threads_of(Work work) {
  if constexpr (sizeof(typename F::Whole) == sizeof(F)) return work(0);
  else return in_lanes([&](int lane) { return work(lane * F::Base::words); });
}

template <class P>
void known_product(const uint32_t* element, const uint32_t* x, uint32_t* factor, uint32_t* quotient, uint32_t* out) {
  const Known<P> known = Known<P>::of(Field<P>::loaded(element));
  std::copy_n(known.factor, P::words, factor);
  std::copy_n(known.quotient, P::words + 1, quotient);
  std::copy_n(known.times(Loose<P>::loaded(x)).w, P::words, out);
}

template <class P>
Loose<P> apply(int op, const Loose<P>& x) {
  switch (op) {
    case HOSTMATH_LIFTED: return x.lifted();
    case HOSTMATH_LOWERED_TO_FLOOR: return x.lowered(Loose<P>::floor);
    case HOSTMATH_LOWERED: return x.lowered(0);
    case HOSTMATH_REDUCED: return Loose<P>::of(x.reduced());
    default: return x.not_below_zero();
  }
}

template <class P>
uint32_t loose_op(int op, const uint32_t* x, uint32_t* out) {
  std::copy_n(apply(op, Loose<P>::loaded(x)).w, P::words, out);
  return Loose<P>::floor;
}

template <class F>
Packed<F> share_of(const Packed<typename F::Whole>& whole, int where) {
  constexpr int step = Packed<typename F::Whole>::coordinate_words;
  return packed(F::loaded(whole.w + where), F::loaded(whole.w + step + where));
}

template <class F>
void put_share(Packed<typename F::Whole>* whole, const Packed<F>& share, int where) {
  x_of(share).store(whole->w + where);
  y_of(share).store(whole->w + Packed<typename F::Whole>::coordinate_words + where);
}

template <class F>
void field_op(int op, const uint32_t* a, const uint32_t* b, uint32_t* out) {
  in_threads_of<F>([&](int where) {
    apply(op, F::loaded(a + where), F::loaded(b + where)).store(out + where);
    return 0;
  });
}

template <class F, class Whole = typename F::Whole>
void point_sum(const Packed<Whole>* points, const uint8_t* negative, long n, long doublings, int halves,
               Packed<Whole>* out) {
  in_threads_of<F>([&](int where) {
    Xyzz<F> sum[2] = {Xyzz<F>::infinity(), Xyzz<F>::infinity()};
    for (long i = 0; i < n; i++) sum[halves ? i % 2 : 0].add(share_of<F>(points[i], where), negative[i]);
    sum[0].add(sum[1]);
    for (long i = 0; i < doublings; i++) sum[0].double_in_place();
    Packed<F> share;
    to_packed(sum[0], &share);
    put_share<F>(out, share, where);
    return 0;
  });
}

// As evaluate_kernel does it.
template <class P>
void evaluate_part(const Part<P>& part, uint32_t threads, Shared<P>& shared) {
  auto each = [&](auto step) {
    for (uint32_t thread = 0; thread < threads; thread++) step(thread);
  };
  if (!part.is_long()) {
    each([&](uint32_t thread) { part.multiply(shared, thread, threads); });
    each([&](uint32_t thread) { part.add_up(shared, thread, threads); });
    return;
  }
  each([&](uint32_t thread) { part.gather(shared, thread, threads); });
  for (uint32_t left = threads / 2; left > 0; left /= 2)
    each([&](uint32_t thread) { part.fold(shared, thread, threads, left); });
  part.finish(shared, threads);
}

template <class P>
void evaluate(const pg_constraints& of, uint32_t threads, const void* witness, void* a, void* b, void* c) {
  auto numbers = [](const void* from) { return static_cast<const uint32_t*>(from); };
  auto elements = [](const void* from) { return static_cast<const Element<P>*>(from); };
  auto results = [](void* to) { return static_cast<Element<P>*>(to); };
  const ConstraintRows<P> rows{numbers(of.device_starts),     numbers(of.device_parts),     numbers(of.device_term_wires),
                     numbers(of.device_term_codes), elements(of.device_elements), elements(witness),
                     results(a),                    results(b),                   results(c)};
  static Shared<P> shared;
  for (uint32_t i = 0; i < of.parts; i++) evaluate_part(Part<P>::of(rows, i), threads, shared);
}

// A list, the work of a round and its stage in plain memory.
template <class F>
struct HostList {
  Packed<F>* points;

  uint32_t reference(int i) const { return uint32_t(i); }
  Packed<F> point(uint32_t reference) const { return points[reference]; }
  void put(int i, const Packed<F>& p) const { points[i] = p; }
};

template <class F>
struct HostWork {
  F* products;

  void put(int i, const F& product) const { products[i] = product; }
};

template <class F>
struct HostStage {
  Packed<F> points[2];
  F kept;

  void fetch_xs(const HostList<F>& list, Couple of) {
    points[0] = packed(x_of(list.point(of.first)), F::one());
    points[1] = packed(x_of(list.point(of.second)), F::one());
  }
  void fetch_pair(const HostList<F>& list, Couple of, const HostWork<F>& work, int pair) {
    points[0] = list.point(of.first);
    points[1] = list.point(of.second);
    kept = work.products[pair];
  }
  void fetch_point(const HostList<F>& list, uint32_t reference) { points[0] = list.point(reference); }
  void wait() const {}
  F x(int k) const { return x_of(points[k]); }
  F y(int k) const { return y_of(points[k]); }
  F product() const { return kept; }
};

template <class F, class Whole = typename F::Whole>
long run_sums(const Packed<Whole>* points, const uint8_t* negative, const uint32_t* keys, long n, int rounds,
              uint32_t* out_keys, Packed<Whole>* out) {
  return in_threads_of<F>([&](int where) {
    std::vector<Packed<F>> own;
    for (long i = 0; i < n; i++) {
      const Packed<F> share = share_of<F>(points[i], where);
      own.push_back(negative[i] ? negated(share) : share);
    }
    std::vector<uint32_t> starts(n + 1);
    std::vector<F> products(n / 2 + 1);
    const HostList<F> list{own.data()};
    const HostWork<F> work{products.data()};
    HostStage<F> stage;
    Runs runs = Runs::of(keys, int(n), starts.data(), 1);
    int count = int(n);
    for (int i = 0; i < rounds; i++) count = add_neighbours<F>(list, runs, count, list, work, stage);
    long flushed = 0;
    sum_runs_of<F>(list, runs, count, stage, [&](uint32_t key, const Xyzz<F>& sum) {
      Packed<F> share;
      to_packed(sum, &share);
      if (where == 0) out_keys[flushed] = key;
      put_share<F>(&out[flushed++], share, where);
    });
    return flushed;
  });
}

}  // namespace

extern "C" void HOSTMATH_NAME(evaluate)(int field, const pg_constraints* of, long threads, const void* witness, void* a,
                                        void* b, void* c) {
  if (field == HOSTMATH_BN254_FR) evaluate<Bn254Fr>(*of, uint32_t(threads), witness, a, b, c);
  if (field == HOSTMATH_BLS12_381_FR) evaluate<Bls381Fr>(*of, uint32_t(threads), witness, a, b, c);
}

extern "C" void HOSTMATH_NAME(field)(int field, int op, const void* a, const void* b, void* out) {
  auto x = static_cast<const uint32_t*>(a), y = static_cast<const uint32_t*>(b);
  auto z = static_cast<uint32_t*>(out);
  switch (field) {
    case HOSTMATH_BN254_FP: return field_op<Field<Bn254Fp>>(op, x, y, z);
    case HOSTMATH_BN254_FR: return field_op<Field<Bn254Fr>>(op, x, y, z);
    case HOSTMATH_BN254_FP2: return field_op<Quadratic<Bn254Fp>>(op, x, y, z);
    case HOSTMATH_BLS12_381_FP: return field_op<Field<Bls381Fp>>(op, x, y, z);
    case HOSTMATH_BLS12_381_FR: return field_op<Field<Bls381Fr>>(op, x, y, z);
    case HOSTMATH_BLS12_381_FP2: return field_op<Quadratic<Bls381Fp>>(op, x, y, z);
    case HOSTMATH_BN254_FP2_HALVES: return field_op<Half<Bn254Fp>>(op, x, y, z);
    case HOSTMATH_BLS12_381_FP2_HALVES: return field_op<Half<Bls381Fp>>(op, x, y, z);
  }
}

extern "C" void HOSTMATH_NAME(known)(int field, const void* element, const void* x, void* factor, void* quotient,
                                     void* out) {
  auto in = [](const void* from) { return static_cast<const uint32_t*>(from); };
  auto to = [](void* at) { return static_cast<uint32_t*>(at); };
  if (field == HOSTMATH_BN254_FR) known_product<Bn254Fr>(in(element), in(x), to(factor), to(quotient), to(out));
  if (field == HOSTMATH_BLS12_381_FR) known_product<Bls381Fr>(in(element), in(x), to(factor), to(quotient), to(out));
}

extern "C" uint32_t HOSTMATH_NAME(loose)(int field, int op, const void* x, void* out) {
  auto in = static_cast<const uint32_t*>(x);
  auto to = static_cast<uint32_t*>(out);
  return field == HOSTMATH_BN254_FR ? loose_op<Bn254Fr>(op, in, to) : loose_op<Bls381Fr>(op, in, to);
}

extern "C" void HOSTMATH_NAME(sum)(int field, const void* points, const uint8_t* negative, long n, long doublings,
                             int halves, void* out) {
  auto sum = [&](auto coordinate) {
    using F = decltype(coordinate);
    using Point = Packed<typename F::Whole>;
    point_sum<F>(static_cast<const Point*>(points), negative, n, doublings, halves, static_cast<Point*>(out));
  };
  switch (field) {
    case HOSTMATH_BN254_FP: return sum(Field<Bn254Fp>{});
    case HOSTMATH_BN254_FP2: return sum(Quadratic<Bn254Fp>{});
    case HOSTMATH_BLS12_381_FP: return sum(Field<Bls381Fp>{});
    case HOSTMATH_BLS12_381_FP2: return sum(Quadratic<Bls381Fp>{});
    case HOSTMATH_BN254_FP2_HALVES: return sum(Half<Bn254Fp>{});
    case HOSTMATH_BLS12_381_FP2_HALVES: return sum(Half<Bls381Fp>{});
  }
}

extern "C" long HOSTMATH_NAME(runs)(int field, const void* points, const uint8_t* negative, const uint32_t* keys, long n,
                              int rounds, uint32_t* out_keys, void* out) {
  auto runs = [&](auto coordinate) {
    using F = decltype(coordinate);
    using Point = Packed<typename F::Whole>;
    return run_sums<F>(static_cast<const Point*>(points), negative, keys, n, rounds, out_keys, static_cast<Point*>(out));
  };
  switch (field) {
    case HOSTMATH_BN254_FP: return runs(Field<Bn254Fp>{});
    case HOSTMATH_BN254_FP2: return runs(Quadratic<Bn254Fp>{});
    case HOSTMATH_BLS12_381_FP: return runs(Field<Bls381Fp>{});
    case HOSTMATH_BLS12_381_FP2: return runs(Quadratic<Bls381Fp>{});
    case HOSTMATH_BN254_FP2_HALVES: return runs(Half<Bn254Fp>{});
    case HOSTMATH_BLS12_381_FP2_HALVES: return runs(Half<Bls381Fp>{});
  }
  return 0;
}
