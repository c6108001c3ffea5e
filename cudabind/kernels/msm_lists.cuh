// The lists that accumulation halves: as sorted pairs that point at bases, and as points in the scratch.
//
// In the scratch a thread's list is its share of each point. The lists of all threads are interleaved, 16 bytes of each
// side by side, so that a warp reads and writes whole sectors.
#pragma once

#include "affine.cuh"
#include "msm_chains.cuh"

namespace pg {

// A list of one thread in the scratch.
template <class L>
struct Target {
  uint4* points;
  uint32_t threads;

  __device__ void put(int i, const Packed<L>& p) const {
    const uint4* source = reinterpret_cast<const uint4*>(&p);
    uint4* target = points + size_t(i) * 2 * chunks<L> * threads;
#pragma unroll
    for (int k = 0; k < 2 * chunks<L>; k++) target[size_t(k) * threads] = source[k];
  }
};

// What a round reads: first a chain of sorted pairs, where a value is twice the index of a base, plus one to subtract
// it, later the thread's list. One type for both, because the code of a round is long and the instruction cache short.
// References are such values.
template <class L>
struct Source {
  const uint32_t* values;     // null for a list
  const uint4* points;        // from the first chunk that is this thread's
  uint32_t step, point_step;  // from chunk to chunk, and from point to point

  __device__ static Source chain(const uint32_t* values, const Packed<typename L::Whole>* bases) {
    return {values, own_chunks<L>(bases), 1, 2 * chunks<typename L::Whole>};
  }
  __device__ static Source list(const Target<L>& t) {
    return {nullptr, t.points, t.threads, 2 * chunks<L> * t.threads};
  }

  __device__ uint32_t reference(int i) const { return values ? values[i] : 2 * i; }
  __device__ static bool is_negative(uint32_t reference) { return reference & 1; }
  __device__ const uint4* x_place(uint32_t reference) const { return points + size_t(reference >> 1) * point_step; }
  __device__ const uint4* y_place(uint32_t reference) const { return x_place(reference) + point_step / 2; }
  __device__ Packed<L> point(uint32_t reference) const {
    Packed<L> p;
    uint4* target = reinterpret_cast<uint4*>(&p);
#pragma unroll
    for (int k = 0; k < chunks<L>; k++) {
      target[k] = x_place(reference)[size_t(k) * step];
      target[k + chunks<L>] = y_place(reference)[size_t(k) * step];
    }
    return is_negative(reference) ? negated(p) : p;
  }
};

// For each pair of a round, the product of the divisors of those after it.
template <class L>
struct Work {
  uint4* products;
  uint32_t threads;

  __device__ uint4* place(int i) const { return products + size_t(i) * chunks<L> * threads; }
  __device__ void put(int i, const L& product) const {
    PG_ALIGN(16) uint32_t words[sizeof(L) / 4];
    product.store(words);
#pragma unroll
    for (int k = 0; k < chunks<L>; k++) place(i)[size_t(k) * threads] = reinterpret_cast<const uint4*>(words)[k];
  }
};

// Points that a list has room for: what the first round leaves of a chain, unless its runs are shorter than four on
// average. Rounds gain little then.
PG_HD size_t list_room(size_t chain) { return chain * 5 / 8; }

// Every thread's list, work and runs. The threads are those of the accumulation, which takes one chain after the other.
template <class F>
struct Lists {
  uint4 *points, *products;
  uint32_t* starts;

  static Lists carve(Carver& c, size_t most) {
    const size_t threads = slots_for<F>(most) * lanes<F>, longest = longest_chain<F>(most);
    Lists l;
    l.points = c.take<uint4>(threads * list_room(longest) * 2 * chunks<Own<F>>);
    l.starts = c.take<uint32_t>(threads * (longest + 1));
    l.products = c.take<uint4>(threads * (longest / 2) * chunks<Own<F>>);
    return l;
  }

  __device__ Target<Own<F>> list(uint32_t thread, uint32_t threads) const {
    return {points + thread, threads};
  }
  __device__ Work<Own<F>> work(uint32_t thread, uint32_t threads) const {
    return {products + thread, threads};
  }
};

// An inversion costs about as much as it saves with this many pairs.
constexpr int least_pairs = 8;

// Whether the warp's lists have pairs enough for another round, and room for what it leaves.
__device__ inline bool worth_a_round(int count, int pairs, size_t room) {
  return __all_sync(~0u, count - pairs <= int(room)) && __reduce_add_sync(~0u, uint32_t(pairs)) >= 32 * least_pairs;
}

}  // namespace pg
