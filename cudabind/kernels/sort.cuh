// A stable radix sort of (key, value) pairs whose number is known only on the device.
//
// Each pass sorts by eight bits. A fixed grid shares the pairs out in contiguous ranges: count digits per block,
// scan the counts of each digit over the blocks, then scatter tile by tile. Within a tile, ranks come from warp
// matches, so a million equal keys cost what a million different ones do.
#pragma once

#include "launch.cuh"

namespace pg {

constexpr int digit_bits = 8;
constexpr int digits = 1 << digit_bits;
constexpr int sort_threads = 256;
constexpr int sort_warps = sort_threads / 32;
constexpr int sort_items = 24;  // of one thread in one tile: 96 bytes in a row for each digit, on average
constexpr int sort_tile = sort_threads * sort_items;
constexpr int most_sort_blocks = 1024;

struct Pairs {
  uint32_t* keys;
  uint32_t* values;
};

struct Range {
  size_t from, to;
};

// The pairs of this block: a whole number of tiles, the last block's range cut at count.
__device__ inline Range range_of_block(size_t count) {
  const size_t tiles = (count + sort_tile - 1) / sort_tile;
  const size_t share = (tiles + gridDim.x - 1) / gridDim.x * sort_tile;
  const size_t from = min(count, blockIdx.x * share);
  return {from, min(count, from + share)};
}

static __global__ void count_digits(const uint32_t* keys, const uint64_t* count, int shift, uint32_t* counts) {
  __shared__ uint32_t local[digits];
  local[threadIdx.x] = 0;
  __syncthreads();
  const Range range = range_of_block(*count);
  for (size_t i = range.from + threadIdx.x; i < range.to; i += sort_threads)
    atomicAdd(&local[(keys[i] >> shift) % digits], 1);
  __syncthreads();
  counts[threadIdx.x * gridDim.x + blockIdx.x] = local[threadIdx.x];
}

// Exclusive sum over the block's threads; total: the sum of all.
__device__ inline uint32_t block_exclusive_sum(uint32_t value, uint32_t* warp_sums, uint32_t* total) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  uint32_t sum = value;
  for (int d = 1; d < 32; d *= 2) {
    const uint32_t other = __shfl_up_sync(~0u, sum, d);
    if (lane >= d) sum += other;
  }
  if (lane == 31) warp_sums[warp] = sum;
  __syncthreads();
  uint32_t before = 0, all = 0;
  for (int w = 0; w < int(blockDim.x) / 32; w++) {
    before += w < warp ? warp_sums[w] : 0;
    all += warp_sums[w];
  }
  __syncthreads();
  *total = all;
  return before + sum - value;
}

// One block per digit: counts become exclusive sums over the blocks, and totals[digit] their total.
static __global__ void scan_counts(uint32_t* counts, int blocks, uint32_t* totals) {
  __shared__ uint32_t warp_sums[32];
  uint32_t* row = counts + size_t(blockIdx.x) * blocks;
  uint32_t before = 0;
  for (int at = 0; at < blocks; at += blockDim.x) {
    const int i = at + threadIdx.x;
    const uint32_t value = i < blocks ? row[i] : 0;
    uint32_t total;
    const uint32_t sum = block_exclusive_sum(value, warp_sums, &total);
    if (i < blocks) row[i] = before + sum;
    before += total;
  }
  if (threadIdx.x == 0) totals[blockIdx.x] = before;
}

struct ScatterShared {
  uint32_t warp_counts[sort_warps][digits];
  uint32_t keys[sort_tile], values[sort_tile];
  uint32_t tile_start[digits];  // of a digit, within the sorted tile
  uint32_t target[digits];      // of a digit's next pair, in the output
  uint32_t warp_sums[32];
};

// Ranks the warp's keys among those of the same digit before them, in order, and counts them.
__device__ inline void rank_in_warp(const uint32_t (&key)[sort_items], int shift, uint32_t* counts,
                                    uint32_t (&rank)[sort_items]) {
  const uint32_t below = (1u << (threadIdx.x % 32)) - 1;
#pragma unroll
  for (int i = 0; i < sort_items; i++) {
    const uint32_t digit = (key[i] >> shift) % digits;
    const uint32_t peers = __match_any_sync(~0u, digit);
    rank[i] = counts[digit] + __popc(peers & below);
    __syncwarp();
    if ((peers & below) == 0) counts[digit] += __popc(peers);
    __syncwarp();
  }
}

// Thread d turns the warps' counts of digit d into starts within the tile, and returns the digit's count.
__device__ inline uint32_t place_digits(ScatterShared& s) {
  uint32_t count = 0;
  for (int w = 0; w < sort_warps; w++) {
    const uint32_t c = s.warp_counts[w][threadIdx.x];
    s.warp_counts[w][threadIdx.x] = count;
    count += c;
  }
  uint32_t total;
  s.tile_start[threadIdx.x] = block_exclusive_sum(count, s.warp_sums, &total);
  return count;
}

__device__ inline void scatter_tile(ScatterShared& s, Pairs in, Pairs out, size_t from, size_t to, int shift) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  uint32_t key[sort_items], value[sort_items], rank[sort_items];
  for (int w = 0; w < sort_warps; w++) s.warp_counts[w][threadIdx.x] = 0;
#pragma unroll
  for (int i = 0; i < sort_items; i++) {
    const size_t at = from + warp * (32 * sort_items) + i * 32 + lane;
    key[i] = at < to ? in.keys[at] : ~0u;  // past the end: the last digit, after all others
    value[i] = at < to ? in.values[at] : 0;
  }
  __syncthreads();
  rank_in_warp(key, shift, s.warp_counts[warp], rank);
  __syncthreads();
  const uint32_t count = place_digits(s);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < sort_items; i++) {
    const uint32_t digit = (key[i] >> shift) % digits;
    const uint32_t at = s.tile_start[digit] + s.warp_counts[warp][digit] + rank[i];
    s.keys[at] = key[i];
    s.values[at] = value[i];
  }
  __syncthreads();
  for (int i = threadIdx.x; i < int(to - from); i += sort_threads) {
    const uint32_t digit = (s.keys[i] >> shift) % digits;
    const uint32_t at = s.target[digit] + (i - s.tile_start[digit]);
    out.keys[at] = s.keys[i];
    out.values[at] = s.values[i];
  }
  __syncthreads();
  s.target[threadIdx.x] += count;
}

static __global__ void __launch_bounds__(sort_threads, 2)
    scatter(Pairs in, Pairs out, const uint64_t* count, int shift, const uint32_t* counts, const uint32_t* totals) {
  extern __shared__ char shared[];
  ScatterShared& s = *reinterpret_cast<ScatterShared*>(shared);
  uint32_t all;
  s.target[threadIdx.x] = block_exclusive_sum(totals[threadIdx.x], s.warp_sums, &all) +
                          counts[threadIdx.x * gridDim.x + blockIdx.x];
  const Range range = range_of_block(*count);
  for (size_t from = range.from; from < range.to; from += sort_tile)
    scatter_tile(s, in, out, from, min(range.to, from + sort_tile), shift);
}

// Sorts up to `most` pairs (*count on the device) by `key_bits` low bits. `in` and `spare` take turns; `*sorted` is
// the one that holds the result. counts: sort_count_words() words.
constexpr size_t sort_count_words() { return size_t(digits) * most_sort_blocks + digits; }

inline pg_error sort_pairs(cudaStream_t stream, Pairs in, Pairs spare, const uint64_t* count, size_t most, int key_bits,
                           uint32_t* counts, Pairs* sorted) {
  const long tiles = ceil_div(long(most), sort_tile);
  const int blocks = int(tiles < most_sort_blocks ? tiles : most_sort_blocks);
  uint32_t* totals = counts + size_t(digits) * blocks;
  PG_TRY_CUDA(cudaFuncSetAttribute(scatter, cudaFuncAttributeMaxDynamicSharedMemorySize, int(sizeof(ScatterShared))));
  for (int shift = 0; shift < key_bits; shift += digit_bits) {
    PG_LAUNCH(count_digits, blocks, digits, 0, stream, in.keys, count, shift, counts);
    PG_LAUNCH(scan_counts, digits, 128, 0, stream, counts, blocks, totals);
    PG_LAUNCH(scatter, blocks, sort_threads, sizeof(ScatterShared), stream, in, spare, count, shift, counts, totals);
    const Pairs swap = in;
    in = spare;
    spare = swap;
  }
  *sorted = in;
  return success();
}

}  // namespace pg
