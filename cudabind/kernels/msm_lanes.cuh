// How many threads hold one point in accumulation and reduction, and what each takes of it from memory, where points
// lie whole.
#pragma once

#include <type_traits>

#include "curve.cuh"
#include "launch.cuh"

namespace pg {

// What a thread holds of a coordinate in F: over Fp2 a half, or else points leave registers for two warps a scheduler
// only, too few to hide each other's latency.
template <class F>
struct Share {
  using Type = F;
};

template <class P>
struct Share<Quadratic<P>> {
  using Type = Half<P>;
};

template <class F>
using Own = typename Share<F>::Type;

template <class F>
constexpr int lanes = int(sizeof(F) / sizeof(Own<F>));

template <class L>
constexpr int chunks = int(sizeof(L) / 16);  // of a coordinate: 16 bytes, as memory is read and written

// The first chunk that is this lane's.
template <class L, class Point>
__device__ __forceinline__ auto own_chunks(Point* at) {
  constexpr int shares = int(sizeof(typename L::Whole) / sizeof(L));
  using Chunk = std::conditional_t<std::is_const_v<Point>, const uint4, uint4>;
  return reinterpret_cast<Chunk*>(at) + (shares > 1 && is_odd_lane() ? chunks<L> : 0);
}

template <class L, template <class> class Point>
__device__ __forceinline__ Point<L> load_own(const Point<typename L::Whole>* from) {
  constexpr int coordinates = int(sizeof(Point<L>) / sizeof(L)), step = chunks<typename L::Whole>;
  Point<L> own;
  const uint4* source = own_chunks<L>(from);
  uint4* target = reinterpret_cast<uint4*>(&own);
#pragma unroll
  for (int i = 0; i < coordinates * chunks<L>; i++) target[i] = source[i / chunks<L> * step + i % chunks<L>];
  return own;
}

template <class L, template <class> class Point>
__device__ __forceinline__ void store_own(Point<typename L::Whole>* to, const Point<L>& own) {
  constexpr int coordinates = int(sizeof(Point<L>) / sizeof(L)), step = chunks<typename L::Whole>;
  const uint4* source = reinterpret_cast<const uint4*>(&own);
  uint4* target = own_chunks<L>(to);
#pragma unroll
  for (int i = 0; i < coordinates * chunks<L>; i++) target[i / chunks<L> * step + i % chunks<L>] = source[i];
}

}  // namespace pg
