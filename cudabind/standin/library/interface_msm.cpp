// The interface: multi-scalar multiplication, its tables, and multiples of one point.
#include <array>

#include "curves.h"
#include "faults.h"
#include "group.h"
#include "operation.h"

using namespace standin;

namespace {

constexpr size_t scalar_bytes = 32;

const Group& group_of(int32_t group) {
  switch (group) {
    case PG_BN254_G1: return bn254_g1;
    case PG_BN254_G2: return bn254_g2;
    case PG_BLS12_381_G1: return bls12_381_g1;
    default: return bls12_381_g2;
  }
}

pg_error check_config(const pg_msm_config* config) {
  REFUSE_UNLESS(config, "config is null");
  PG_TRY(check_group(config->group));
  REFUSE_UNLESS(2 <= config->window_bits && config->window_bits <= 23, "window_bits is %d, not 2 to 23: configure first",
                config->window_bits);
  REFUSE_UNLESS(1 <= config->copies && config->copies <= 64, "copies is %d, not 1 to 64", config->copies);
  return success();
}

// The fewest additions: one a digit, two a bucket.
int best_window_bits(pg_msm_config config, size_t n) {
  int best = 2;
  double least = 1e300;
  for (config.window_bits = 2; config.window_bits <= 16; config.window_bits++) {
    const Windows w = Windows::of(config);
    const double cost = double(n) * w.count + 2.0 * double(w.buckets()) * w.sets;
    if (cost >= least) continue;
    least = cost;
    best = config.window_bits;
  }
  return best;
}

}  // namespace

extern "C" {

pg_error pg_msm_configure(pg_msm_config* config, size_t n) {
  PG_TRY(enter(__func__));
  REFUSE_UNLESS(config, "config is null");
  PG_TRY(check_group(config->group));
  if (config->copies < 1) config->copies = 1;
  if (config->window_bits == 0) config->window_bits = best_window_bits(*config, n);
  PG_TRY(check_config(config));
  config->copies = Windows::of(*config).used_copies();
  return success();
}

size_t pg_msm_scratch_bytes(const pg_msm_config* config, size_t n) {
  return check_config(config).code ? 0 : group_of(config->group).scratch_bytes(*config, n);
}

size_t pg_msm_result_bytes(const pg_msm_config* config) {
  return check_config(config).code ? 0 : group_of(config->group).result_bytes(*config);
}

pg_error pg_msm_start(pg_stream* stream, const pg_msm_config* config, size_t n, const void* device_bases,
                      const void* device_scalars, void* device_scratch, void* host_result) {
  Operation call(stream, __func__);
  PG_TRY(check_config(config));
  PG_TRY(check_count(n));
  REFUSE_UNLESS(n * size_t(config->copies) < size_t(1) << 31, "%zu points in %d copies are too many", n,
                config->copies);
  const size_t base_bytes = n * size_t(config->copies) * point_bytes(config->group);
  const void* bases = call.reads("bases", device_bases, base_bytes);
  const void* scalars = call.reads("scalars", device_scalars, n * scalar_bytes);
  void* scratch = call.writes("scratch", device_scratch, n ? pg_msm_scratch_bytes(config, n) : 0, table_alignment);
  void* result = call.writes_host("result", host_result, pg_msm_result_bytes(config));
  return call.queue([=, config = *config] {
    return group_of(config.group).sum(config, n, bases, scalars, scratch, result);
  });
}

pg_error pg_msm_finish(const pg_msm_config* config, const void* host_result, void* host_point) {
  PG_TRY(enter(__func__));
  PG_TRY(check_config(config));
  REFUSE_UNLESS(host_result && host_point, "result or point is null");
  return group_of(config->group).finish(*config, host_result, host_point);
}

size_t pg_msm_table_scratch_bytes(const pg_msm_config* config, size_t n) {
  return check_config(config).code ? 0 : group_of(config->group).table_scratch_bytes(n);
}

pg_error pg_msm_table_build(pg_stream* stream, const pg_msm_config* config, size_t n, const void* device_bases,
                            void* device_table, void* device_scratch) {
  Operation call(stream, __func__);
  PG_TRY(check_config(config));
  PG_TRY(check_count(n));
  const size_t bytes = n * point_bytes(config->group);
  const void* bases = call.reads("bases", device_bases, bytes);
  void* table = call.writes("table", device_table, bytes * size_t(config->copies));
  void* scratch = call.writes("scratch", device_scratch, n ? pg_msm_table_scratch_bytes(config, n) : 0, table_alignment);
  return call.queue([=, config = *config] {
    return n ? group_of(config.group).build_table(config, n, bases, table, scratch) : success();
  });
}

size_t pg_fixed_base_scratch_bytes(int32_t group, size_t n) {
  return check_group(group).code ? 0 : group_of(group).fixed_base_scratch_bytes(n);
}

pg_error pg_fixed_base_start(pg_stream* stream, int32_t group, size_t n, const void* host_base,
                             const void* device_scalars, int32_t scalars_montgomery, void* device_scratch,
                             void* device_out) {
  Operation call(stream, __func__);
  PG_TRY(check_group(group));
  PG_TRY(check_count(n));
  REFUSE_UNLESS(host_base, "base is null");
  std::array<char, 192> base;  // room for a point of any group
  std::memcpy(base.data(), host_base, point_bytes(group));
  const void* scalars = call.reads("scalars", device_scalars, n * scalar_bytes);
  void* scratch = call.writes("scratch", device_scratch, n ? pg_fixed_base_scratch_bytes(group, n) : 0, table_alignment);
  void* out = call.writes("out", device_out, n * point_bytes(group));
  return call.queue([=] {
    return n ? group_of(group).multiply(n, base.data(), scalars, scalars_montgomery != 0, scratch, out) : success();
  });
}

}  // extern "C"
