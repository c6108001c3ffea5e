// Field elements and points in memory, with the check that nothing in them is above the modulus: memory that was
// never written holds poison, which is.
#pragma once

#include "../../kernels/curve.cuh"
#include "../../kernels/moduli.cuh"
#include "errors.h"

namespace standin {

using pg::Field;
using pg::Packed;
using pg::Quadratic;
using pg::Xyzz;

template <class P>
struct alignas(16) Element {
  uint32_t w[P::words];

  Field<P> value() const { return Field<P>::loaded(w); }
  void set(const Field<P>& f) { f.store(w); }
};

template <class P>
bool below_modulus(const uint32_t* words) {
  for (int i = P::words - 1; i >= 0; i--)
    if (words[i] != P::modulus[i]) return words[i] < P::modulus[i];
  return false;
}

template <class P>
pg_error check_elements(const char* what, const Element<P>* elements, size_t n) {
  for (size_t i = 0; i < n; i++)
    REFUSE_UNLESS(below_modulus<P>(elements[i].w), "%s[%zu] is not below the modulus: was it ever written?", what, i);
  return success();
}

template <class F>
pg_error check_points(const char* what, const Packed<F>* points, size_t n) {
  using P = typename F::Params;
  for (size_t i = 0; i < n; i++)
    for (int c = 0; c < 2 * F::components; c++)
      REFUSE_UNLESS(below_modulus<P>(points[i].w + c * P::words),
                    "%s[%zu] has a coordinate not below the modulus: was it ever written?", what, i);
  return success();
}

// What begins a table: which call made it, for which curve and size. Another one's, or none, is refused.
struct alignas(16) Tag {
  char maker[24];
  int32_t curve, log_n;

  static Tag of(const char* maker, int32_t curve, int32_t log_n) {
    Tag t{};
    std::snprintf(t.maker, sizeof t.maker, "%s", maker);
    t.curve = curve;
    t.log_n = log_n;
    return t;
  }
};

inline pg_error check_tag(const char* what, const Tag& found, const Tag& wanted) {
  REFUSE_UNLESS(std::memcmp(found.maker, wanted.maker, sizeof found.maker) == 0, "%s was not built by %s", what,
                wanted.maker);
  REFUSE_UNLESS(found.curve == wanted.curve && found.log_n == wanted.log_n,
                "%s was built for curve %d and 2^%d elements, not curve %d and 2^%d", what, found.curve, found.log_n,
                wanted.curve, wanted.log_n);
  return success();
}

}  // namespace standin
