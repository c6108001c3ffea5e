// Vector operations element by element, in memory form.
#pragma once

#include "element.cuh"

namespace pg {

template <class P>
__device__ __forceinline__ Field<P> combine(int operation, size_t i, const Element<P>* a, const Element<P>* b,
                                            const Element<P>* c) {
  const Field<P> x = fetch(a + i);
  switch (operation) {
    case PG_ADD: return x + fetch(b + i);
    case PG_SUB: return x - fetch(b + i);
    case PG_MUL: return x * fetch(b + i);
    case PG_MUL_SUB: return x * fetch(b + i) - fetch(c + i);
    case PG_SCALE: return x * fetch(b);
    case PG_TO_CANONICAL: return x * Field<P>::plain_one();
    default: return x * Field<P>::montgomery_square();
  }
}

template <class P>
__global__ void pointwise_kernel(int operation, size_t n, const Element<P>* a, const Element<P>* b,
                                 const Element<P>* c, Element<P>* out) {
  const size_t step = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
    put(out + i, combine(operation, i, a, b, c));
}

template <class P>
pg_error pointwise(cudaStream_t stream, int operation, size_t n, const void* a, const void* b, const void* c,
                   void* out) {
  if (n == 0) return success();
  const long blocks = ceil_div(long(n), 256);
  PG_LAUNCH(pointwise_kernel<P>, blocks < 65536 ? blocks : 65536, 256, 0, stream, operation, n,
            static_cast<const Element<P>*>(a), static_cast<const Element<P>*>(b), static_cast<const Element<P>*>(c),
            static_cast<Element<P>*>(out));
  return success();
}

}  // namespace pg
