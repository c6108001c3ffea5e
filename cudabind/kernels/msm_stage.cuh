// Where a thread's coordinates arrive from memory while it multiplies: its own part of shared memory, filled by the
// asynchronous copies of sm_80. It holds two points and a product, 16 bytes a thread side by side, so that a warp's
// accesses touch every bank once.
#pragma once

#include "msm_lists.cuh"

namespace pg {

template <class F>
class Stage {
  static constexpr int coordinate_chunks = sizeof(Coordinate<F>) / 16;
  static constexpr int chunks = 5 * coordinate_chunks;

 public:
  static constexpr size_t bytes = size_t(chunks) * 16 * accumulate_threads;  // of a block

  __device__ explicit Stage(uint4* memory) : mine_(memory + threadIdx.x) {}

  template <class List>
  __device__ void fetch_xs(const List& list, int i) {
    copy(0, list.place(i), coordinate_chunks);
    copy(2, list.place(i + 1), coordinate_chunks);
    negative_ = 0;
  }

  template <class List, class Work>
  __device__ void fetch_pair(const List& list, int i, const Work& work, int pair) {
    fetch_point(list, i);
    copy(2, list.place(i + 1), 2 * coordinate_chunks);
    copy(4, work.product(pair), coordinate_chunks);
    negative_ |= list.is_negative(i + 1) << 1;
  }

  template <class List>
  __device__ void fetch_point(const List& list, int i) {
    copy(0, list.place(i), 2 * coordinate_chunks);
    negative_ = list.is_negative(i);
  }

  // Until the last fetch is there, points to subtract turned into their negatives.
  __device__ void wait() {
    asm volatile("cp.async.wait_all;" ::: "memory");
#pragma unroll 1
    for (int point = 0; point < 2; point++)
      if (negative_ >> point & 1) set_coordinate(2 * point + 1, -coordinate(2 * point + 1));
  }

  __device__ F x(int point) const { return coordinate(2 * point); }
  __device__ F y(int point) const { return coordinate(2 * point + 1); }
  __device__ F product() const { return coordinate(4); }

 private:
  __device__ void copy(int to, const void* from, int count) {
    const uint32_t at = uint32_t(__cvta_generic_to_shared(mine_ + to * coordinate_chunks * accumulate_threads));
    const char* source = static_cast<const char*>(from);
#pragma unroll
    for (int i = 0; i < count; i++)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at + i * 16 * accumulate_threads),
                   "l"(source + 16 * i)
                   : "memory");
  }

  __device__ F coordinate(int index) const {
    Coordinate<F> c;
#pragma unroll
    for (int i = 0; i < coordinate_chunks; i++)
      reinterpret_cast<uint4*>(&c)[i] = mine_[(index * coordinate_chunks + i) * accumulate_threads];
    return F::loaded(c.w);
  }

  __device__ void set_coordinate(int index, const F& value) {
    Coordinate<F> c;
    value.store(c.w);
#pragma unroll
    for (int i = 0; i < coordinate_chunks; i++)
      mine_[(index * coordinate_chunks + i) * accumulate_threads] = reinterpret_cast<const uint4*>(&c)[i];
  }

  uint4* mine_;
  uint32_t negative_;  // bit k: point k is to be subtracted
};

}  // namespace pg
