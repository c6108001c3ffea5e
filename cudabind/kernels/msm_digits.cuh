// Scalars to (bucket, point) pairs, only for digits that are not zero and bases that are not infinite.
#pragma once

#include "element.cuh"
#include "msm_chains.cuh"

namespace pg {

// Reads signed digits of a scalar, least significant window first: those of w, or of -w if `negative`.
struct DigitReader {
  uint32_t w[8];
  int carry = 0;
  bool negative = false;

  __device__ bool is_zero() const { return (w[0] | w[1] | w[2] | w[3] | w[4] | w[5] | w[6] | w[7]) == 0; }

  __device__ int next(int bits) {
    int digit = int(w[0] & ((1u << bits) - 1)) + carry;
#pragma unroll
    for (int i = 0; i < 8; i++) w[i] = __funnelshift_r(w[i], i < 7 ? w[i + 1] : 0, bits);
    carry = digit > (1 << (bits - 1));
    digit -= carry << bits;
    return negative ? -digit : digit;
  }
};

// s or r - s, whichever is smaller, which saves the digits a bit.
template <class P>
__device__ void halve(DigitReader& reader) {
  constexpr Constants<P> c = constants<P>;
  uint32_t other[8], unused[8];
  subtract_words<8>(other, c.modulus, reader.w);
  reader.negative = subtract_words<8>(unused, other, reader.w);
  if (reader.negative)
#pragma unroll
    for (int i = 0; i < 8; i++) reader.w[i] = other[i];
}

template <class P>
__device__ DigitReader read_scalar(const Element<P>* scalars, size_t i, size_t n, bool montgomery) {
  DigitReader reader{};
  if (i >= n) return reader;
  Element<P> scalar = load_wide(scalars + i);
  if (montgomery) {
    (Field<P>::loaded(scalar.w) * Field<P>::plain_one()).store(scalar.w);
  }
#pragma unroll
  for (int j = 0; j < 8; j++) reader.w[j] = scalar.w[j];
  halve<P>(reader);
  return reader;
}

constexpr int digit_threads = 256;

// Where this warp's pairs begin: one atomic addition a block, so the order of blocks varies from run to run; the
// sums do not depend on it.
__device__ inline uint64_t reserve_for_warp(uint32_t pairs_of_warp, Tally* tally) {
  __shared__ uint32_t warp_pairs[digit_threads / 32];
  __shared__ uint64_t block_start;
  const int warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) warp_pairs[warp] = pairs_of_warp;
  __syncthreads();
  uint32_t before = 0, all = 0;
  for (int i = 0; i < digit_threads / 32; i++) {
    before += i < warp ? warp_pairs[i] : 0;
    all += warp_pairs[i];
  }
  if (threadIdx.x == 0)
    block_start = all ? atomicAdd(reinterpret_cast<unsigned long long*>(&tally->pairs), (unsigned long long)all) : 0;
  __syncthreads();
  return block_start + before;
}

// Keys' queries hold many bases at infinity, whose digits need no pairs. One sector tells, of nearly all the others.
template <class F>
__device__ bool is_infinite(const Packed<F>* base) {
  const uint4 first = *reinterpret_cast<const uint4*>(base);
  return (first.x | first.y | first.z | first.w) == 0 && load_wide(base).is_infinity();
}

template <class F, class P>
__global__ void __launch_bounds__(digit_threads)
    emit_pairs(const Packed<F>* bases, const Element<P>* scalars, size_t n, bool montgomery, Windows windows, Pairs out,
               Tally* tally) {
  const size_t i = size_t(blockIdx.x) * digit_threads + threadIdx.x;
  const uint32_t below = (1u << (threadIdx.x % 32)) - 1;
  DigitReader scalar = read_scalar(scalars, i, n, montgomery);
  if (!scalar.is_zero() && is_infinite(bases + i)) scalar = {};
  DigitReader reader = scalar;
  uint32_t pairs = 0;
  for (int w = 0; w < windows.count; w++) pairs += __popc(__ballot_sync(~0u, reader.next(windows.bits) != 0));
  uint64_t at = reserve_for_warp(pairs, tally);
  if (pairs == 0) return;
  reader = scalar;
  for (int w = 0; w < windows.count; w++) {
    const int digit = reader.next(windows.bits);
    const uint32_t present = __ballot_sync(~0u, digit != 0);
    if (digit != 0) {
      const uint64_t to = at + __popc(present & below);
      out.keys[to] = uint32_t(w % windows.sets << windows.bucket_bits()) + uint32_t(abs(digit) - 1);
      out.values[to] = uint32_t(size_t(w / windows.sets) * n + i) << 1 | (digit < 0);
    }
    at += __popc(present);
  }
}

}  // namespace pg
