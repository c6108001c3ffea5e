// What the interface does in one group of points, whichever: a table of functions, filled in once for each.
#pragma once

#include "windows.h"

namespace standin {

struct Group {
  size_t (*scratch_bytes)(const pg_msm_config& config, size_t n);
  size_t (*result_bytes)(const pg_msm_config& config);
  pg_error (*sum)(const pg_msm_config& config, size_t n, const void* bases, const void* scalars, void* scratch,
                  void* result);
  pg_error (*finish)(const pg_msm_config& config, const void* result, void* point);

  size_t (*table_scratch_bytes)(size_t n);
  pg_error (*build_table)(const pg_msm_config& config, size_t n, const void* bases, void* table, void* scratch);

  size_t (*fixed_base_scratch_bytes)(size_t n);
  pg_error (*multiply)(size_t n, const void* base, const void* scalars, bool montgomery, void* scratch, void* out);
};

extern const Group bn254_g1, bn254_g2, bls12_381_g1, bls12_381_g2;

}  // namespace standin
