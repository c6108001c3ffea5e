// Accumulation by affine additions: each thread halves its chain of sorted pairs in rounds (affine.cuh) as long as that
// pays, and adds up the rest of each run of equal keys in XYZZ form.
//
// The threads of the grid are slots, as many as the device holds at once. Each takes one chain after the other, so that
// the lists need room for the chains under way and not for all.
#pragma once

#include "msm_scratch.cuh"
#include "msm_stage.cuh"

namespace pg {

template <class F>
__global__ void __launch_bounds__(accumulate_threads, resident_blocks<F>)
    accumulate_in_rounds(const Packed<F>* bases, Pairs sorted, const Tally* tally, Xyzz<F>* buckets, Xyzz<F>* heads,
                         uint32_t* head_keys, Lists<F> lists) {
  const uint32_t slot = blockIdx.x * accumulate_threads + threadIdx.x, slots = gridDim.x * accumulate_threads;
  const uint64_t chains = chains_of(*tally, 0);
  const Target<F> list = lists.list(slot, slots);
  const Work<F> work = lists.work(slot, slots);
  extern __shared__ uint4 stage_memory[];
  Stage<F> stage(stage_memory);
  for (uint64_t t = slot; t - threadIdx.x % 32 < chains; t += slots) {  // whole warps, for their votes
    const uint64_t from = min(tally->pairs, t * tally->chain), to = min(tally->pairs, from + tally->chain);
    int count = int(to - from);
    bool head = count > 0 && from > 0 && sorted.keys[from - 1] == sorted.keys[from];
    if (t < chains) head_keys[t] = head ? sorted.keys[from] : no_key;
    const auto flush = [&](uint32_t key, const Xyzz<F>& sum) {
      store_wide(head ? heads + t : buckets + key, sum);
      head = false;
    };
    Source<F> source{sorted.keys + from, sorted.values + from, bases, 1};
    while (worth_pairing(source, count)) {
      count = add_neighbours<F>(source, count, list, work, stage);
      source = Source<F>::list(list);
    }
    sum_runs_of<F>(source, count, stage, flush);
  }
}

template <class F>
pg_error launch_rounds(cudaStream_t stream, const Packed<F>* bases, const Scratch<F>& s, Pairs sorted, size_t most) {
  const int shared = int(Stage<F>::bytes);
  PG_TRY_CUDA(cudaFuncSetAttribute(accumulate_in_rounds<F>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  PG_LAUNCH(accumulate_in_rounds<F>, slots_for<F>(most) / accumulate_threads, accumulate_threads, shared, stream, bases,
            sorted, s.tally, s.buckets, s.heads[0], s.head_keys[0], s.lists);
  return success();
}

}  // namespace pg
