// What vectors_<curve>.cu compiles and library.cu calls: vector operations, transforms and rows of constraints over one
// scalar field.
#pragma once

#include "launch.cuh"
#include "moduli.cuh"

namespace pg {

template <class P>
struct Vectors {
  static size_t table_bytes(int log_n);
  static pg_error build_table(cudaStream_t, int log_n, const void* root, void* table);
  static size_t powers_bytes(int log_n);
  static pg_error build_powers(cudaStream_t, int log_n, const void* base, const void* factor, void* powers);
  static pg_error pointwise(cudaStream_t, int operation, size_t n, const void* a, const void* b, const void* c,
                            void* out);
  static pg_error ntt(cudaStream_t, int log_n, const void* table, int direction, int order, const void* powers,
                      void* data);
  static pg_error bit_reverse(cudaStream_t, int log_n, void* data);
  static pg_error quotient(cudaStream_t, int log_n, const void* table, const void* forth, const void* back,
                           bool canonical, void* a, void* b, void* c);
  static pg_error evaluate(cudaStream_t, const pg_constraints& of, const void* witness, void* a, void* b, void* c);
};

}  // namespace pg
