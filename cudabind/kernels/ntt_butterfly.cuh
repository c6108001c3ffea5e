// Butterflies over one stage or two, in registers.
//
// Forward flow (natural to reversed order): u + z v, u - z v. Backward flow undoes it: u + v, (u - v) / z. Between a load
// and a store numbers are only kept near p (loose.cuh). A product is below p + 4 ulps, since p < 2^31 ulps.
//  Forward, the vector holds such numbers between the passes as well. After s stages u is at least floor - 4 s ulps and
//  below p + floor + 1 + 4 s: it begins with at least `floor` = 128, and 28 stages take 112. So u - z v + p is not
//  negative, and no sum reaches 2p + 490 ulps, which fits.
//  Backward, all are below p + e, where e is 4 ulps in the beginning and twice as much after each stage: 2^11 at the end
//  of a pass, which stores elements below p. u - v + p may be negative by as much.
#pragma once

#include "ntt_tile.cuh"

namespace pg {

// What is known of a pass when it is compiled. Top: its first block's first factors are 1, and a twelfth of all
// products can be left out. Deep: its factors need the second row of the table.
enum class Depth { top, middle, deep };

// The factor of a block at some stage: one of the table's, or the negative of one. Then it is not negated, but sums and
// differences change places.
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

  // The row, first or second, of the sum of u and the product without its sign, and that of the difference.
  __device__ int sum() const { return turn.negative; }
  __device__ int difference() const { return !turn.negative; }
};

// The factors of a block and of its two halves, those of the sums and of the differences.
template <class P, Depth D, bool Backward>
struct Factors {
  Factor<P, D, Backward> whole, sums, differences;

  __device__ Factors(const Pass<P>& pass, uint32_t block)
      : whole(pass, block), sums(pass, 2 * block + whole.sum()), differences(pass, 2 * block + whole.difference()) {}

  // The rows of the sums' sum and difference and of the differences' sum and difference.
  __device__ int row(int k) const {
    const auto& half = k < 2 ? sums : differences;
    return 2 * (k < 2 ? whole.sum() : whole.difference()) + (k % 2 ? half.difference() : half.sum());
  }
};

template <class P, Depth D, bool Plain>
__device__ __forceinline__ void radix2(const Place<P, false, Plain>& place, int stage, bool first, bool final) {
  const Factor<P, D, false> factor(place.pass, place.block_at(stage));
  Loose<P> x[2];
  place.load(x, {0, 1}, first);
  const Loose<P> u = x[0].lowered(Loose<P>::floor), v = factor.times(x[1]);
  place.store({u + v, u - v + Loose<P>::modulus()}, {factor.sum(), factor.difference()}, final);
}

// Stages `stage` and `stage` + 1 at once.
template <class P, Depth D, bool Plain>
__device__ __forceinline__ void radix4(const Place<P, false, Plain>& place, int stage, bool first, bool final) {
  const Factors<P, D, false> by(place.pass, place.block_at(stage));
  Loose<P> x[4];
  place.load(x, {0, 1, 2, 3}, first);
  const Loose<P> v0 = by.whole.times(x[2]), v1 = by.whole.times(x[3]);
  const Loose<P> u0 = x[0].lowered(Loose<P>::floor), u1 = x[1].lowered(Loose<P>::floor);
  const Loose<P> s0 = (u0 + v0).lowered(Loose<P>::floor), d0 = (u0 - v0).lifted();
  const Loose<P> s1 = by.sums.times(u1 + v1), d1 = by.differences.times(u1 - v1 + Loose<P>::modulus());
  place.store({s0 + s1, s0 - s1 + Loose<P>::modulus(), d0 + d1, d0 - d1 + Loose<P>::modulus()},
              {by.row(0), by.row(1), by.row(2), by.row(3)}, final);
}

// u - v as a product takes it.
template <class P>
__device__ __forceinline__ Loose<P> difference(const Loose<P>& u, const Loose<P>& v) {
  return (u - v + Loose<P>::modulus()).not_below_zero();
}

template <class P, Depth D, bool Plain>
__device__ __forceinline__ void radix2(const Place<P, true, Plain>& place, int stage, bool first, bool final) {
  const Factor<P, D, true> factor(place.pass, place.block_at(stage));
  Loose<P> x[2];
  place.load(x, {factor.sum(), factor.difference()}, first);
  place.store({(x[0] + x[1]).lowered(0), factor.times(difference(x[0], x[1]))}, {0, 1}, final);
}

template <class P, Depth D, bool Plain>
__device__ __forceinline__ void radix4(const Place<P, true, Plain>& place, int stage, bool first, bool final) {
  const Factors<P, D, true> by(place.pass, place.block_at(stage));
  Loose<P> x[4];
  place.load(x, {by.row(0), by.row(1), by.row(2), by.row(3)}, first);
  const Loose<P> s0 = (x[0] + x[1]).lowered(0), d0 = by.sums.times(difference(x[0], x[1]));
  const Loose<P> s1 = (x[2] + x[3]).lowered(0), d1 = by.differences.times(difference(x[2], x[3]));
  place.store({(s0 + s1).lowered(0), (d0 + d1).lowered(0), by.whole.times(difference(s0, s1)),
               by.whole.times(difference(d0, d1))},
              {0, 1, 2, 3}, final);
}

}  // namespace pg
