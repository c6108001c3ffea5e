// How sorted pairs are cut into chains, and how long these are. A slot is what adds up one chain at a time: a thread,
// or the lanes that hold a point together.
#pragma once

#include "msm_lanes.cuh"
#include "msm_plan.cuh"

namespace pg {

// Whether accumulation adds in affine rounds, set by measurement. In G1 they gain nothing over XYZZ additions, which keep
// the multiplier 96 % busy: an inversion costs about twenty products, and the rounds wait more for memory. Over Fp2 the
// inversion is still one in the prime field.
template <class F>
constexpr bool adds_in_rounds = F::components == 2;

constexpr int accumulate_threads = 128;

// Blocks of accumulation to keep on a multiprocessor: registers against latency, set by measurement.
template <class F>
constexpr int resident_blocks = F::Base::words == 8 ? 4 : 3;

constexpr int least_chain = 8;   // pairs that one slot adds up in a row
constexpr int chain_fan_in = 4;  // partial sums that one slot joins
constexpr uint32_t no_key = ~0u;

template <class F>
constexpr int most_chain = adds_in_rounds<F> ? 512 : 128;

// Slots that share the pairs, up to `most` of them. With rounds: those that the device holds at once, whole blocks.
template <class F>
__host__ __device__ constexpr uint64_t slots_for(uint64_t most) {
  if (!adds_in_rounds<F>) return enough_threads;
  constexpr uint64_t a_block = accumulate_threads / lanes<F>, resident = multiprocessors * resident_blocks<F>;
  const uint64_t blocks = (most + least_chain * a_block - 1) / (least_chain * a_block);
  return a_block * (blocks == 0 ? 1 : blocks < resident ? blocks : resident);
}

// The longest chain that keeps every slot busy, within bounds, such that all slots take equally many.
template <class F>
__host__ __device__ constexpr uint64_t chain_length(uint64_t pairs, uint64_t slots) {
  const uint64_t turns = (pairs + slots * most_chain<F> - 1) / (slots * most_chain<F>);
  const uint64_t even = turns ? (pairs + slots * turns - 1) / (slots * turns) : 0;
  return even < least_chain ? least_chain : even;
}

// Bounds for any number of pairs up to `most`: fewer may be cut into more chains, but never more than the slots' turns.
template <class F>
size_t longest_chain(size_t most) {
  const size_t even = ceil_div(long(most), long(slots_for<F>(most)));
  return even < least_chain ? least_chain : even < most_chain<F> ? (even + 1) / 2 * 2 : most_chain<F>;
}

template <class F>
size_t most_chains(size_t most) {
  const size_t slots = slots_for<F>(most), turns = ceil_div(long(most), long(slots) * most_chain<F>);
  const size_t shortest = ceil_div(long(most), least_chain);
  return slots * turns < shortest ? slots * turns : shortest;
}

// The plan's numbers that only the device knows.
struct Tally {
  uint64_t pairs;
  uint32_t chain;         // pairs per chain
  uint32_t chains_taken;  // so far, by accumulation in rounds
};

template <class F>
__global__ void choose_chain(Tally* tally, uint64_t slots) {
  tally->chain = uint32_t(chain_length<F>(tally->pairs, slots));
}

__device__ inline uint64_t chains_of(const Tally& tally, int level) {
  uint64_t count = (tally.pairs + tally.chain - 1) / tally.chain;
  for (; level > 0; level--) count = (count + chain_fan_in - 1) / chain_fan_in;
  return count;
}

}  // namespace pg
