// One pass of a transform: up to nine of its stages over a tile in shared memory.
//
// The tile of a pass over stages s0 .. s0+k-1 is 2^k rows of stride 2^m, m = log_n - s0 - k, by a few neighbouring
// columns. Column c of the 2^(log_n-k) columns lies in block c >> m of stage s0, at offset c mod 2^m. Threads do
// radix-4 butterflies in registers and meet in shared memory between them; words lie there in planes, so that
// neighbouring threads touch neighbouring banks.
//
// Forward flow (natural to reversed order): u + z v, u - z v. Backward flow undoes it: u + v, (u - v) / z. In between,
// numbers are only kept near p (loose.cuh). z v is below p + 4 ulps.
//  Forward, the vector holds such numbers between the passes. u is at least floor - 4 s ulps and below p + floor + 1 +
//  4 s after s stages: it begins with at least `floor` = 128, and 28 stages take 112. So u - z v + p is not negative, and
//  two such numbers and their sum are below 2p + 490 ulps, which fits.
//  Backward, all are below p + e, where e is 4 ulps in the beginning and twice as much after each stage: below 2^12 at the
//  end of a pass, which stores elements below p. u - v + p may be negative by as much.
#pragma once

#include "twiddle.cuh"

namespace pg {

constexpr int most_stages = 9;       // of one pass
constexpr int most_tile_bits = 9;    // elements of a tile
constexpr int ntt_threads = 128;
constexpr int ntt_blocks = 5;        // of a multiprocessor at once: for 96 registers

template <class P>
struct Pass {
  Element<P>* data;
  Twiddles<P> twiddles;
  Powers<P> before, after;  // multiplied in when loading, when storing; by natural index
  Field<P> scale;           // multiplied in when storing, if `scaled`
  int log_n, first_stage, stages, log_columns;
  bool inverse, scaled, opening, closing;  // the first, the last of the transform's passes

  __host__ __device__ int log_stride() const { return log_n - first_stage - stages; }
  __host__ __device__ int tile_bits() const { return stages + log_columns; }
};

// Where an element of a tile lies in each of its planes: so that the threads of a warp touch all 32 banks, whichever bits
// of the element's number a round leaves to them. Linear: swizzled(i ^ j) = swizzled(i) ^ swizzled(j).
constexpr int swizzled(int i) {
  const int high = i >> 5 & 3;
  return i ^ high << 1 ^ high << 3;
}

// What is known of a pass when it is compiled. Top: its first block's first factors are 1, and a twelfth of all
// products can be left out. Deep: its factors need the second row of the table.
enum class Depth { top, middle, deep };

template <class P>
using Tile = uint32_t[Field<P>::words][1 << most_tile_bits];

// The rows of one butterfly in one column of a tile: the first, and more at equal distances.
template <class P, bool Backward>
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

  // A product that few passes need: called, so that its code does not lie in the way of the others'.
  __device__ static Field<P> times(const Field<P>& a, const Field<P>& b) { return Field<P>::product_call(a, b); }

  __device__ Loose<P> from_global(int row) const {
    const uint32_t at = address(row);
    const Loose<P> x = Loose<P>::loaded(load_wide(pass.data + at).w);
    if (!pass.before.rows) return x;
    return Loose<P>::of(times(Field<P>::loaded(x.w), pass.before.at(natural(at, Backward))));
  }

  __device__ void to_global(int row, const Loose<P>& loose) const {
    const uint32_t at = address(row);
    if (!Backward && !pass.closing) return put(pass.data + at, loose);
    Field<P> x = (Backward ? loose : loose.lowered(0)).reduced();
    if (pass.after.rows) x = times(x, pass.after.at(natural(at, !Backward)));
    if (pass.scaled) x = times(x, pass.scale);
    put(pass.data + at, x);
  }
};

// The factor of a block at some stage: one of the table's, or the negative of one. Then not the factor is negated, but
// sums and differences change places.
template <class P, Depth D, bool Backward>
struct Factor {
  const Twiddles<P>& twiddles;
  Turn turn;

  __device__ Factor(const Pass<P>& pass, uint32_t block)
      : twiddles(pass.twiddles), turn(Twiddles<P>::turn(block, pass.inverse)) {}

  // x, which may be anything, times the factor without its sign.
  __device__ __forceinline__ Loose<P> times(const Loose<P>& x) const {
    if (D != Depth::top || turn.index != 0) return twiddles.template times<D == Depth::deep>(x, turn.index);
    return Backward ? x.lowered(0) : Loose<P>::of(x.lowered(0).reduced());
  }

  // Whose row the sum u + |z| v is, the first's or the second's, and the difference.
  __device__ int sum() const { return turn.negative; }
  __device__ int difference() const { return !turn.negative; }
};

template <class P, Depth D>
__device__ __forceinline__ void radix2(const Place<P, false>& place, int stage, bool first, bool final) {
  const Factor<P, D, false> factor(place.pass, place.block_at(stage));
  Loose<P> x[2];
  place.load(x, {0, 1}, first);
  const Loose<P> u = x[0].lowered(Loose<P>::floor), v = factor.times(x[1]);
  place.store({u + v, u - v + Loose<P>::modulus()}, {factor.sum(), factor.difference()}, final);
}

// Stages `stage` and `stage` + 1 at once.
template <class P, Depth D>
__device__ __forceinline__ void radix4(const Place<P, false>& place, int stage, bool first, bool final) {
  const uint32_t block = place.block_at(stage);
  const Factor<P, D, false> factor(place.pass, block);
  const Factor<P, D, false> of_sums(place.pass, 2 * block + factor.sum());
  const Factor<P, D, false> of_differences(place.pass, 2 * block + factor.difference());
  Loose<P> x[4];
  place.load(x, {0, 1, 2, 3}, first);
  const Loose<P> v0 = factor.times(x[2]), v1 = factor.times(x[3]);
  const Loose<P> u0 = x[0].lowered(Loose<P>::floor), u1 = x[1].lowered(Loose<P>::floor);
  const Loose<P> s0 = (u0 + v0).lowered(Loose<P>::floor), d0 = (u0 - v0).lifted();
  const Loose<P> s1 = of_sums.times(u1 + v1), d1 = of_differences.times(u1 - v1 + Loose<P>::modulus());
  const int sums = 2 * factor.sum(), differences = 2 * factor.difference();
  place.store({s0 + s1, s0 - s1 + Loose<P>::modulus(), d0 + d1, d0 - d1 + Loose<P>::modulus()},
              {sums + of_sums.sum(), sums + of_sums.difference(), differences + of_differences.sum(),
               differences + of_differences.difference()},
              final);
}

// u - v for a product.
template <class P>
__device__ __forceinline__ Loose<P> difference(const Loose<P>& u, const Loose<P>& v) {
  return (u - v + Loose<P>::modulus()).not_below_zero();
}

template <class P, Depth D>
__device__ __forceinline__ void radix2(const Place<P, true>& place, int stage, bool first, bool final) {
  const Factor<P, D, true> factor(place.pass, place.block_at(stage));
  Loose<P> x[2];
  place.load(x, {factor.sum(), factor.difference()}, first);
  place.store({(x[0] + x[1]).lowered(0), factor.times(difference(x[0], x[1]))}, {0, 1}, final);
}

template <class P, Depth D>
__device__ __forceinline__ void radix4(const Place<P, true>& place, int stage, bool first, bool final) {
  const uint32_t block = place.block_at(stage);
  const Factor<P, D, true> factor(place.pass, block);
  const Factor<P, D, true> of_sums(place.pass, 2 * block + factor.sum());
  const Factor<P, D, true> of_differences(place.pass, 2 * block + factor.difference());
  const int sums = 2 * factor.sum(), differences = 2 * factor.difference();
  Loose<P> x[4];
  place.load(x, {sums + of_sums.sum(), sums + of_sums.difference(), differences + of_differences.sum(),
                 differences + of_differences.difference()},
             first);
  const Loose<P> s0 = (x[0] + x[1]).lowered(0), d0 = of_sums.times(difference(x[0], x[1]));
  const Loose<P> s1 = (x[2] + x[3]).lowered(0), d1 = of_differences.times(difference(x[2], x[3]));
  place.store({(s0 + s1).lowered(0), (d0 + d1).lowered(0), factor.times(difference(s0, s1)),
               factor.times(difference(d0, d1))},
              {0, 1, 2, 3}, final);
}

// Forward: radix 4 from stage 0 down, a last odd stage by radix 2. Backward: the mirror image.
template <class P, Depth D, bool Backward>
__global__ void __launch_bounds__(ntt_threads, ntt_blocks) ntt_pass(const __grid_constant__ Pass<P> pass) {
  __shared__ Tile<P> tile;
  const int odd = pass.stages & 1, rounds = pass.stages / 2 + odd;
  for (int round = 0; round < rounds; round++) {
    if (round) __syncthreads();
    const int from_top = Backward ? rounds - 1 - round : round, stage = 2 * from_top;
    const int radix_bits = odd && from_top == rounds - 1 ? 1 : 2;
    const int units = 1 << (pass.tile_bits() - radix_bits);
    for (int unit = threadIdx.x; unit < units; unit += blockDim.x) {
      const Place<P, Backward> place(pass, tile, unit, radix_bits, stage);
      if (radix_bits == 2) radix4<P, D>(place, stage, round == 0, round == rounds - 1);
      else radix2<P, D>(place, stage, round == 0, round == rounds - 1);
    }
  }
}

}  // namespace pg
