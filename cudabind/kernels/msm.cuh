// What msm_<group>.cu compiles and library.cu calls: multi-scalar multiplication in one group.
#pragma once

#include "launch.cuh"

namespace pg {

// F: the coordinates' field; P: the scalars'.
template <class F, class P>
struct Msm {
  static int best_window_bits(size_t n, int copies);
  static int useful_copies(const pg_msm_config& config);
  static size_t scratch_bytes(const pg_msm_config& config, size_t n);
  static size_t result_bytes(const pg_msm_config& config);
  static pg_error start(cudaStream_t, const pg_msm_config& config, size_t n, const void* bases, const void* scalars,
                        void* scratch, void* result);
  static pg_error finish(const pg_msm_config& config, const void* result, void* point);

  static size_t table_scratch_bytes(size_t n);
  static pg_error build_table(cudaStream_t, const pg_msm_config& config, size_t n, const void* bases, void* table,
                              void* scratch);
  static size_t fixed_base_scratch_bytes(size_t n);
  static pg_error fixed_base(cudaStream_t, size_t n, const void* base, const void* scalars, bool montgomery,
                             void* scratch, void* out);
};

}  // namespace pg
