// What the interface does with vectors over a scalar field, on memory that has been checked for place and size.
#pragma once

#include "memory.h"
#include "transform.h"

namespace standin {

template <class P>
struct Vectors {
  using Vector = Element<P>*;
  using Constant = const Element<P>*;

  static Field<P> combine(int operation, const Field<P>& a, const Element<P>* b, const Element<P>* c) {
    switch (operation) {
      case PG_ADD: return a + b->value();
      case PG_SUB: return a - b->value();
      case PG_MUL_SUB: return a * b->value() - c->value();
      case PG_TO_CANONICAL: return a * Field<P>::plain_one();
      case PG_TO_MONTGOMERY: return a * Field<P>::montgomery_square();
      default: return a * b->value();  // PG_MUL, PG_SCALE
    }
  }

  // b holds n elements, or one for PG_SCALE; operands that the operation does not take are null.
  static pg_error pointwise(int operation, size_t n, Constant a, Constant b, Constant c, Vector out) {
    const bool one_factor = operation == PG_SCALE;
    PG_TRY(check_elements<P>("a", a, n));
    if (b) PG_TRY(check_elements<P>("b", b, one_factor ? 1 : n));
    if (c) PG_TRY(check_elements<P>("c", c, n));
    for (size_t i = 0; i < n; i++)
      out[i].set(combine(operation, a[i].value(), b && !one_factor ? b + i : b, c ? c + i : c));
    return success();
  }

  static pg_error check_table(int32_t curve, int log_n, const Twiddles<P>& table) {
    return check_tag("table", table.tag, Tag::of(Twiddles<P>::maker, curve, log_n));
  }

  static pg_error check_powers(const char* what, int32_t curve, int log_n, const Powers<P>* powers) {
    return powers ? check_tag(what, powers->tag, Tag::of(Powers<P>::maker, curve, log_n)) : success();
  }

  static pg_error ntt(int32_t curve, int log_n, const Twiddles<P>& table, int direction, int order,
                      const Powers<P>* powers, Vector data) {
    PG_TRY(check_table(curve, log_n, table));
    PG_TRY(check_powers("powers", curve, log_n, powers));
    PG_TRY(check_elements<P>("data", data, size_t(1) << log_n));
    transform(log_n, table, direction, order, powers, data);
    return success();
  }

  // b and c are left poisoned, since nobody may rely on what is in them.
  static pg_error quotient(int32_t curve, int log_n, const Twiddles<P>& table, const Powers<P>* forth,
                           const Powers<P>* back, bool canonical, Vector a, Vector b, Vector c) {
    const size_t n = size_t(1) << log_n;
    PG_TRY(check_powers("back", curve, log_n, back));
    for (Vector v : {a, b, c}) {
      PG_TRY(ntt(curve, log_n, table, PG_INVERSE, PG_NATURAL, forth, v));
      transform<P>(log_n, table, PG_FORWARD, PG_NATURAL, nullptr, v);
    }
    PG_TRY(pointwise(PG_MUL_SUB, n, a, b, c, a));
    if (back) transform(log_n, table, PG_INVERSE, PG_NATURAL, back, a);
    for (Vector v : {b, c}) std::memset(v, poison, n * sizeof *v);
    return canonical ? pointwise(PG_TO_CANONICAL, n, a, nullptr, nullptr, a) : success();
  }
};

}  // namespace standin
