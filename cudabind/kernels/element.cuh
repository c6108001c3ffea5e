// Elements of a scalar field as vectors hold them in device memory: packed, canonical, Montgomery with R = 2^256.
//
// A transform is linear, so its data never changes R: only the factors it multiplies by (twiddles, powers) are in
// the registers' form, R = 2^261, and a product x * factor is x's form again.
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
  return Field<P>::unpacked(load_wide(from).w);
}

// Writes the canonical value.
template <class P>
__device__ __forceinline__ void put(Element<P>* to, const Field<P>& value) {
  Element<P> e;
  value.pack(e.w);
  store_wide(to, e);
}

// Writes some value in (0, 2p), cheaper; only passes of one transform read such elements.
template <class P>
__device__ __forceinline__ void put_unreduced(Element<P>* to, const Field<P>& value) {
  Element<P> e;
  Field<P> positive = value.reduced();
#pragma unroll
  for (int i = 0; i < Field<P>::limbs; i++) positive.limb[i] += Field<P>::modulus(i);
  positive.pack_unreduced(e.w);
  store_wide(to, e);
}

__device__ __forceinline__ uint32_t reverse_bits(uint32_t i, int bits) { return bits ? __brev(i) >> (32 - bits) : 0; }

}  // namespace pg
