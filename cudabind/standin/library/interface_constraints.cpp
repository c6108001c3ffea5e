// The interface: rows of constraint systems.
#include "constraints.h"
#include "curves.h"
#include "operation.h"

using namespace standin;

namespace {

constexpr size_t number_bytes = 4, element_bytes = 32;

pg_error check_counts(const pg_constraints* of) {
  REFUSE_UNLESS(of, "constraints is null");
  for (size_t n : {of->rows, of->parts, of->terms, of->values}) PG_TRY(check_count(n));
  REFUSE_UNLESS(of->wires <= PG_TERM_OF_B && of->terms <= PG_TERM_OF_B, "%zu wires or %zu terms cannot be numbered",
                of->wires, of->terms);
  REFUSE_UNLESS(of->device_term_codes || of->values == of->terms, "%zu terms have values of their own, which are %zu",
                of->terms, of->values);
  return success();
}

}  // namespace

extern "C" {

pg_error pg_evaluate(pg_stream* stream, int32_t curve, const pg_constraints* constraints, const void* device_witness,
                     void* device_a, void* device_b, void* device_c) {
  Operation call(stream, __func__);
  PG_TRY(check_curve(curve));
  PG_TRY(check_counts(constraints));
  const pg_constraints of = *constraints;
  const auto numbers = [&](const char* what, const void* address, size_t n) {
    return static_cast<const uint32_t*>(call.reads(what, address, n * number_bytes));
  };
  const uint32_t* starts = numbers("starts", of.device_starts, of.rows + 1);
  const uint32_t* parts = numbers("parts", of.device_parts, of.parts + 1);
  const uint32_t* wires = numbers("term_wires", of.device_term_wires, of.terms);
  const uint32_t* codes = numbers("term_codes", of.device_term_codes, of.device_term_codes ? of.terms : 0);
  const void* elements = call.reads("elements", of.device_elements, of.values * element_bytes);
  const void* witness = call.reads("witness", device_witness, of.wires * element_bytes);
  void* a = call.writes("a", device_a, of.rows * element_bytes);
  void* b = call.writes("b", device_b, of.rows * element_bytes);
  void* c = call.writes("c", device_c, of.rows * element_bytes);
  return call.queue([=] {
    return for_curve(curve, [&](auto p) {
      using P = decltype(p);
      using E = Element<P>;
      const Constraints<P> system{of.rows, of.parts, of.terms, of.values, of.wires, starts, parts, wires, codes,
                                  static_cast<const E*>(elements), static_cast<const E*>(witness)};
      PG_TRY(system.check());
      system.evaluate(static_cast<E*>(a), static_cast<E*>(b), static_cast<E*>(c));
      return success();
    });
  });
}

}  // extern "C"
