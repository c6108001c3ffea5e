// The shape of one multi-scalar multiplication, and its results' form.
//
// A scalar is cut into `count` windows of `bits`. With precomputed copies of the bases, window w takes copy w / sets
// and the buckets of set w mod sets; copy j of a base is 2^(j bits sets) times it.
#pragma once

#include "errors.h"

namespace standin {

constexpr size_t rounded_up(size_t bytes) { return (bytes + 255) / 256 * 256; }

inline int scalar_bits(int32_t group) { return group == PG_BN254_G1 || group == PG_BN254_G2 ? 254 : 255; }

struct Windows {
  int bits, count, sets, copies;

  static Windows of(const pg_msm_config& config) {
    Windows w;
    w.bits = config.window_bits;
    w.copies = config.copies;
    w.count = (scalar_bits(config.group) + w.bits - 1) / w.bits;
    w.sets = (w.count + w.copies - 1) / w.copies;
    return w;
  }

  size_t buckets() const { return size_t(1) << bits; }  // of one set; the first, for digit 0, is not used
  int used_copies() const { return (count + sets - 1) / sets; }
};

// What begins a result: written last, so that one read too early is refused by pg_msm_finish.
struct alignas(16) SumTag {
  char maker[16];
  int32_t group, bits, copies, sets;

  static SumTag of(const pg_msm_config& config) {
    SumTag t{};
    std::snprintf(t.maker, sizeof t.maker, "pg_msm_start");
    t.group = config.group;
    t.bits = config.window_bits;
    t.copies = config.copies;
    t.sets = Windows::of(config).sets;
    return t;
  }
};

inline pg_error check_sum_tag(const SumTag& found, const SumTag& wanted) {
  REFUSE_UNLESS(std::memcmp(found.maker, wanted.maker, sizeof found.maker) == 0,
                "result holds no sum: was the stream waited for?");
  REFUSE_UNLESS(std::memcmp(&found, &wanted, sizeof found) == 0, "result is the sum of another config");
  return success();
}

}  // namespace standin
