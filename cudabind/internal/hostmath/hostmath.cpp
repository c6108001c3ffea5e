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

template <class F>
void field_op(int op, const uint32_t* a, const uint32_t* b, uint32_t* out) {
  apply(op, F::loaded(a), F::loaded(b)).store(out);
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
void point_sum(const Packed<F>* points, const uint8_t* negative, long n, long doublings, int halves, Packed<F>* out) {
  Xyzz<F> sum[2] = {Xyzz<F>::infinity(), Xyzz<F>::infinity()};
  for (long i = 0; i < n; i++) sum[halves ? i % 2 : 0].add(points[i], negative[i]);
  sum[0].add(sum[1]);
  for (long i = 0; i < doublings; i++) sum[0].double_in_place();
  to_packed(sum[0], out);
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
  uint32_t* keys;
  Packed<F>* points;

  uint32_t key(int i) const { return keys[i]; }
  Packed<F> point(int i) const { return points[i]; }
  void put(int i, uint32_t key, const Packed<F>& p) const {
    keys[i] = key;
    points[i] = p;
  }
};

template <class F>
struct HostWork {
  int* begins;
  F* products;

  int at(int i) const { return begins[i]; }
  void put(int i, int begin, const F& product) const {
    begins[i] = begin;
    products[i] = product;
  }
};

template <class F>
struct HostStage {
  Packed<F> points[2];
  F kept;

  void fetch_xs(const HostList<F>& list, int i) {
    for (int k : {0, 1}) points[k] = packed(x_of(list.point(i + k)), F::one());
  }
  void fetch_pair(const HostList<F>& list, int i, const HostWork<F>& work, int pair) {
    for (int k : {0, 1}) points[k] = list.point(i + k);
    kept = work.products[pair];
  }
  void fetch_point(const HostList<F>& list, int i) { points[0] = list.point(i); }
  void wait() const {}
  F x(int k) const { return x_of(points[k]); }
  F y(int k) const { return y_of(points[k]); }
  F product() const { return kept; }
};

template <class F>
long run_sums(const Packed<F>* points, const uint8_t* negative, const uint32_t* keys, long n, int rounds,
              uint32_t* out_keys, Packed<F>* out) {
  std::vector<Packed<F>> own(points, points + n);
  std::vector<uint32_t> own_keys(keys, keys + n);
  std::vector<int> begins(n / 2 + 1);
  std::vector<F> products(n / 2 + 1);
  for (long i = 0; i < n; i++)
    if (negative[i]) own[i] = negated(own[i]);
  const HostList<F> list{own_keys.data(), own.data()};
  const HostWork<F> work{begins.data(), products.data()};
  HostStage<F> stage;
  for (; rounds > 0; rounds--) n = add_neighbours<F>(list, int(n), list, work, stage);
  long runs = 0;
  sum_runs_of<F>(list, int(n), stage, [&](uint32_t key, const Xyzz<F>& sum) {
    out_keys[runs] = key;
    to_packed(sum, &out[runs++]);
  });
  return runs;
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
    point_sum(static_cast<const Packed<F>*>(points), negative, n, doublings, halves, static_cast<Packed<F>*>(out));
  };
  switch (field) {
    case HOSTMATH_BN254_FP: return sum(Field<Bn254Fp>{});
    case HOSTMATH_BN254_FP2: return sum(Quadratic<Bn254Fp>{});
    case HOSTMATH_BLS12_381_FP: return sum(Field<Bls381Fp>{});
    case HOSTMATH_BLS12_381_FP2: return sum(Quadratic<Bls381Fp>{});
  }
}

extern "C" long HOSTMATH_NAME(runs)(int field, const void* points, const uint8_t* negative, const uint32_t* keys, long n,
                              int rounds, uint32_t* out_keys, void* out) {
  auto runs = [&](auto coordinate) {
    using F = decltype(coordinate);
    return run_sums(static_cast<const Packed<F>*>(points), negative, keys, n, rounds, out_keys,
                    static_cast<Packed<F>*>(out));
  };
  switch (field) {
    case HOSTMATH_BN254_FP: return runs(Field<Bn254Fp>{});
    case HOSTMATH_BN254_FP2: return runs(Quadratic<Bn254Fp>{});
    case HOSTMATH_BLS12_381_FP: return runs(Field<Bls381Fp>{});
    case HOSTMATH_BLS12_381_FP2: return runs(Quadratic<Bls381Fp>{});
  }
  return 0;
}
