// Twiddle factors in bit-reversed order.
//
// Stage s of a transform that goes from natural to bit-reversed order has 2^s blocks; block b multiplies by
// w_{2^(s+1)}^rev_s(b), whichever the columns. In bit-reversed order the factors of all stages are prefixes of one
// row T[b], b < n/2, so no factor is needed between passes. Beyond 2^cached of them, T[b] = T[b mod 2^cached] * U.
// The inverse factors are in the same row: T^-1[b] = -T[b xor (2^floor(log2 b) - 1)].
#pragma once

#include "known_row.cuh"
#include "powers.cuh"

namespace pg {

constexpr int most_cached_bits = 26;  // 4.25 GiB of factors at most, for transforms of 2^27
constexpr int cached_bits(int log_n) { return log_n - 1 < most_cached_bits ? log_n - 1 : most_cached_bits; }

// A block's factor: T[index], or its negative.
struct Turn {
  uint32_t index;
  bool negative;
};

template <class P>
struct Twiddles {
  KnownRow<P> row;
  int cached;

  static size_t count(int log_n) {
    return (size_t(1) << cached_bits(log_n)) + (size_t(1) << (log_n - 1 - cached_bits(log_n)));
  }
  static size_t bytes(int log_n) { return KnownRow<P>::bytes(count(log_n)); }
  static Twiddles in(const void* table, int log_n) { return {KnownRow<P>::in(table, count(log_n)), cached_bits(log_n)}; }

  __device__ static Turn turn(uint32_t b, bool inverse) {
    const bool negative = inverse && b != 0;
    return {negative ? b ^ ((1u << (31 - __clz(b))) - 1) : b, negative};
  }

  // x T[index]. Deep: the index may reach 2^cached.
  template <bool Deep>
  __device__ __forceinline__ Loose<P> times(Loose<P> x, uint32_t index) const {
    x = row.at(index & ((1u << cached) - 1)).times(x);
    if (Deep && index >> cached) x = row.at((1u << cached) + (index >> cached)).times(x);
    return x;
  }
};

// roots[j] is the root of order 2^(j+2): bit j of b turns by that much.
template <class P>
__global__ void fill_twiddles(KnownRow<P> row, Squares<P> roots, int log_n) {
  const uint32_t b = blockIdx.x * blockDim.x + threadIdx.x;
  const int cached = cached_bits(log_n);
  if (b >> cached == 0) row.put(b, Known<P>::of(product_over_bits(Field<P>::one(), roots.at, b)));
  if (b >> (log_n - 1 - cached) == 0)
    row.put((1u << cached) + b, Known<P>::of(product_over_bits(Field<P>::one(), roots.at + cached, b)));
}

template <class P>
pg_error build_twiddles(cudaStream_t stream, int log_n, const void* root, void* table) {
  const auto squares = Squares<P>::of(Field<P>::loaded(static_cast<const uint32_t*>(root)), log_n);
  Squares<P> roots{};
  for (int j = 0; j + 2 <= log_n; j++) roots.at[j] = squares.at[log_n - 2 - j];
  PG_LAUNCH(fill_twiddles<P>, ceil_div(1l << cached_bits(log_n), 128), 128, 0, stream,
            Twiddles<P>::in(table, log_n).row, roots, log_n);
  return success();
}

}  // namespace pg
