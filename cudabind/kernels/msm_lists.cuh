// The lists that accumulation halves: as sorted pairs that point at bases, and as points in the scratch.
#pragma once

#include "affine.cuh"
#include "msm_chains.cuh"

namespace pg {

// A coordinate as it lies in memory, read and written 16 bytes at a time.
template <class F>
struct PG_ALIGN(16) Coordinate {
  uint32_t w[Packed<F>::coordinate_words];
};

// A list of one slot in the scratch; those of all slots are interleaved, so that threads side by side read and write
// side by side.
template <class F>
struct Target {
  uint32_t* keys;
  Packed<F>* points;
  uint32_t slots;

  __device__ void put(int i, uint32_t key, const Packed<F>& p) const {
    keys[i * slots] = key;
    store_wide(points + i * slots, p);
  }
};

// What a round reads: first a chain of sorted pairs, where a value is twice the index of a base, plus one to subtract
// it, later the slot's list. One type for both, because the code of a round is long and the instruction cache short.
template <class F>
struct Source {
  const uint32_t *keys, *values;  // values: null for a list
  const Packed<F>* points;
  uint32_t slots;                 // 1 for a chain

  __device__ static Source list(const Target<F>& t) { return {t.keys, nullptr, t.points, t.slots}; }

  __device__ uint32_t key(int i) const { return keys[i * slots]; }
  __device__ const Packed<F>* place(int i) const { return points + (values ? values[i] >> 1 : i * slots); }
  __device__ bool is_negative(int i) const { return values && values[i] & 1; }
  __device__ Packed<F> point(int i) const {
    const Packed<F> p = load_wide(place(i));
    return is_negative(i) ? negated(p) : p;
  }
};

// The pairs of a round: where each begins, and the product of the divisors of those after it.
template <class F>
struct Work {
  uint32_t* begins;
  Coordinate<F>* products;
  uint32_t slots;

  __device__ int at(int i) const { return int(begins[i * slots]); }
  __device__ const Coordinate<F>* product(int i) const { return products + i * slots; }
  __device__ void put(int i, int begin, const F& product) const {
    begins[i * slots] = begin;
    Coordinate<F> c;
    product.store(c.w);
    store_wide(products + i * slots, c);
  }
};

// Every slot's list and work. A slot is a thread of the accumulation, which takes one chain after the other.
template <class F>
struct Lists {
  uint32_t *keys, *begins;
  Packed<F>* points;
  Coordinate<F>* products;

  static Lists carve(Carver& c, size_t most) {
    const size_t elements = slots_for<F>(most) * longest_chain<F>(most);
    Lists l;
    l.keys = c.take<uint32_t>(elements);
    l.points = c.take<Packed<F>>(elements);
    l.begins = c.take<uint32_t>(elements / 2);
    l.products = c.take<Coordinate<F>>(elements / 2);
    return l;
  }

  __device__ Target<F> list(uint32_t slot, uint32_t slots) const { return {keys + slot, points + slot, slots}; }
  __device__ Work<F> work(uint32_t slot, uint32_t slots) const { return {begins + slot, products + slot, slots}; }
};

// An inversion costs about as much as it saves with this many pairs.
constexpr int least_pairs = 8;

// Whether the warp's lists have pairs enough for another round.
template <class List>
__device__ bool worth_pairing(const List& list, int count) {
  return __reduce_add_sync(~0u, uint32_t(count_pairs(list, count))) >= 32 * least_pairs;
}

}  // namespace pg
