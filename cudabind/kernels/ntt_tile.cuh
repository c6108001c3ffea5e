// A pass and its tiles: where the rows of a butterfly lie, in the vector and in shared memory.
//
// The tile of a pass over stages s0 .. s0+k-1 is 2^k rows of stride 2^m, m = log_n - s0 - k, by a few neighbouring
// columns. Column c of the 2^(log_n-k) columns lies in block c >> m of stage s0, at offset c mod 2^m. In shared memory a
// tile's words lie in planes, so that neighbouring threads touch neighbouring banks.
#pragma once

#include "twiddle.cuh"

namespace pg {

constexpr int most_stages = 9;     // of one pass
constexpr int most_tile_bits = 9;  // elements of a tile

template <class P>
struct Pass {
  Element<P>* data;
  Twiddles<P> twiddles;
  Powers<P> before, after;  // multiplied in when loading, when storing; by natural index
  Field<P> scale;           // multiplied in when storing, if `scaled`
  int log_n, first_stage, stages, log_columns;
  bool inverse, scaled;
  bool opening, closing;  // the first, the last of the transform's passes

  // No powers and no scale.
  bool plain() const { return !before && !after && !scaled; }

  __host__ __device__ int log_stride() const { return log_n - first_stage - stages; }
  __host__ __device__ int tile_bits() const { return stages + log_columns; }
};

// Where an element of a tile lies in each of its planes: so that the threads of a warp touch all 32 banks, whichever bits
// of the element's number a round leaves to them. Linear: swizzled(i ^ j) = swizzled(i) ^ swizzled(j).
constexpr int swizzled(int i) {
  const int high = i >> 5 & 3;
  return i ^ high << 1 ^ high << 3;
}

template <class P>
using Tile = uint32_t[Field<P>::words][1 << most_tile_bits];

// The rows of one butterfly in one column of a tile: the first, and more at equal distances. Plain: the pass is,
// so that code for powers does not lie in the way.
template <class P, bool Backward, bool Plain>
struct Place {
  const Pass<P>& pass;
  Tile<P>& tile;
  int first, log_apart;    // elements of the tile
  uint32_t column, block;  // of the vector, at the pass's first stage

  __device__ Place(const Pass<P>& pass, Tile<P>& tile, int unit, int radix_bits, int stage) : pass(pass), tile(tile) {
    log_apart = pass.tile_bits() - stage - radix_bits;
    const int below = (1 << log_apart) - 1;
    first = (unit & ~below) << radix_bits | (unit & below);
    column = (blockIdx.x << pass.log_columns) + (unit & ((1 << pass.log_columns) - 1));
    block = column >> pass.log_stride();
  }

  // Its block at one of the pass's stages.
  __device__ uint32_t block_at(int stage) const { return (block << stage) + (first >> (pass.tile_bits() - stage)); }

  template <int N>
  __device__ __forceinline__ void load(Loose<P> (&x)[N], const int (&rows)[N], bool from_vector) const {
    if (from_vector) {
#pragma unroll
      for (int k = 0; k < N; k++) x[k] = from_global(rows[k]);
#pragma unroll
      for (int k = 0; k < N; k++)
        if (!Backward && pass.opening) x[k] = x[k].lifted();
    } else {
#pragma unroll
      for (int k = 0; k < N; k++)
#pragma unroll
        for (int i = 0; i < Field<P>::words; i++) x[k].w[i] = tile[i][in_tile(rows[k])];
    }
  }

  template <int N>
  __device__ __forceinline__ void store(const Loose<P> (&x)[N], const int (&rows)[N], bool to_vector) const {
#pragma unroll
    for (int k = 0; k < N; k++) {
      if (to_vector) {
        to_global(rows[k], x[k]);
      } else {
#pragma unroll
        for (int i = 0; i < Field<P>::words; i++) tile[i][in_tile(rows[k])] = x[k].w[i];
      }
    }
  }

 private:
  __device__ int in_tile(int row) const { return swizzled(first) ^ swizzled(row << log_apart); }

  __device__ uint32_t address(int row) const {
    const int m = pass.log_stride();
    const uint32_t row_of_tile = (first + (row << log_apart)) >> pass.log_columns;
    return (((block << pass.stages) + row_of_tile) << m) + (column & ((1u << m) - 1));
  }

  // The coefficient's or value's index in natural order.
  __device__ uint32_t natural(uint32_t address, bool reversed) const {
    return reversed ? reverse_bits(address, pass.log_n) : address;
  }

  __device__ Loose<P> from_global(int row) const {
    const uint32_t at = address(row);
    const Loose<P> x = Loose<P>::loaded(load_wide(pass.data + at).w);
    return !Plain && pass.before ? pass.before.times(x, natural(at, Backward)) : x;
  }

  __device__ void to_global(int row, Loose<P> x) const {
    const uint32_t at = address(row);
    if (!Backward && !pass.closing) return put(pass.data + at, x);
    if (!Plain && pass.after) x = pass.after.times(x, natural(at, !Backward));
    const Field<P> element = (Backward ? x : x.lowered(0)).reduced();
    put(pass.data + at, !Plain && pass.scaled ? Field<P>::product_call(element, pass.scale) : element);
  }
};

}  // namespace pg
