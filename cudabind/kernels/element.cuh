// Elements of a scalar field as vectors hold them in device memory, read and written 16 bytes at a time.
#pragma once

#include "field.cuh"
#ifdef __CUDACC__
#include "launch.cuh"
#endif

namespace pg {

template <class P>
struct PG_ALIGN(16) Element {
  uint32_t w[P::words];
};

template <class P>
PG_HD Field<P> fetch(const Element<P>* from) {
#ifdef __CUDA_ARCH__
  return Field<P>::loaded(load_wide(from).w);
#else
  return Field<P>::loaded(from->w);
#endif
}

template <class P, template <class> class Number>
PG_HD void put(Element<P>* to, const Number<P>& value) {
#ifdef __CUDA_ARCH__
  Element<P> e;
  value.store(e.w);
  store_wide(to, e);
#else
  value.store(to->w);
#endif
}

#ifdef __CUDACC__
__device__ __forceinline__ uint32_t reverse_bits(uint32_t i, int bits) { return bits ? __brev(i) >> (32 - bits) : 0; }
#endif

}  // namespace pg
