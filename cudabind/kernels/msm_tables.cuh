// Precomputed multiples: of every base of an MSM, and of one base for fixed-base batches.
#pragma once

#include "msm_digits.cuh"
#include "normalize.cuh"

namespace pg {

constexpr size_t table_chunk = size_t(1) << 18;  // points whose XYZZ form the scratch holds at a time

template <class F>
struct ChunkScratch {
  Xyzz<F>* points;
  F* prefixes;
  Packed<F>* multiples;  // of the fixed base
  size_t bytes;

  static ChunkScratch carve(void* base, size_t n, size_t multiples) {
    const size_t chunk = n < table_chunk ? n : table_chunk;
    const size_t most = chunk > multiples ? chunk : multiples;
    Carver c(base);
    ChunkScratch s;
    s.points = c.take<Xyzz<F>>(most);
    s.prefixes = c.take<F>(most);
    s.multiples = c.take<Packed<F>>(multiples);
    s.bytes = c.used();
    return s;
  }
};

constexpr int table_threads = 64;

template <class F>
__global__ void __launch_bounds__(table_threads)
    double_points(const Packed<F>* in, size_t n, int doublings, Xyzz<F>* out) {
  const size_t i = size_t(blockIdx.x) * table_threads + threadIdx.x;
  if (i >= n) return;
  Xyzz<F> p = Xyzz<F>::from_packed(load_wide(in + i));
  for (int d = 0; d < doublings; d++) p.double_in_place();
  store_wide(out + i, p);
}

template <class F>
pg_error build_table(cudaStream_t stream, const Windows& w, size_t n, const Packed<F>* bases, Packed<F>* table,
                     void* scratch) {
  const auto s = ChunkScratch<F>::carve(scratch, n, 0);
  PG_TRY_CUDA(cudaMemcpyAsync(table, bases, n * sizeof(Packed<F>), cudaMemcpyDeviceToDevice, stream));
  for (size_t at = n; at < n * w.copies;) {
    size_t chunk = n - at % n;
    if (chunk > table_chunk) chunk = table_chunk;
    PG_LAUNCH(double_points<F>, ceil_div(long(chunk), table_threads), table_threads, 0, stream, table + at - n, chunk,
              w.bits * w.sets, s.points);
    PG_TRY(normalize_points(stream, s.points, chunk, s.prefixes, table + at));
    at += chunk;
  }
  return success();
}

constexpr int fixed_bits = 8;
constexpr int fixed_windows = 32;
constexpr int fixed_digits = 1 << (fixed_bits - 1);  // signed digits: multiples 1 .. 128 of each window
constexpr size_t fixed_multiples = size_t(fixed_windows) * fixed_digits;

// out[w][d - 1] = d 2^(8 w) base.
template <class F>
__global__ void __launch_bounds__(table_threads) multiply_base(const __grid_constant__ Packed<F> base, Xyzz<F>* out) {
  const int i = blockIdx.x * table_threads + threadIdx.x, w = i / fixed_digits, d = i % fixed_digits + 1;
  Xyzz<F> p = Xyzz<F>::infinity();
  for (int bit = fixed_bits - 1; bit >= 0; bit--) {
    p.double_in_place();
    if (d >> bit & 1) p.add(base, false);
  }
  for (int doubling = 0; doubling < fixed_bits * w; doubling++) p.double_in_place();
  store_wide(out + i, p);
}

template <class F, class P>
__global__ void __launch_bounds__(table_threads)
    multiply_scalars(const Packed<F>* multiples, const Element<P>* scalars, size_t n, bool montgomery, Xyzz<F>* out) {
  const size_t i = size_t(blockIdx.x) * table_threads + threadIdx.x;
  if (i >= n) return;
  DigitReader reader = read_scalar(scalars, i, n, montgomery);
  Xyzz<F> sum = Xyzz<F>::infinity();
  for (int w = 0; w < fixed_windows; w++) {
    const int digit = reader.next(fixed_bits);
    if (digit != 0) sum.add(load_wide(multiples + w * fixed_digits + abs(digit) - 1), digit < 0);
  }
  store_wide(out + i, sum);
}

template <class F, class P>
pg_error fixed_base(cudaStream_t stream, size_t n, const Packed<F>& base, const Element<P>* scalars, bool montgomery,
                    void* scratch, Packed<F>* out) {
  const auto s = ChunkScratch<F>::carve(scratch, n, fixed_multiples);
  PG_LAUNCH(multiply_base<F>, fixed_multiples / table_threads, table_threads, 0, stream, base, s.points);
  PG_TRY(normalize_points(stream, s.points, fixed_multiples, s.prefixes, s.multiples));
  for (size_t at = 0; at < n; at += table_chunk) {
    const size_t chunk = n - at < table_chunk ? n - at : table_chunk;
    PG_LAUNCH((multiply_scalars<F, P>), ceil_div(long(chunk), table_threads), table_threads, 0, stream, s.multiples,
              scalars + at, chunk, montgomery, s.points);
    PG_TRY(normalize_points(stream, s.points, chunk, s.prefixes, out + at));
  }
  return success();
}

}  // namespace pg
