// Where a thread's coordinates arrive from memory while it multiplies: its own part of shared memory, filled by the
// asynchronous copies of sm_80. It holds two points and a product, 16 bytes a thread side by side, so that a warp's
// accesses touch every bank once.
#pragma once

#include "msm_lists.cuh"

namespace pg {

template <class L>
class Stage {
 public:
  static constexpr size_t bytes = 5 * sizeof(L) * accumulate_threads;  // of a block

  __device__ explicit Stage(uint4* memory) : mine_(memory + threadIdx.x) {}

  template <class List>
  __device__ void fetch_xs(const List& list, Couple points) {
    copy(0, list.x_place(points.first), list.step);
    copy(2, list.x_place(points.second), list.step);
    negative_ = 0;
  }

  template <class List, class Work>
  __device__ void fetch_pair(const List& list, Couple points, const Work& work, int pair) {
    fetch_point(list, points.first);
    copy(2, list.x_place(points.second), list.step);
    copy(3, list.y_place(points.second), list.step);
    copy(4, work.place(pair), work.threads);
    negative_ |= list.is_negative(points.second) << 1;
  }

  template <class List>
  __device__ void fetch_point(const List& list, uint32_t reference) {
    copy(0, list.x_place(reference), list.step);
    copy(1, list.y_place(reference), list.step);
    negative_ = list.is_negative(reference);
  }

  // Until the last fetch is there, points to subtract turned into their negatives.
  __device__ void wait() {
    asm volatile("cp.async.wait_all;" ::: "memory");
#pragma unroll 1
    for (int point = 0; point < 2; point++)
      if (negative_ >> point & 1) set_coordinate(2 * point + 1, -coordinate(2 * point + 1));
  }

  __device__ L x(int point) const { return coordinate(2 * point); }
  __device__ L y(int point) const { return coordinate(2 * point + 1); }
  __device__ L product() const { return coordinate(4); }

 private:
  __device__ void copy(int coordinate, const uint4* from, uint32_t step) {
    const uint32_t at = uint32_t(__cvta_generic_to_shared(mine_ + coordinate * chunks<L> * accumulate_threads));
#pragma unroll
    for (int i = 0; i < chunks<L>; i++)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at + i * 16 * accumulate_threads),
                   "l"(from + size_t(i) * step)
                   : "memory");
  }

  __device__ L coordinate(int index) const {
    PG_ALIGN(16) uint32_t words[sizeof(L) / 4];
#pragma unroll
    for (int i = 0; i < chunks<L>; i++)
      reinterpret_cast<uint4*>(words)[i] = mine_[(index * chunks<L> + i) * accumulate_threads];
    return L::loaded(words);
  }

  __device__ void set_coordinate(int index, const L& value) {
    PG_ALIGN(16) uint32_t words[sizeof(L) / 4];
    value.store(words);
#pragma unroll
    for (int i = 0; i < chunks<L>; i++)
      mine_[(index * chunks<L> + i) * accumulate_threads] = reinterpret_cast<const uint4*>(words)[i];
  }

  uint4* mine_;
  uint32_t negative_;  // bit k: point k is to be subtracted
};

}  // namespace pg
