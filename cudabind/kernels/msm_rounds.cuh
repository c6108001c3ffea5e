// Accumulation by affine additions: each slot halves its chain of sorted pairs in rounds (affine.cuh) as long as that
// pays, and adds up the rest of each run of equal keys in XYZZ form.
//
// A slot is what holds one chain at a time, a thread or two lanes; the grid has as many as the device holds at once, so
// that the lists need room for the chains under way and not for all. A warp that is through with its chains takes the
// next ones: those that wait longer for the multiplier than others fall behind otherwise, and are alone in the end.
#pragma once

#include "msm_scratch.cuh"
#include "msm_stage.cuh"

namespace pg {

// The number of the first of so many chains that nobody has taken yet, the same for all threads of a warp.
__device__ inline uint32_t take_chains(Tally* tally, uint32_t count) {
  uint32_t first = 0;
  if (threadIdx.x % 32 == 0) first = atomicAdd(&tally->chains_taken, count);
  return __shfl_sync(~0u, first, 0);
}

template <class F>
__global__ void __launch_bounds__(accumulate_threads, resident_blocks<F>)
    accumulate_in_rounds(const Packed<F>* bases, Pairs sorted, Tally* tally, Xyzz<F>* buckets, Xyzz<F>* heads,
                         uint32_t* head_keys, Lists<F> lists) {
  using L = Own<F>;
  constexpr uint32_t at_once = 32 / lanes<F>;
  const uint32_t thread = blockIdx.x * accumulate_threads + threadIdx.x, threads = gridDim.x * accumulate_threads;
  const uint64_t pairs = tally->pairs, length = tally->chain, chains = chains_of(*tally, 0);
  const Target<L> list = lists.list(thread, threads);
  const Work<L> work = lists.work(thread, threads);
  extern __shared__ uint4 stage_memory[];
  Stage<L> stage(stage_memory);
  for (uint64_t first; (first = take_chains(tally, at_once)) < chains;) {
    const uint64_t t = first + threadIdx.x % 32 / lanes<F>;
    const uint64_t from = min(pairs, t * length), to = min(pairs, from + length);
    bool head = from < to && from > 0 && sorted.keys[from - 1] == sorted.keys[from];
    if (t < chains) head_keys[t] = head ? sorted.keys[from] : no_key;
    const auto flush = [&](uint32_t key, const Xyzz<L>& sum) {
      store_own<L>(head ? heads + t : buckets + key, sum);
      head = false;
    };
    Runs runs = Runs::of(sorted.keys + from, int(to - from), lists.starts + thread, threads);
    Source<L> source = Source<L>::chain(sorted.values + from, bases);
    int count = int(to - from);
    while (worth_a_round(count, runs.pairs(), list_room(length))) {
      count = add_neighbours<L>(source, runs, count, list, work, stage);
      source = Source<L>::list(list);
    }
    sum_runs_of<L>(source, runs, count, stage, flush);
  }
}

template <class F>
pg_error launch_rounds(cudaStream_t stream, const Packed<F>* bases, const Scratch<F>& s, Pairs sorted, size_t most) {
  const int shared = int(Stage<Own<F>>::bytes), blocks = int(slots_for<F>(most) * lanes<F> / accumulate_threads);
  PG_TRY_CUDA(cudaFuncSetAttribute(accumulate_in_rounds<F>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  PG_LAUNCH(accumulate_in_rounds<F>, blocks, accumulate_threads, shared, stream, bases, sorted, s.tally, s.buckets,
            s.heads[0], s.head_keys[0], s.lists);
  return success();
}

}  // namespace pg
