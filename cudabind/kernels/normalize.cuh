// XYZZ points to packed affine ones with one inversion for many: Montgomery's trick.
#pragma once

#include "curve.cuh"
#include "launch.cuh"

namespace pg {

constexpr int normalize_threads = 64;
constexpr int normalize_batch = 64;  // points of one thread, `stride` apart so that neighbours stay neighbours

// prefixes: room for n coordinates.
template <class F>
__global__ void __launch_bounds__(normalize_threads)
    normalize(const Xyzz<F>* points, size_t n, size_t stride, F* prefixes, Packed<F>* out) {
  const size_t first = size_t(blockIdx.x) * normalize_threads + threadIdx.x;
  if (first >= stride) return;
  F product = F::one();
  size_t last = first;
  for (size_t i = first; i < n; i += stride) {
    prefixes[i] = product;
    const Xyzz<F> p = load_wide(points + i);
    if (!p.is_infinity()) product = product * p.zzz;
    last = i;
  }
  F inverse_of_rest = inverse(product);
  for (size_t i = last;; i -= stride) {
    const Xyzz<F> p = load_wide(points + i);
    Packed<F> affine;
    to_packed(p, inverse_of_rest * prefixes[i], &affine);
    store_wide(out + i, affine);
    if (!p.is_infinity()) inverse_of_rest = inverse_of_rest * p.zzz;
    if (i == first) break;
  }
}

template <class F>
pg_error normalize_points(cudaStream_t stream, const Xyzz<F>* points, size_t n, F* prefixes, Packed<F>* out) {
  const size_t stride = ceil_div(long(n), normalize_batch);
  PG_LAUNCH(normalize<F>, ceil_div(long(stride), normalize_threads), normalize_threads, 0, stream, points, n, stride,
            prefixes, out);
  return success();
}

}  // namespace pg
