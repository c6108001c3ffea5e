// One pass of a transform: up to nine of its stages over a tile in shared memory.
//
// The tile of a pass over stages s0 .. s0+k-1 is 2^k rows of stride 2^m, m = log_n - s0 - k, by a few neighbouring
// columns. Column c of the 2^(log_n-k) columns lies in block c >> m of stage s0, at offset c mod 2^m. Threads do
// radix-4 butterflies in registers and meet in shared memory between them; words lie there in planes, so that
// neighbouring threads touch neighbouring banks.
//
// Forward flow (natural to reversed order): u + z v, u - z v. Backward flow undoes it: u + v, (u - v) / z.
#pragma once

#include "twiddle.cuh"

namespace pg {

constexpr int most_stages = 9;       // of one pass
constexpr int most_tile_bits = 9;    // elements of a tile
constexpr int ntt_threads = 128;

template <class P>
struct Pass {
  Element<P>* data;
  Twiddles<P> twiddles;
  Powers<P> before, after;  // multiplied in when loading, when storing; by natural index
  Field<P> scale;           // multiplied in when storing, if `scaled`
  int log_n, first_stage, stages, log_columns;
  bool inverse, scaled;

  __host__ __device__ int log_stride() const { return log_n - first_stage - stages; }
  __host__ __device__ int tile_bits() const { return stages + log_columns; }
};

constexpr int padded(int i) { return i + 4 * (i >> 5); }

template <class P>
size_t shared_bytes(const Pass<P>& pass) {
  return size_t(padded(1 << pass.tile_bits()) * Field<P>::words) * sizeof(uint32_t);
}

// What is known of a pass when it is compiled. Top: its first block's first factors are 1, and a twelfth of all
// products can be left out. Deep: its factors need the second row of the table.
enum class Depth { top, middle, deep };

// Where a thread's butterfly lies: a column of the tile and its block of the pass's first stage.
template <class P, Depth D, bool Backward>
struct Place {
  const Pass<P>& pass;
  uint32_t* tile;
  int column;

  __device__ uint32_t global_column() const { return (blockIdx.x << pass.log_columns) + column; }
  __device__ uint32_t block() const { return global_column() >> pass.log_stride(); }

  __device__ uint32_t address(int row) const {
    const int m = pass.log_stride();
    return (((block() << pass.stages) + row) << m) + (global_column() & ((1u << m) - 1));
  }

  // The coefficient's or value's index in natural order.
  __device__ uint32_t natural(uint32_t address, bool reversed) const {
    return reversed ? reverse_bits(address, pass.log_n) : address;
  }

  // A product that few passes need: called, so that its code does not lie in the way of the others'.
  __device__ static Field<P> times(const Field<P>& a, const Field<P>& b) { return Field<P>::product_call(a, b); }

  __device__ Field<P> load_global(int row) const {
    const uint32_t at = address(row);
    Field<P> x = fetch(pass.data + at);
    return pass.before.rows ? times(x, pass.before.at(natural(at, Backward))) : x;
  }

  __device__ void store_global(int row, Field<P> x) const {
    const uint32_t at = address(row);
    if (pass.after.rows) x = times(x, pass.after.at(natural(at, !Backward)));
    if (pass.scaled) x = times(x, pass.scale);
    put(pass.data + at, x);
  }

  __device__ Field<P> load_shared(int row) const {
    Field<P> x;
    const int plane = padded(1 << pass.tile_bits()), at = padded((row << pass.log_columns) + column);
#pragma unroll
    for (int i = 0; i < Field<P>::words; i++) x.w[i] = tile[i * plane + at];
    return x;
  }

  __device__ void store_shared(int row, const Field<P>& x) const {
    const int plane = padded(1 << pass.tile_bits()), at = padded((row << pass.log_columns) + column);
#pragma unroll
    for (int i = 0; i < Field<P>::words; i++) tile[i * plane + at] = x.w[i];
  }

  __device__ Field<P> load(int row, bool first) const { return first ? load_global(row) : load_shared(row); }
  __device__ void store(int row, const Field<P>& x, bool final) const {
    if (final) store_global(row, x);
    else store_shared(row, x);
  }

  __device__ Field<P> twiddle(int stage, int local_block) const {
    return pass.twiddles.template at<D == Depth::deep>((block() << stage) + local_block, pass.inverse);
  }

  // Whether a stage's factor is 1.
  __device__ bool trivial(int local_block) const { return D == Depth::top && local_block == 0; }
};

template <class P, Depth D, bool Backward>
__device__ __forceinline__ void radix2(const Place<P, D, Backward>& place, int stage, int unit, bool first,
                                       bool final) {
  const int log_half = place.pass.stages - 1 - stage;
  const int b = unit >> log_half, row = (b << (log_half + 1)) + (unit & ((1 << log_half) - 1));
  const Field<P> z = place.twiddle(stage, b);
  const Field<P> u = place.load(row, first), v = place.load(row + (1 << log_half), first);
  if (Backward) {
    place.store(row, (u + v), final);
    place.store(row + (1 << log_half), (u - v) * z, final);
  } else {
    const Field<P> zv = z * v;
    place.store(row, (u + zv), final);
    place.store(row + (1 << log_half), (u - zv), final);
  }
}

// Stages `stage` and `stage` + 1 at once.
template <class P, Depth D, bool Backward>
__device__ __forceinline__ void radix4(const Place<P, D, Backward>& place, int stage, int unit, bool first,
                                       bool final) {
  const int log_quarter = place.pass.stages - 2 - stage, quarter = 1 << log_quarter;
  const int b = unit >> log_quarter, row = (b << (log_quarter + 2)) + (unit & (quarter - 1));
  Field<P> x0 = place.load(row, first), x1 = place.load(row + quarter, first);
  Field<P> x2 = place.load(row + 2 * quarter, first), x3 = place.load(row + 3 * quarter, first);
  if (Backward) {
    const Field<P> a0 = x0 + x1, a2 = x2 + x3;
    Field<P> a1 = x0 - x1, a3 = x2 - x3;
    a3 = a3 * place.twiddle(stage + 1, 2 * b + 1);
    if (!place.trivial(b)) a1 = a1 * place.twiddle(stage + 1, 2 * b);
    x0 = a0 + a2;
    x1 = a1 + a3;
    x2 = a0 - a2;
    x3 = a1 - a3;
    if (!place.trivial(b)) {
      const Field<P> z = place.twiddle(stage, b);
      x2 = x2 * z;
      x3 = x3 * z;
    }
  } else {
    if (!place.trivial(b)) {
      const Field<P> z = place.twiddle(stage, b);
      x2 = z * x2;
      x3 = z * x3;
    }
    const Field<P> a0 = x0 + x2, a2 = x0 - x2;
    Field<P> a1 = x1 + x3, a3 = x1 - x3;
    if (!place.trivial(b)) a1 = a1 * place.twiddle(stage + 1, 2 * b);
    a3 = a3 * place.twiddle(stage + 1, 2 * b + 1);
    x0 = a0 + a1;
    x1 = a0 - a1;
    x2 = a2 + a3;
    x3 = a2 - a3;
  }
  place.store(row, x0, final);
  place.store(row + quarter, x1, final);
  place.store(row + 2 * quarter, x2, final);
  place.store(row + 3 * quarter, x3, final);
}

template <class P, Depth D, bool Backward>
__device__ __forceinline__ void round_of(const Pass<P>& pass, uint32_t* tile, int stage, int radix_bits, bool first,
                                         bool final) {
  const int units = 1 << (pass.tile_bits() - radix_bits);
  for (int unit = threadIdx.x; unit < units; unit += blockDim.x) {
    const Place<P, D, Backward> place{pass, tile, unit & ((1 << pass.log_columns) - 1)};
    if (radix_bits == 2) radix4(place, stage, unit >> pass.log_columns, first, final);
    else radix2(place, stage, unit >> pass.log_columns, first, final);
  }
}

// Forward: radix 4 from stage 0 down, a last odd stage by radix 2. Backward: the mirror image.
template <class P, Depth D, bool Backward>
__global__ void __launch_bounds__(ntt_threads, 6) ntt_pass(const __grid_constant__ Pass<P> pass) {
  extern __shared__ uint32_t tile[];
  const int odd = pass.stages & 1, rounds = pass.stages / 2 + odd;
  for (int round = 0; round < rounds; round++) {
    if (round) __syncthreads();
    const int from_top = Backward ? rounds - 1 - round : round;
    const int radix_bits = odd && from_top == rounds - 1 ? 1 : 2;
    round_of<P, D, Backward>(pass, tile, 2 * from_top, radix_bits, round == 0, round == rounds - 1);
  }
}

}  // namespace pg
