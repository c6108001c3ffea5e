// Numbers modulo p that need not be below it: what transforms compute with between a load and a store.
//
// There is room for it: two p and a little fit in an element's words. So numbers are only kept near p, by a look at the
// highest word, and not compared with p in all words. An ulp is one in that word: top ulps <= p < top + 1 ulps.
#pragma once

#include "field.cuh"

namespace pg {

template <class P>
struct Loose {
  static constexpr int words = P::words;
  static constexpr uint32_t top = P::modulus[words - 1];
  static constexpr uint32_t floor = 128;  // in ulps; see ntt_butterfly.cuh

  uint32_t w[words];

  PG_HD static Loose modulus() {
    constexpr Constants<P> c = constants<P>;
    return loaded(c.modulus);
  }

  PG_HD static Loose of(const Field<P>& a) { return loaded(a.w); }
  PG_HD static Loose loaded(const uint32_t* from) {
    Loose x;
    PG_UNROLL for (int i = 0; i < words; i++) x.w[i] = from[i];
    return x;
  }

  PG_HD void store(uint32_t* to) const {
    PG_UNROLL for (int i = 0; i < words; i++) to[i] = w[i];
  }

  PG_HD friend Loose operator+(const Loose& a, const Loose& b) {
    Loose sum;
    add_words<words>(sum.w, a.w, b.w);
    return sum;
  }

  // a - b, which may be negative: then its words are those of 2^(32 words) more.
  PG_HD friend Loose operator-(const Loose& a, const Loose& b) {
    Loose difference;
    subtract_words<words>(difference.w, a.w, b.w);
    return difference;
  }

  // p more, if it is a little below zero only, and else less than 2^(32 words) - 2^20 ulps.
  PG_HD Loose not_below_zero() const { return plus_if(w[words - 1] >= 0xfff00000); }

  // p more, if it is below `floor`; for what lies between -2^(32 words - 1) and 2^(32 words - 1).
  PG_HD Loose lifted() const { return plus_if(int32_t(w[words - 1]) < int32_t(floor)); }

  // p less, if the highest word shows that at least so many ulps remain.
  PG_HD Loose lowered(uint32_t remaining) const {
    constexpr Constants<P> c = constants<P>;
    Loose x = *this;
    subtract_words_if<words>(w[words - 1] > top + remaining, x.w, c.modulus);
    return x;
  }

  // The element that a number below 2p is.
  PG_HD Field<P> reduced() const {
    Field<P> f = Field<P>::loaded(w);
    return f.below_modulus();
  }

 private:
  PG_HD Loose plus_if(bool condition) const {
    constexpr Constants<P> c = constants<P>;
    Loose x = *this;
    add_words_if<words>(condition, x.w, c.modulus);
    return x;
  }
};

}  // namespace pg
