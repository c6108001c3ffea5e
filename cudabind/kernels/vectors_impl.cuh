// Definitions of vectors.cuh, included by the one translation unit of each field.
#pragma once

#include "evaluate.cuh"
#include "ntt.cuh"
#include "vectors.cuh"

namespace pg {

template <class P>
size_t Vectors<P>::table_bytes(int log_n) {
  return Twiddles<P>::bytes(log_n);
}

template <class P>
pg_error Vectors<P>::build_table(cudaStream_t stream, int log_n, const void* root, void* table) {
  return build_twiddles<P>(stream, log_n, root, table);
}

template <class P>
size_t Vectors<P>::powers_bytes(int log_n) {
  return Powers<P>::bytes(log_n);
}

template <class P>
pg_error Vectors<P>::build_powers(cudaStream_t stream, int log_n, const void* base, const void* factor,
                                  void* powers) {
  return pg::build_powers<P>(stream, log_n, base, factor, powers);
}

template <class P>
pg_error Vectors<P>::pointwise(cudaStream_t stream, int operation, size_t n, const void* a, const void* b,
                               const void* c, void* out) {
  return pg::pointwise<P>(stream, operation, n, a, b, c, out);
}

template <class P>
pg_error Vectors<P>::ntt(cudaStream_t stream, int log_n, const void* table, int direction, int order,
                         const void* powers, void* data) {
  return pg::ntt<P>(stream, log_n, table, direction, order, powers, data);
}

template <class P>
pg_error Vectors<P>::bit_reverse(cudaStream_t stream, int log_n, void* data) {
  return pg::bit_reverse(stream, log_n, static_cast<Element<P>*>(data));
}

template <class P>
pg_error Vectors<P>::quotient(cudaStream_t stream, int log_n, const void* table, const void* forth,
                              const void* back, bool canonical, void* a, void* b, void* c) {
  return pg::quotient<P>(stream, log_n, table, forth, back, canonical, a, b, c);
}

template <class P>
pg_error Vectors<P>::evaluate(cudaStream_t stream, const pg_constraints& of, const void* witness, void* a, void* b,
                              void* c) {
  return pg::evaluate<P>(stream, of, witness, a, b, c);
}

}  // namespace pg
