// Definitions of msm.cuh, included by the one translation unit of each group.
//
// scalars -> emit_pairs -> sort_pairs -> sum_buckets -> reduce_buckets -> (host) finish
#pragma once

#include <cstring>

#include "msm.cuh"
#include "msm_accumulate.cuh"
#include "msm_digits.cuh"
#include "msm_reduce.cuh"
#include "msm_tables.cuh"

namespace pg {

// The window that costs the fewest multiplications: 10 for each pair's addition, 14 for each of a bucket's two. Small
// ones cost latency instead, of which more buckets bring more.
template <class F, class P>
int Msm<F, P>::best_window_bits(size_t n, int copies) {
  int best = 4;
  double least = 1e300;
  for (int bits = 4; bits <= 23; bits++) {
    pg_msm_config config{};
    config.group = PG_BLS12_381_G1;
    config.window_bits = bits;
    config.copies = copies;
    const Windows w = Windows::of(config);
    const double cost = 10.0 * double(n) * w.count + 28.0 * double(w.buckets());
    if (cost < least) {
      least = cost;
      best = bits;
    }
  }
  return best;
}

// The copies that some window uses, when every set of buckets has as many windows as `copies` allows.
template <class F, class P>
int Msm<F, P>::useful_copies(const pg_msm_config& config) {
  const Windows w = Windows::of(config);
  return int(ceil_div(w.count, w.sets));
}

template <class F, class P>
size_t Msm<F, P>::scratch_bytes(const pg_msm_config& config, size_t n) {
  return Scratch<F>::carve(nullptr, Windows::of(config), n).bytes;
}

template <class F, class P>
size_t Msm<F, P>::result_bytes(const pg_msm_config& config) {
  const Windows w = Windows::of(config);
  return sizeof(Xyzz<F>) * w.sets * Reduction::of<F>(w).result_columns();
}

template <class F, class P>
pg_error Msm<F, P>::start(cudaStream_t stream, const pg_msm_config& config, size_t n, const void* bases,
                          const void* scalars, void* scratch, void* result) {
  const Windows w = Windows::of(config);
  const size_t most = n * w.count;
  PG_REQUIRE(n * w.copies < size_t(1) << 31);  // a pair's value is an index and a sign
  PG_REQUIRE(most < size_t(1) << 32);
  if (n == 0) {
    std::memset(result, 0, result_bytes(config));  // infinity, in every part
    return success();
  }
  const Scratch<F> s = Scratch<F>::carve(scratch, w, n);
  PG_TRY_CUDA(cudaMemsetAsync(s.tally, 0, sizeof(Tally), stream));
  PG_LAUNCH((emit_pairs<F, P>), ceil_div(long(n), digit_threads), digit_threads, 0, stream,
            static_cast<const Packed<F>*>(bases), static_cast<const Element<P>*>(scalars), n,
            config.scalars_montgomery != 0, w, s.pairs, s.tally);
  PG_LAUNCH(choose_chain<F>, 1, 1, 0, stream, s.tally, slots_for<F>(most));
  Pairs sorted;
  PG_TRY(sort_pairs(stream, s.pairs, s.spare, &s.tally->pairs, most, w.key_bits(), s.counts, &sorted));
  PG_TRY(sum_buckets(stream, static_cast<const Packed<F>*>(bases), s, sorted, w, most));
  const Xyzz<F>* sums;
  PG_TRY(reduce_buckets(stream, s, w, &sums));
  PG_TRY_CUDA(cudaMemcpyAsync(result, sums, result_bytes(config), cudaMemcpyDeviceToHost, stream));
  return success();
}

// Horner's rule over the bit positions: T_j of set k weighs 2^(c k + log_run + j), W (or S without runs) 2^(c k).
template <class F, class P>
pg_error Msm<F, P>::finish(const pg_msm_config& config, const void* result, void* point) {
  const Windows w = Windows::of(config);
  const Reduction r = Reduction::of<F>(w);
  const auto sums = static_cast<const Xyzz<F>*>(result);
  const int first_bit_column = r.has_runs() ? 1 : 0, unit_column = r.has_runs() ? 0 : r.levels;
  Xyzz<F> total = Xyzz<F>::infinity();
  for (int set = w.sets - 1; set >= 0; set--) {
    for (int position = w.bits - 1; position >= 0; position--) {
      total.double_in_place();
      const int bit = position - r.log_run;
      if (bit >= 0 && bit < r.levels) total.add(sums[(first_bit_column + bit) * w.sets + set]);
    }
    total.add(sums[unit_column * w.sets + set]);
  }
  to_packed(total, static_cast<Packed<F>*>(point));
  return success();
}

template <class F, class P>
size_t Msm<F, P>::table_scratch_bytes(size_t n) {
  return ChunkScratch<F>::carve(nullptr, n, 0).bytes;
}

template <class F, class P>
pg_error Msm<F, P>::build_table(cudaStream_t stream, const pg_msm_config& config, size_t n, const void* bases,
                                void* table, void* scratch) {
  return pg::build_table(stream, Windows::of(config), n, static_cast<const Packed<F>*>(bases),
                         static_cast<Packed<F>*>(table), scratch);
}

template <class F, class P>
size_t Msm<F, P>::fixed_base_scratch_bytes(size_t n) {
  return ChunkScratch<F>::carve(nullptr, n, fixed_multiples).bytes;
}

template <class F, class P>
pg_error Msm<F, P>::fixed_base(cudaStream_t stream, size_t n, const void* base, const void* scalars, bool montgomery,
                               void* scratch, void* out) {
  Packed<F> generator;
  for (int i = 0; i < Packed<F>::words; i++) generator.w[i] = static_cast<const uint32_t*>(base)[i];
  return pg::fixed_base(stream, n, generator, static_cast<const Element<P>*>(scalars), montgomery, scratch,
                        static_cast<Packed<F>*>(out));
}

}  // namespace pg
