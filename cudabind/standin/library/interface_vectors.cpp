// The interface: vectors over the scalar fields.
#include "curves.h"
#include "operation.h"
#include "vectors.h"

using namespace standin;

namespace {

constexpr size_t element_bytes = 32;  // of either scalar field

template <class P>
Field<P> loaded(const void* host) {
  Element<P> e;
  std::memcpy(&e, host, sizeof e);
  return e.value();
}

pg_error check_host_element(int32_t curve, const char* what, const void* host) {
  REFUSE_UNLESS(host, "%s is null", what);
  return for_curve(curve, [&](auto p) {
    Element<decltype(p)> e;
    std::memcpy(&e, host, sizeof e);
    return check_elements(what, &e, 1);
  });
}

}  // namespace

extern "C" {

pg_error pg_pointwise(pg_stream* stream, int32_t curve, int32_t operation, size_t n, const void* device_a,
                      const void* device_b, const void* device_c, void* device_out) {
  Operation call(stream, __func__);
  PG_TRY(check_curve(curve));
  PG_TRY(check_count(n));
  REFUSE_UNLESS(PG_ADD <= operation && operation <= PG_TO_MONTGOMERY, "operation %d is unknown", operation);
  const size_t bytes = n * element_bytes;
  const size_t b_bytes = operation > PG_SCALE || !n ? 0 : operation == PG_SCALE ? element_bytes : bytes;
  const void* a = call.reads("a", device_a, bytes);
  const void* b = call.reads("b", device_b, b_bytes);
  const void* c = call.reads("c", device_c, operation == PG_MUL_SUB ? bytes : 0);
  void* out = call.writes("out", device_out, bytes);
  call.allow_in_place();
  return call.queue([=] {
    return for_curve(curve, [&](auto p) {
      using E = Element<decltype(p)>;
      return Vectors<decltype(p)>::pointwise(operation, n, static_cast<const E*>(a), static_cast<const E*>(b),
                                             static_cast<const E*>(c), static_cast<E*>(out));
    });
  });
}

size_t pg_ntt_table_bytes(int32_t curve, int32_t log_n) {
  if (check_size(curve, log_n).code) return 0;
  return for_curve(curve, [&](auto p) { return Twiddles<decltype(p)>::bytes(log_n); });
}

pg_error pg_ntt_table_build(pg_stream* stream, int32_t curve, int32_t log_n, const void* host_root,
                            void* device_table) {
  Operation call(stream, __func__);
  PG_TRY(check_size(curve, log_n));
  PG_TRY(check_host_element(curve, "root", host_root));
  void* table = call.writes("table", device_table, pg_ntt_table_bytes(curve, log_n), table_alignment);
  return for_curve(curve, [&](auto p) {
    using P = decltype(p);
    const auto root = loaded<P>(host_root);
    PG_TRY(Twiddles<P>::check_root(log_n, root));
    return call.queue([=] {
      static_cast<Twiddles<P>*>(table)->build(curve, log_n, root);
      return success();
    });
  });
}

size_t pg_powers_bytes(int32_t curve, int32_t log_n) {
  if (check_size(curve, log_n).code) return 0;
  return for_curve(curve, [&](auto p) { return Powers<decltype(p)>::bytes(log_n); });
}

pg_error pg_powers_build(pg_stream* stream, int32_t curve, int32_t log_n, const void* host_base,
                         const void* host_factor, void* device_powers) {
  Operation call(stream, __func__);
  PG_TRY(check_size(curve, log_n));
  PG_TRY(check_host_element(curve, "base", host_base));
  PG_TRY(check_host_element(curve, "factor", host_factor));
  void* powers = call.writes("powers", device_powers, pg_powers_bytes(curve, log_n), table_alignment);
  return for_curve(curve, [&](auto p) {
    using P = decltype(p);
    const auto base = loaded<P>(host_base), factor = loaded<P>(host_factor);
    return call.queue([=] {
      static_cast<Powers<P>*>(powers)->build(curve, log_n, base, factor);
      return success();
    });
  });
}

pg_error pg_ntt(pg_stream* stream, int32_t curve, int32_t log_n, const void* device_table, int32_t direction,
                int32_t order, const void* device_powers, void* device_data) {
  Operation call(stream, __func__);
  PG_TRY(check_size(curve, log_n));
  REFUSE_UNLESS(direction == PG_FORWARD || direction == PG_INVERSE, "direction %d is unknown", direction);
  REFUSE_UNLESS(PG_NATURAL <= order && order <= PG_FROM_REVERSED, "order %d is unknown", order);
  const size_t power_bytes = device_powers ? pg_powers_bytes(curve, log_n) : 0;
  const void* table = call.reads("table", device_table, pg_ntt_table_bytes(curve, log_n), table_alignment);
  const void* powers = call.reads("powers", device_powers, power_bytes, table_alignment);
  void* data = call.writes("data", device_data, element_bytes << log_n);
  return call.queue([=] {
    return for_curve(curve, [&](auto p) {
      using P = decltype(p);
      return Vectors<P>::ntt(curve, log_n, *static_cast<const Twiddles<P>*>(table), direction, order,
                             static_cast<const Powers<P>*>(powers), static_cast<Element<P>*>(data));
    });
  });
}

pg_error pg_bit_reverse(pg_stream* stream, int32_t curve, int32_t log_n, void* device_data) {
  Operation call(stream, __func__);
  PG_TRY(check_size(curve, log_n));
  void* data = call.writes("data", device_data, element_bytes << log_n);
  return call.queue([=] {
    for_curve(curve, [&](auto p) { bit_reverse(log_n, static_cast<Element<decltype(p)>*>(data)); });
    return success();
  });
}

pg_error pg_quotient(pg_stream* stream, int32_t curve, int32_t log_n, const void* device_table,
                     const void* device_forth, const void* device_back, int32_t canonical, void* device_a,
                     void* device_b, void* device_c) {
  Operation call(stream, __func__);
  PG_TRY(check_size(curve, log_n));
  const size_t power_bytes = pg_powers_bytes(curve, log_n), bytes = element_bytes << log_n;
  const void* table = call.reads("table", device_table, pg_ntt_table_bytes(curve, log_n), table_alignment);
  const void* forth = call.reads("forth", device_forth, power_bytes, table_alignment);
  const void* back = call.reads("back", device_back, device_back ? power_bytes : 0, table_alignment);
  void* a = call.writes("a", device_a, bytes);
  void* b = call.writes("b", device_b, bytes);
  void* c = call.writes("c", device_c, bytes);
  return call.queue([=] {
    return for_curve(curve, [&](auto p) {
      using P = decltype(p);
      using E = Element<P>;
      return Vectors<P>::quotient(curve, log_n, *static_cast<const Twiddles<P>*>(table),
                                  static_cast<const Powers<P>*>(forth), static_cast<const Powers<P>*>(back),
                                  canonical != 0, static_cast<E*>(a), static_cast<E*>(b), static_cast<E*>(c));
    });
  });
}

}  // extern "C"
