// Two lanes of a warp that hold one number together, 2k and 2k + 1: which of them this is, and what the other has.
//
// On the host the lanes are two threads, whose exchange is the partner's.
#pragma once

#include "portable.cuh"

namespace pg {

#ifndef __CUDA_ARCH__
struct Partner {
  int lane;  // 0 or 1
  virtual void exchange(uint32_t* words, int count) = 0;  // gives these to the other, takes the other's

 protected:
  ~Partner() = default;
};

inline thread_local Partner* partner = nullptr;
#endif

PG_HD bool is_odd_lane() {
#ifdef __CUDA_ARCH__
  return threadIdx.x & 1;
#else
  return partner->lane;
#endif
}

// Both lanes come here together: what they do depends on what they hold together.
template <int N>
PG_HD void exchange_words(uint32_t* words) {
#ifdef __CUDA_ARCH__
  const uint32_t pair = 3u << (threadIdx.x & 30);
  PG_UNROLL for (int i = 0; i < N; i++) words[i] = __shfl_xor_sync(pair, words[i], 1);
#else
  partner->exchange(words, N);
#endif
}

}  // namespace pg
