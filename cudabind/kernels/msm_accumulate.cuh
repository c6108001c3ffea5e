// Sorted pairs to bucket sums, in equal shares whatever the scalars.
//
// The sorted pairs are cut into chains of equal length, a slot each, without regard to buckets. A run of equal keys
// that begins in a chain belongs to that slot, which writes the bucket; a run that began earlier leaves a "head": a
// partial sum and its key. The heads are sorted too, so they are joined by the same rule in chains of four, and
// again, until one slot sees all. A bucket with half the points is thus as parallel as a million
// buckets of sixteen.
#pragma once

#include "msm_rounds.cuh"

namespace pg {

template <class F>
__device__ __forceinline__ void prefetch(const Packed<F>* point) {
  const char* at = reinterpret_cast<const char*>(point);
#pragma unroll
  for (int i = 0; i < int(sizeof(Packed<F>)); i += 64) asm volatile("prefetch.global.L2 [%0];" ::"l"(at + i));
}

template <class F>
__global__ void __launch_bounds__(accumulate_threads, resident_blocks<F>)
    accumulate(const Packed<F>* bases, Pairs sorted, const Tally* tally, Xyzz<F>* buckets, Xyzz<F>* heads,
               uint32_t* head_keys) {
  const uint64_t t = uint64_t(blockIdx.x) * accumulate_threads + threadIdx.x;
  if (t >= chains_of(*tally, 0)) return;
  const uint64_t from = t * tally->chain, to = min(tally->pairs, from + tally->chain);
  uint32_t key = sorted.keys[from];
  bool head = from > 0 && sorted.keys[from - 1] == key;
  head_keys[t] = head ? key : no_key;
  Xyzz<F> sum = Xyzz<F>::infinity();
  uint32_t value = sorted.values[from];
  for (uint64_t i = from; i < to; i++) {
    const uint32_t next_value = i + 1 < to ? sorted.values[i + 1] : value;
    prefetch(bases + (next_value >> 1));
    sum.add(load_wide(bases + (value >> 1)), value & 1);
    value = next_value;
    const uint32_t next = i + 1 < to ? sorted.keys[i + 1] : no_key;
    if (next != key) {
      store_wide(head ? heads + t : buckets + key, sum);
      sum = Xyzz<F>::infinity();
      key = next;
      head = false;
    }
  }
}

constexpr int join_threads = 64;

// Joins the heads that level - 1 left behind.
template <class F>
__global__ void __launch_bounds__(join_threads)
    join_heads(const Xyzz<F>* heads, const uint32_t* keys, const Tally* tally, int level, Xyzz<F>* buckets,
               Xyzz<F>* heads_out, uint32_t* keys_out) {
  using L = Own<F>;
  const uint64_t t = (uint64_t(blockIdx.x) * join_threads + threadIdx.x) / lanes<F>;
  const uint64_t count = chains_of(*tally, level - 1), from = t * chain_fan_in;
  if (from >= count) return;
  const uint64_t to = min(count, from + chain_fan_in);
  uint32_t key = no_key;
  bool head = false;
  keys_out[t] = no_key;
  Xyzz<L> sum;
  for (uint64_t i = from; i < to; i++) {
    if (keys[i] == no_key) continue;
    if (keys[i] != key) {
      key = keys[i];
      head = i == from && from > 0 && keys[from - 1] == key;
      if (head) keys_out[t] = key;
      sum = head ? Xyzz<L>::infinity() : load_own<L>(buckets + key);
    }
    sum.add(load_own<L>(heads + i));
    if (i + 1 == to || keys[i + 1] != key) store_own<L>(head ? heads_out + t : buckets + key, sum);
  }
}

template <class F>
pg_error sum_buckets(cudaStream_t stream, const Packed<F>* bases, const Scratch<F>& s, Pairs sorted, const Windows& w,
                     size_t most) {
  PG_TRY_CUDA(cudaMemsetAsync(s.buckets, 0, w.buckets() * sizeof(Xyzz<F>), stream));
  long chains = long(most_chains<F>(most));
  if constexpr (adds_in_rounds<F>)
    PG_TRY(launch_rounds<F>(stream, bases, s, sorted, most));
  else
    PG_LAUNCH(accumulate<F>, ceil_div(chains, accumulate_threads), accumulate_threads, 0, stream, bases, sorted,
              s.tally, s.buckets, s.heads[0], s.head_keys[0]);
  for (int level = 1; chains > 1; level++) {
    const int in = (level - 1) % 2, out = level % 2;
    chains = ceil_div(chains, chain_fan_in);
    PG_LAUNCH(join_heads<F>, ceil_div(chains * lanes<F>, join_threads), join_threads, 0, stream, s.heads[in],
              s.head_keys[in], s.tally, level, s.buckets, s.heads[out], s.head_keys[out]);
  }
  return success();
}

}  // namespace pg
