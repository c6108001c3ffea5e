// The shape of one multi-scalar multiplication: windows, buckets, and where everything lies in the scratch.
//
// A scalar, or its negative if that is smaller, is cut into windows of c bits, as signed digits -2^(c-1) .. 2^(c-1): a
// digit d of window w adds the point to bucket |d|, negated if d < 0. With `copies` precomputed multiples of each base,
// window w uses copy w / sets and the buckets of set w mod sets; without, every window is its own set.
#pragma once

#include "curve.cuh"
#include "sort.cuh"

namespace pg {

constexpr int scalar_bits_of(int group) { return group == PG_BN254_G1 || group == PG_BN254_G2 ? 254 : 255; }

struct Windows {
  int bits;    // c
  int count;   // of windows
  int sets;    // of buckets
  int copies;

  static Windows of(const pg_msm_config& config) {
    Windows w;
    w.bits = config.window_bits;
    w.count = int(ceil_div(scalar_bits_of(config.group), w.bits));  // one bit less by the sign, one more for a carry
    w.copies = config.copies < 1 ? 1 : config.copies;
    w.sets = int(ceil_div(w.count, w.copies));
    return w;
  }

  __host__ __device__ int bucket_bits() const { return bits - 1; }
  __host__ __device__ size_t buckets() const { return size_t(sets) << bucket_bits(); }
  int key_bits() const {
    int bits_needed = bucket_bits();
    while ((size_t(1) << bits_needed) < buckets()) bits_needed++;
    return bits_needed;
  }
};

constexpr int multiprocessors = 132;  // of the largest device this is tuned for; a smaller one runs more waves
constexpr long enough_threads = multiprocessors * 1024l;

// Bucket sums to a window sum: first 2^log_run neighbouring buckets by one thread, then a binary tree.
struct Reduction {
  int log_run;
  int levels;

  // Runs save memory when there are buckets enough to keep every thread busy, and cost latency otherwise; two sums of
  // G2 at once do not fit in a thread's registers.
  template <class F>
  static Reduction of(const Windows& w) {
    const long runs = long(w.buckets() >> 4);
    Reduction r;
    r.log_run = F::components == 1 && runs >= enough_threads ? 4 : 0;
    if (r.log_run > w.bucket_bits()) r.log_run = w.bucket_bits();
    r.levels = w.bucket_bits() - r.log_run;
    return r;
  }

  __host__ __device__ bool has_runs() const { return log_run > 0; }
  // Columns of the tree at a level: sums weighted within runs (if any), one per bit so far, plain sums.
  __host__ __device__ int columns(int level) const { return level + 1 + (has_runs() ? 1 : 0); }
  // Of the tree's arrays: the widest level holds at most this many points.
  size_t points(const Windows& w) const {
    size_t widest = 0;
    for (int level = 0; level <= levels; level++) {
      const size_t here = size_t(columns(level)) * (w.buckets() >> (log_run + level));
      widest = here > widest ? here : widest;
    }
    return widest;
  }
  int result_columns() const { return columns(levels); }
};

}  // namespace pg
