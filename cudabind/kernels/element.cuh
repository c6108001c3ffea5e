// Elements of a scalar field as vectors hold them in device memory, read and written 16 bytes at a time.
#pragma once

#include "field.cuh"
#include "launch.cuh"

namespace pg {

template <class P>
struct PG_ALIGN(16) Element {
  uint32_t w[P::words];
};

template <class P>
__device__ __forceinline__ Field<P> fetch(const Element<P>* from) {
  return Field<P>::loaded(load_wide(from).w);
}

template <class P>
__device__ __forceinline__ void put(Element<P>* to, const Field<P>& value) {
  Element<P> e;
  value.store(e.w);
  store_wide(to, e);
}

__device__ __forceinline__ uint32_t reverse_bits(uint32_t i, int bits) { return bits ? __brev(i) >> (32 - bits) : 0; }

}  // namespace pg
